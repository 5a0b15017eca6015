package dev.tenure.db;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// A JDBC wrapper for tests: writes down what reaches the driver, and fails or waits at a chosen statement.
///
/// An event is `2 INSERT INTO ...` or `2 close`, where 2 counts the connections.
final class FaultDriver {
    /// What happens at an event.
    interface Effect {
        void happen() throws SQLException;
    }

    private enum When {
        BEFORE,
        AFTER
    }

    private record Rule(When when, String start, AtomicInteger skip, Effect effect) {}

    private final List<String> transcript = Collections.synchronizedList(new ArrayList<>());
    private final List<Rule> rules = new CopyOnWriteArrayList<>();
    private final List<Connection> real = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private volatile Effect cancelling = () -> {};

    /// At the next statement that starts so, before the driver sees it, once.
    FaultDriver before(String start, Effect effect) {
        rules.add(new Rule(When.BEFORE, start, new AtomicInteger(), effect));
        return this;
    }

    /// At the next statement that starts so, after the driver has done it, once: what is thrown is a lost reply.
    FaultDriver after(String start, Effect effect) {
        rules.add(new Rule(When.AFTER, start, new AtomicInteger(), effect));
        return this;
    }

    /// The driver's own connections, in the order of their opening, for a test that goes past the guard.
    List<Connection> real() {
        return real;
    }

    /// Whenever a cancel is sent to the driver, before it sees it.
    FaultDriver atEachCancel(Effect effect) {
        cancelling = effect;
        return this;
    }

    /// The same at the statement number n, counted from 0.
    FaultDriver beforeNumber(int n, String start, Effect effect) {
        rules.add(new Rule(When.BEFORE, start, new AtomicInteger(n), effect));
        return this;
    }

    private static boolean isCancel(String event) {
        return text(event).equals("cancel");
    }

    /// What reached the driver, but for cancels, whose number depends on the instant.
    List<String> transcript() {
        return all().stream().filter(event -> !isCancel(event)).toList();
    }

    long cancels() {
        return all().stream().filter(FaultDriver::isCancel).count();
    }

    private List<String> all() {
        synchronized (transcript) {
            return List.copyOf(transcript);
        }
    }

    long count(String start) {
        return transcript().stream()
                .filter(event -> text(event).startsWith(start))
                .count();
    }

    /// How many connections were closed, which an eviction and the pool both do.
    long closed() {
        return transcript().stream()
                .filter(event -> text(event).equals("close"))
                .distinct()
                .count();
    }

    private static String text(String event) {
        return event.substring(event.indexOf(' ') + 1);
    }

    DataSource wrap(DataSource source) {
        return face(DataSource.class, (_, method, args) -> {
            Object answer = call(source, method, args);
            return answer instanceof Connection opened ? wrap(opened, connections.incrementAndGet()) : answer;
        });
    }

    /// A source that gives the writer its connection and nothing to anybody else.
    DataSource failToOpen(DataSource source) {
        DataSource wrapped = wrap(source);
        return face(DataSource.class, (_, method, args) -> {
            if (method.getName().equals("getConnection") && connections.get() > 0) {
                throw new SQLException("no more");
            }
            return call(wrapped, method, args);
        });
    }

    private Connection wrap(Connection opened, int number) {
        real.add(opened);
        return face(Connection.class, (proxy, method, args) -> switch (method.getName()) {
            case "close", "commit", "rollback" -> at(number, method.getName(), () -> call(opened, method, args));
            case "unwrap" -> args[0] == Connection.class ? proxy : call(opened, method, args);
            default -> wrapOpened(call(opened, method, args), number, args);
        });
    }

    private @Nullable Object wrapOpened(@Nullable Object opened, int number, @Nullable Object @Nullable [] args) {
        return switch (opened) {
            case PreparedStatement prepared -> wrap(PreparedStatement.class, prepared, number, String.valueOf(args[0]));
            case Statement statement -> wrap(Statement.class, statement, number, "");
            case null, default -> opened;
        };
    }

    private <T extends Statement> T wrap(Class<T> type, T real, int number, String prepared) {
        return face(type, (_, method, args) -> {
            if (method.getName().equals("cancel")) {
                transcript.add(number + " cancel");
                cancelling.happen();
                return call(real, method, args);
            }
            if (!method.getName().startsWith("execute")) {
                return call(real, method, args);
            }
            String sql = args != null && args[0] instanceof String given ? given : prepared;
            return at(number, sql, () -> call(real, method, args));
        });
    }

    private interface Driver {
        @Nullable
        Object call() throws Throwable;
    }

    private @Nullable Object at(int number, String what, Driver driver) throws Throwable {
        transcript.add(number + " " + what);
        apply(When.BEFORE, what);
        Object answer = driver.call();
        apply(When.AFTER, what);
        return answer;
    }

    private void apply(When when, String what) throws SQLException {
        for (Rule rule : new ArrayList<>(rules)) {
            if (rule.when() == when
                    && what.startsWith(rule.start())
                    && rule.skip().getAndDecrement() == 0) {
                rules.remove(rule);
                rule.effect().happen();
            }
        }
    }

    private static @Nullable Object call(Object real, Method method, @Nullable Object @Nullable [] args)
            throws Throwable {
        try {
            return method.invoke(real, args);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    private static <T> T face(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(FaultDriver.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
