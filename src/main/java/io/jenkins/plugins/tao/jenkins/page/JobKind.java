package io.jenkins.plugins.tao.jenkins.page;

import java.util.Locale;

/** How a job does, in the few words that colours stand for. */
public enum JobKind {
    /** It has not been taken, or waits for machines. */
    WAITING,
    RUNNING,
    SUCCEEDED,
    FAILED,
    /** Its end was asked for, and has come. */
    CANCELLED,
    /** Nobody knows how it does. */
    LOST;

    static JobKind of(JobRecord job) {
        return switch (job.getState()) {
            case "SUCCESS" -> SUCCEEDED;
            case "FAILURE" -> FAILED;
            case "ABORTED" -> CANCELLED;
            case "LOST" -> LOST;
            default -> ofPhase(job);
        };
    }

    private static JobKind ofPhase(JobRecord job) {
        String phase = job.facts().text(JobFacts.PHASE);
        boolean runs = phase.isEmpty() ? job.getState().equals("RUNNING") : !phase.equals("PENDING");
        return runs ? RUNNING : WAITING;
    }

    /** For people. */
    String words() {
        return name().toLowerCase(Locale.ROOT);
    }
}
