package dev.tenure.it.host;

import static dev.tenure.host.Phase.DISPOSE_DEPENDENCIES;
import static java.lang.constant.ConstantDescs.CD_void;

import dev.tenure.host.Host;
import dev.tenure.host.ShutdownReport;
import dev.tenure.http.Exchange;
import dev.tenure.http.HttpServer;
import dev.tenure.http.Response;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// The child program of [HostStuckTest]: a server whose stuck handler is a method that is made, and named, at run
/// time.
public final class StuckProgram {
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    private StuckProgram() {}

    /// Runs until a signal.
    ///
    /// @param arguments the method's name, the stop budget in milliseconds, the file for the JSON report
    public static void main(String[] arguments) {
        System.exit(Host.exitCode(() -> run(arguments[0], arguments[1], Path.of(arguments[2]))));
    }

    private static ShutdownReport run(String method, String budget, Path json) throws Exception {
        var stuck = stuckMethod(method);
        try (var host = Host.named("stuck")
                .stopBudget(Duration.ofMillis(Long.parseLong(budget)))
                .reportTo(report -> write(json, report))
                .start()) {
            host.own(FakePart.named("resource").on(DISPOSE_DEPENDENCIES, _ -> System.out.println("closed resource")));
            var http = host.own(HttpServer.on(0)
                    .routes(routes -> routes.get("/plain", StuckProgram::plain)
                            .get("/slow", StuckProgram::slow)
                            .get("/exit", _ -> {
                                System.out.println("exiting");
                                System.exit(9);
                                throw new IllegalStateException("not reached");
                            })
                            .get("/spin", _ -> {
                                System.out.println("in spin");
                                return spin();
                            })
                            .get("/stuck", exchange -> {
                                System.out.println("in stuck");
                                stuck.run();
                                return plain(exchange);
                            })));
            System.out.println("port " + http.port());
            return host.awaitStop();
        }
    }

    private static Response plain(Exchange exchange) {
        return Response.ok().text("plain " + exchange.path());
    }

    private static Response slow(Exchange exchange) throws InterruptedException {
        System.out.println("in slow");
        var cut = NEVER.await(300, TimeUnit.MILLISECONDS);
        return Response.ok().text("slow " + exchange.stopping() + cut);
    }

    private static void write(Path json, ShutdownReport report) {
        try {
            Files.writeString(json, report.toJson());
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /// A class with one static method of the given name, which calls [#swallowInterrupts()].
    private static Runnable stuckMethod(String name) throws Exception {
        var here = StuckProgram.class;
        var type = ClassDesc.of(here.getPackageName(), "Made" + name);
        var nothing = MethodTypeDesc.of(CD_void);
        var bytes = ClassFile.of()
                .build(
                        type,
                        made -> made.withFlags(ClassFile.ACC_PUBLIC)
                                .withMethodBody(
                                        name,
                                        nothing,
                                        ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                                        code -> code.invokestatic(
                                                        ClassDesc.of(here.getName()), "swallowInterrupts", nothing)
                                                .return_()));
        var lookup = MethodHandles.lookup();
        var method = lookup.findStatic(lookup.defineClass(bytes), name, MethodType.methodType(void.class));
        return MethodHandleProxies.asInterfaceInstance(Runnable.class, method);
    }

    /// Never returns, and never leaves its carrier thread to anybody else.
    private static Response spin() {
        while (NEVER.getCount() > 0) {
            Thread.onSpinWait();
        }
        return Response.ok().text("not reached");
    }

    /// Never returns, whatever is asked of it.
    static void swallowInterrupts() {
        while (true) {
            try {
                NEVER.await();
                return;
            } catch (InterruptedException _) {
                System.out.println("interrupt swallowed");
            }
        }
    }
}
