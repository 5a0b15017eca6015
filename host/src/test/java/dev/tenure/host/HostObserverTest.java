package dev.tenure.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Observer;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class HostObserverTest {
    @Test
    void everyEvent_reachesTheObserver_andWhatItThrowsStaysThere() {
        var heard = new ArrayList<String>();
        var observer = new Observer() {
            @Override
            public void retried(String resource, Throwable first, boolean ended) {
                heard.add("retried " + resource);
            }

            @Override
            public void detached(String task, String supervisor, String event) {
                heard.add("detached " + task);
            }

            @Override
            public void failed(String owner, Throwable failure) {
                throw new AssertionError("deaf");
            }
        };
        long before = Observer.isolatedFailures();
        try (var host = Host.named("observed").signals(false).observer(observer).start()) {
            host.observer().retried("camera", new IllegalStateException(), true);
            host.observer().detached("expose", "cameras", "the request ended");
            host.observer().failed("camera", new IllegalStateException());
        }
        assertThat(heard).containsExactly("retried camera", "detached expose");
        assertThat(Observer.isolatedFailures() - before).isEqualTo(1);
    }
}
