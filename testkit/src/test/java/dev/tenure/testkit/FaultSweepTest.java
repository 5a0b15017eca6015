package dev.tenure.testkit;

/// The JUnit face: a method is a scenario, with the world and the parts that others offer.
class FaultSweepTest {
    /// A fake that this test offers through `ServiceLoader`, as a module beside the kit does.
    static final class Mailbox {
        private final World world;

        Mailbox(World world) {
            this.world = world;
        }

        void ask() throws Exception {
            Scenarios.right(world);
        }
    }

    /// Makes it.
    public static final class MailboxPart implements WorldPart {
        @Override
        public Class<?> type() {
            return Mailbox.class;
        }

        @Override
        public Object make(World world) {
            return new Mailbox(world);
        }
    }

    @FaultSweep(schedules = 20, preemptions = 1)
    void tasks(World world) throws Exception {
        Scenarios.tasks(world);
    }

    @FaultSweep(pairs = 100)
    void partOfAnotherModule(Mailbox mailbox) throws Exception {
        mailbox.ask();
    }
}
