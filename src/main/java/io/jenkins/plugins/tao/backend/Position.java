package io.jenkins.plugins.tao.backend;

import static io.jenkins.plugins.tao.job.Require.require;

/**
 * A place in a stream, small enough to save.
 *
 * @param file what identifies the file, in the backend's words (path and inode, or a pod); empty before the first read
 * @param byteOffset bytes before it
 */
public record Position(String file, long byteOffset) {
    /** Before anything was read. */
    public static final Position START = new Position("", 0);

    public Position {
        require(byteOffset >= 0, "byteOffset must not be negative, was %d", byteOffset);
    }
}
