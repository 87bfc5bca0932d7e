package io.jenkins.plugins.tao.backend;

import java.util.List;

/** What a job writes and we follow while it runs. */
public enum Stream {
    /** Its standard output. */
    OUT,
    /** Its standard error, with what the scheduler writes there; absent where a backend has one log for both. */
    ERR,
    /** TAO's {@code status.json}, one JSON object a line; the newest one this attempt has written. */
    STATUS,
    /** What the node tells of its GPUs, the driver and the image while the job runs; {@code gpus.sh} tells how. */
    MACHINE;

    /** Where TAO writes {@link #STATUS} below a results directory: {@code train/status.json}, or that in a folder more. */
    public static final List<String> STATUS_FILES = List.of("status.json", "*/status.json", "*/*/status.json");

    /** Whether it is text for people. */
    public boolean isLog() {
        return this == OUT || this == ERR;
    }
}
