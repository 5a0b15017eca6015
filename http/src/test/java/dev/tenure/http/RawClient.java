package dev.tenure.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Locale;

/// A client of one connection that sends exactly the bytes it is given and knows exactly what it got.
final class RawClient implements AutoCloseable {
    /// A response.
    @SuppressWarnings("ArrayRecordComponent") // compared by its parts alone
    record Answer(int status, String head, byte[] body) {
        String text() {
            return new String(body, ISO_8859_1);
        }

        boolean closes() {
            return has("connection: close");
        }

        boolean has(String lowerCaseField) {
            return head.toLowerCase(Locale.ROOT).contains("\r\n" + lowerCaseField);
        }

        String field(String name) {
            String lower = "\r\n" + name.toLowerCase(Locale.ROOT) + ": ";
            int at = head.toLowerCase(Locale.ROOT).indexOf(lower);
            return at < 0 ? "" : head.substring(at + lower.length(), head.indexOf("\r\n", at + 2));
        }
    }

    private final Socket socket;
    private final InputStream in;

    RawClient(int port) throws IOException {
        this(port, 0);
    }

    RawClient(int port, int receiveBuffer) throws IOException {
        socket = new Socket();
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(10_000);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 5_000);
        in = new java.io.BufferedInputStream(socket.getInputStream(), 16_384);
    }

    /// As the server sees it.
    InetSocketAddress address() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    static String request(String method, String target, String... fields) {
        var text = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n");
        for (String field : fields) {
            text.append(field).append("\r\n");
        }
        return text.append("\r\n").toString();
    }

    RawClient send(String text) throws IOException {
        return send(text.getBytes(ISO_8859_1));
    }

    RawClient send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    Answer get(String target, String... fields) throws IOException {
        return send(request("GET", target, fields)).read();
    }

    Answer read() throws IOException {
        return read(false);
    }

    Answer readHeadOnly() throws IOException {
        return read(true);
    }

    private Answer read(boolean noBody) throws IOException {
        String head = head();
        int status = Integer.parseInt(head.substring(9, 12));
        var answer = new Answer(status, head, new byte[0]);
        if (noBody || status < 200 || status == 204 || status == 304) {
            return answer;
        }
        if (answer.has("transfer-encoding: chunked")) {
            return new Answer(status, head, chunks());
        }
        String length = answer.field("content-length");
        return new Answer(status, head, length.isEmpty() ? in.readAllBytes() : exactly(Integer.parseInt(length)));
    }

    /// Reads a head, without what follows it.
    String head() throws IOException {
        var head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            head.append((char) byteOrThrow());
        }
        return head.toString();
    }

    private int byteOrThrow() throws IOException {
        int b = in.read();
        if (b < 0) {
            throw new EOFException();
        }
        return b;
    }

    private byte[] exactly(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("after %d of %d bytes".formatted(bytes.length, length));
        }
        return bytes;
    }

    private byte[] chunks() throws IOException {
        var body = new ByteArrayOutputStream();
        for (byte[] chunk = chunk(); chunk.length > 0; chunk = chunk()) {
            body.write(chunk);
        }
        return body.toByteArray();
    }

    /// Reads one chunk; empty for the last.
    byte[] chunk() throws IOException {
        byte[] chunk = exactly(Integer.parseInt(line(), 16));
        line();
        return chunk;
    }

    String line() throws IOException {
        var line = new StringBuilder();
        while (!line.toString().endsWith("\r\n")) {
            line.append((char) byteOrThrow());
        }
        return line.substring(0, line.length() - 2);
    }

    /// Reads one byte; -1 for the end.
    int readByte() throws IOException {
        return in.read();
    }

    /// Whether the server has ended the connection, by a FIN or a reset, with nothing left to read.
    boolean isEnded() {
        try {
            return in.read() < 0;
        } catch (java.net.SocketTimeoutException _) {
            return false;
        } catch (IOException _) {
            return true;
        }
    }

    void timeout(int millis) throws IOException {
        socket.setSoTimeout(millis);
    }

    void fin() throws IOException {
        socket.shutdownOutput();
    }

    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
