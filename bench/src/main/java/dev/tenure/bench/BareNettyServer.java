package dev.tenure.bench;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.charset.StandardCharsets;

/// The same text by Netty and nothing else: its own codec, and a virtual thread for each request.
public final class BareNettyServer {
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.US_ASCII);

    private BareNettyServer() {}

    public static void main(String[] args) throws InterruptedException {
        var loops = new MultiThreadIoEventLoopGroup(
                Runtime.getRuntime().availableProcessors(), EpollIoHandler.newFactory());
        new ServerBootstrap()
                .group(loops)
                .channel(EpollServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.config().setTcpNoDelay(true);
                        channel.pipeline().addLast(new HttpServerCodec(), new Plain());
                    }
                })
                .bind("127.0.0.1", Integer.parseInt(args[0]))
                .sync()
                .channel()
                .closeFuture()
                .sync();
    }

    private static final class Plain extends SimpleChannelInboundHandler<HttpObject> {
        private String target = "";

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
            if (message instanceof HttpRequest request) {
                target = request.uri();
            }
            if (message instanceof LastHttpContent) {
                String asked = target;
                Thread.ofVirtual().start(() -> answer(ctx, asked));
            }
        }

        private static void answer(ChannelHandlerContext ctx, String target) {
            var status = target.equals("/plain") ? HttpResponseStatus.OK : HttpResponseStatus.NOT_FOUND;
            var response =
                    new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(HELLO));
            response.headers()
                    .set(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8")
                    .setInt(HttpHeaderNames.CONTENT_LENGTH, HELLO.length);
            ctx.writeAndFlush(response, ctx.voidPromise());
        }
    }
}
