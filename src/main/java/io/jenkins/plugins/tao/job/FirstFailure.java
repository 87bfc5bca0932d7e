package io.jenkins.plugins.tao.job;

import java.util.List;

/**
 * The rank of a job on several nodes that failed first and by itself; the others were ended because of it.
 *
 * @param rank its number, from 0
 * @param node the node it ran on
 * @param lastLines what it wrote last, where the log of the job does not end with it anyway
 */
public record FirstFailure(int rank, String node, List<String> lastLines) {
    public FirstFailure {
        lastLines = List.copyOf(lastLines);
    }

    /** One whose last lines are at the end of the job's log. */
    public FirstFailure(int rank, String node) {
        this(rank, node, List.of());
    }

    /** {@code rank 1 on gpu02}. */
    public String words() {
        return "rank " + rank + " on " + node;
    }
}
