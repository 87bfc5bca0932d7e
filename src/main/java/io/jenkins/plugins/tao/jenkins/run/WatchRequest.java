package io.jenkins.plugins.tao.jenkins.run;

/** How a user wants jobs watched, as text; see the help of {@code taoWait} for each. */
public interface WatchRequest {
    /** Patterns of files below the results directory, one a line or separated by commas. */
    String getArchive();

    /** A length of time; empty for one day. */
    String getGiveUpAfter();

    /** A whole number; empty for 10. */
    String getRetries();

    /** Whether the build log shows the job's own log. */
    boolean isLog();

    /** Whether a job that did not succeed fails the build. */
    boolean isFailOnError();
}
