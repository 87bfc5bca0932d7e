package io.jenkins.plugins.tao.jenkins.run;

/** How a user wants jobs watched, as text; see the help of {@code taoWait} for each. */
public interface WatchRequest {
    /** Patterns of files below the results directory, one a line or separated by commas. */
    String getArchive();

    /** The largest size of a file to archive, and of all together; empty for 1 GiB and 4 GiB. */
    String getArchiveLimit();

    /** A length of time; empty for one day. */
    String getGiveUpAfter();

    /** A whole number; empty for 10. */
    String getRetries();

    /** A length of time; empty for one day. */
    String getAvoidNodesFor();

    /** A length of time; empty for half an hour. */
    String getStallAfter();

    /** {@code tell}, {@code cancel} or {@code retry}; empty for {@code tell}. */
    String getOnStall();

    /** A length of time; empty where idle GPUs are only told, after half an hour. */
    String getIdleAfter();

    /** When a job's metrics end it, as in {@code NaN of val_loss in 3 values}; empty for never. A sweep ends its cells by rules of its own. */
    String jobEndEarly();

    /** The longest time between two looks; empty for one that follows the job. */
    String getInterval();

    /** How much of a job's log the build log shows, such as {@code 10M}; empty for all of it. */
    String getLogLimit();

    /** Whether a line that several ranks write is shown once. */
    boolean isFoldRanks();

    /** Whether the build log shows the job's own log. */
    boolean isLog();

    /** Whether a job that did not succeed fails the build. */
    boolean isFailOnError();
}
