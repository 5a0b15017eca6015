/// Routes, exchanges, bodies and streams over Netty.
@org.jspecify.annotations.NullMarked
module dev.tenure.http {
    requires transitive dev.tenure.host;
    requires io.netty.buffer;
    requires io.netty.codec;
    requires io.netty.codec.http;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.transport;
    requires static io.netty.transport.classes.epoll;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;
}
