package dev.tenure.it.uploads;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Locale;

/// One connection that sends exactly what it is told.
final class Client implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 10_000;

    /// What the server answered.
    record Answer(int status, String head, String body) {
        boolean closes() {
            return head.toLowerCase(Locale.ROOT).contains("\r\nconnection: close");
        }
    }

    private final Socket socket = new Socket();
    private final InputStream in;

    Client(int port) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
        in = new BufferedInputStream(socket.getInputStream());
    }

    static String part(String field, String content) {
        return "--B\r\nContent-Disposition: form-data; name=\"" + field + "\"; filename=\"" + field + ".bin\"\r\n\r\n"
                + content + "\r\n";
    }

    static String head(long contentLength) {
        return "POST /upload HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=B\r\n"
                + "Content-Length: " + contentLength + "\r\n\r\n";
    }

    Client send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
        return this;
    }

    Answer post(String body) throws IOException {
        return send(head(body.length()) + body).read();
    }

    Answer get(String target) throws IOException {
        return send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n").read();
    }

    Answer read() throws IOException {
        var head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            head.append((char) readByte());
        }
        var text = head.toString();
        var length = text.toLowerCase(Locale.ROOT).indexOf("content-length: ");
        var bytes = length < 0 ? 0 : Integer.parseInt(text.substring(length + 16, text.indexOf("\r\n", length)));
        var body = in.readNBytes(bytes);
        return new Answer(Integer.parseInt(text.substring(9, 12)), text, new String(body, ISO_8859_1));
    }

    private int readByte() throws IOException {
        var b = in.read();
        if (b < 0) {
            throw new EOFException("the server ended the connection");
        }
        return b;
    }

    /// Whether the server ends the connection by a FIN, with nothing more to read.
    boolean isEndedByFin() throws IOException {
        return in.read() < 0;
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
