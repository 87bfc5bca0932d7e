package io.jenkins.plugins.tao.job;

/** Where a job stands, in words that all backends share; the backend's own word travels beside it. */
public enum JobState {
    /** Accepted and waiting: queued, held, its image being pulled. */
    PENDING,
    /** Its command runs, or has just ended and is being tidied up. */
    RUNNING,
    /** Stopped for a while by the scheduler or a person; it will go on. */
    PAUSED,
    /** The backend answered with a word this version does not know: the job stays watched. */
    UNCLEAR,
    /** It will not run any more; {@link JobStatus#ending} says how the backend puts it. */
    ENDED
}
