package io.jenkins.plugins.tao.backend;

import io.jenkins.plugins.tao.job.JobKey;

/** What a backend offers besides when it keeps code for its jobs, once per content. */
public interface CodeStore {
    /**
     * Sends {@code tree} unless the target has it. When this returns, all files are there and their checksums agree; a
     * transfer that was interrupted at any moment leaves no directory that a job would start in.
     *
     * @param tree its version is a {@link io.jenkins.plugins.tao.job.CodeId}
     * @param key the job it is sent for: the same call for the same job continues a transfer
     */
    Delivery deliver(SourceTree tree, JobKey key) throws BackendException;

    /**
     * What was done.
     *
     * @param path where the code lies for jobs
     * @param sentBytes bytes of files that were sent; 0 when the target had it
     */
    record Delivery(String path, int files, long sentBytes) {}
}
