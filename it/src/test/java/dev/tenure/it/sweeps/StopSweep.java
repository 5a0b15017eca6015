package dev.tenure.it.sweeps;

import dev.tenure.host.Component;
import dev.tenure.host.Phase;
import dev.tenure.host.Stop;
import dev.tenure.sim.Sim;
import dev.tenure.testkit.FakeSocket;
import dev.tenure.testkit.Violation;
import dev.tenure.testkit.World;
import java.io.IOException;
import java.util.Set;

/// A host with a database, jobs, uploads and a peer of its own stops: whatever fails in it, everything has ended.
final class StopSweep {
    private StopSweep() {}

    static void stop(Sim sim) throws IOException {
        sim.stoppedByHand();
        try {
            sim.jobs();
            sim.uploads();
            var peer = sim.own(_ -> new Peer(sim.world()));
            sim.owner().cleanup("last words", () -> peer.say(10));
        } finally {
            var report = sim.stop();
            if (report.toText().contains("INCOMPLETE")) {
                sim.world().violated(new Violation(10, 10, "host", report.toText(), "end in time what was opened"));
            }
        }
    }

    /// Owns a socket from its opening until the dependencies are disposed of.
    private static final class Peer implements Component {
        private final World world;
        private final FakeSocket socket;

        Peer(World world) throws IOException {
            this.world = world;
            this.socket = world.socket("peer");
        }

        void say(int bytes) throws IOException {
            try {
                socket.write(bytes);
            } catch (Throwable failure) {
                world.handled(failure); // it is in the host's report, as a text
                throw failure;
            }
        }

        @Override
        public String name() {
            return "peer";
        }

        @Override
        public Set<Phase> phases() {
            return Set.of(Phase.STOP_ADMISSION, Phase.DISPOSE_DEPENDENCIES);
        }

        @Override
        public void enter(Phase phase, Stop stop) throws IOException {
            if (phase == Phase.STOP_ADMISSION) {
                say(1);
                return;
            }
            try {
                socket.close();
            } catch (Throwable failure) {
                world.handled(failure);
                throw failure;
            }
        }
    }
}
