package dev.tenure.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tenure.http.internal.exchange.Piece;
import dev.tenure.http.internal.flow.ExchangePort;
import java.io.IOException;

/// Sends server-sent events, each in one piece, so that nothing comes between its lines.
///
/// **Source:** HTML standard, section 9.2.
final class AnswerEvents implements EventStream {
    private final ExchangePort port;

    AnswerEvents(ExchangePort port) {
        this.port = port;
    }

    @Override
    public void send(String data) throws IOException {
        var text = new StringBuilder(data.length() + 16);
        data(text, data);
    }

    @Override
    public void send(String name, String data) throws IOException {
        if (name.indexOf('\r') >= 0 || name.indexOf('\n') >= 0) {
            throw new IllegalArgumentException("event name with a line end (expected: one line)");
        }
        var text = new StringBuilder(name.length() + data.length() + 24);
        text.append("event: ").append(name).append('\n');
        data(text, data);
    }

    private void data(StringBuilder text, String data) throws IOException {
        for (String line : data.split("\r\n|\r|\n", -1)) {
            text.append("data: ").append(line).append('\n');
        }
        text.append('\n');
        AnswerWriter.give(port, Piece.of(text.toString().getBytes(UTF_8)));
    }

    @Override
    public boolean stopping() {
        return port.stopping();
    }
}
