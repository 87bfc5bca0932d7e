package io.jenkins.plugins.tao.code;

import static io.jenkins.plugins.tao.job.Require.require;

import java.io.Serializable;

/**
 * How much code a job may have: more is a data set that is there by mistake.
 *
 * @param mebibytes of all files together
 * @param files regular files and links
 */
public record CodeLimits(long mebibytes, int files) implements Serializable {
    private static final long MEBIBYTES = 1024;
    private static final int FILES = 20_000;
    private static final int MIB_BITS = 20;

    public CodeLimits {
        require(mebibytes >= 1, "the limit of code must be at least 1 MiB, was %d", mebibytes);
        require(files >= 1, "the limit of code must be at least 1 file, was %d", files);
    }

    /** 1 GiB and 20,000 files. */
    public static CodeLimits defaults() {
        return new CodeLimits(MEBIBYTES, FILES);
    }

    long bytes() {
        return mebibytes << MIB_BITS;
    }
}
