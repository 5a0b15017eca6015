package dev.tenure.db.internal.guard;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The common part of the guards: a JDBC object that lets through what a borrower may call. **Source:** ADR-0020.
abstract class Guard implements InvocationHandler {
    final Borrowed borrowed;
    private final Object raw;
    private final Class<?> face;

    Guard(Borrowed borrowed, Object raw, Class<?> face) {
        this.borrowed = borrowed;
        this.raw = raw;
        this.face = face;
    }

    static <T> T facing(Class<T> face, Guard guard) {
        return face.cast(Proxy.newProxyInstance(Guard.class.getClassLoader(), new Class<?>[] {face}, guard));
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // a guard equals itself alone
    public final @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] given)
            throws Throwable {
        @Nullable Object[] args = given == null ? new Object[0] : given;
        return switch (method.getName()) {
            case "equals" -> proxy == args[0];
            case "hashCode" -> System.identityHashCode(proxy);
            case "toString" -> "guarded " + raw;
            case "isWrapperFor" -> args[0] instanceof Class<?> type && type.isInstance(proxy);
            case "unwrap" -> unwrap(proxy, args[0]);
            case "isClosed" -> borrowed.calls().isSealed() || isRawClosed(new Invocation(proxy, method, args));
            default -> on(new Invocation(proxy, method, args)).orElse(null);
        };
    }

    private static Object unwrap(Object proxy, @Nullable Object type) throws SQLException {
        if (type instanceof Class<?> wanted && wanted.isInstance(proxy)) {
            return proxy;
        }
        throw new SQLFeatureNotSupportedException(
                "unwrap(" + type + "): a lent connection shows its guarded face only; ask for a java.sql interface");
    }

    private boolean isRawClosed(Invocation call) throws SQLException {
        return directly(call).orElse(true).equals(true);
    }

    /// A call that is not common to all guards.
    abstract Optional<Object> on(Invocation call) throws SQLException;

    /// One call of the borrower.
    static final class Invocation {
        private final Object proxy;
        private final Method method;
        private final @Nullable Object[] args;

        Invocation(Object proxy, Method method, @Nullable Object[] args) {
            this.proxy = proxy;
            this.method = method;
            this.args = args;
        }

        Object proxy() {
            return proxy;
        }

        @Nullable
        Object argument() {
            return args[0];
        }

        String name() {
            return method.getName();
        }

        boolean isFirst(Class<?> type) {
            return args.length > 0 && type.isInstance(args[0]);
        }

        /// What the caller expects; the object may be more than that, and lead back to the driver's connection.
        Class<?> answer() {
            return method.getReturnType();
        }

        String text() {
            return String.valueOf(args[0]);
        }
    }

    final String label(Invocation call) {
        return face.getSimpleName() + '.' + call.name();
    }

    /// Calls the driver.
    final Optional<Object> directly(Invocation call) throws SQLException {
        try {
            return Optional.ofNullable(call.method.invoke(raw, call.args));
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(
                    label(call) + " of " + raw.getClass().getName() + " cannot be reached", e);
        } catch (InvocationTargetException e) {
            throw thrown(e.getCause());
        }
    }

    private static SQLException thrown(@Nullable Throwable cause) {
        return switch (cause) {
            case SQLException sql -> sql;
            case RuntimeException unchecked -> throw unchecked;
            case Error error -> throw error;
            case null, default -> new SQLException("the driver failed", cause);
        };
    }
}
