/// Routes, exchanges, bodies and streams over Netty.
@org.jspecify.annotations.NullMarked
module dev.tenure.http {
    requires transitive dev.tenure.host;
    requires io.netty.buffer;
    requires io.netty.common;
    requires io.netty.transport;
    requires io.netty.transport.classes.epoll;
    requires io.netty.transport.unix.common;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports dev.tenure.http;
}
