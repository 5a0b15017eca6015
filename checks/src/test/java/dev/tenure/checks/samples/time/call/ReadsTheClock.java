package dev.tenure.checks.samples.time.call;

final class ReadsTheClock {

    private ReadsTheClock() {}

    static long now() {
        return System.nanoTime();
    }
}
