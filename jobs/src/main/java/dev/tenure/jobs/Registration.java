package dev.tenure.jobs;

/// A type, who handles it and how; `site` names the handler in reports.
record Registration<T>(JobType<T> type, JobHandler<T> handler, JobPolicy policy, String site) {
    void call(JobRun run, byte[] payload) throws Exception {
        handler.run(run, type.codec().decode(payload));
    }
}
