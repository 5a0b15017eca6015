package dev.tenure.checks.samples.time.thread;

final class StartsAThread {

    private StartsAThread() {}

    static Thread unstarted(Runnable work) {
        return new Thread(work);
    }
}
