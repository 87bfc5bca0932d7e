package io.jenkins.plugins.tao.cli.output;

import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.monitor.JobEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** Where one job's story is told: plain lines, a live terminal, or JSON. Any thread may call. */
public interface JobOutput {
    /** What preflight found. */
    void checked(Report report);

    /** The target did not answer a submission. */
    void delayed(String what, Duration next);

    /** The job goes out now under this id; from here on it may run. Called again for each repetition. */
    void sending(JobKey key);

    /** The backend took the job. */
    void submitted(JobHandle handle, String image);

    /** Something was seen of the job. */
    void on(JobEvent event);

    /** What a person would look at after a failure: the card of the run, and without one what the target found. */
    void failed(Diagnosis diagnosis, String card);

    /** Files were brought home. */
    void archived(Path directory, DirectorySink files);

    /** Something to tell once. */
    void note(String text);

    /** Keeps a question in sight, below all that is printed, until {@link #answered}. */
    void asking(String question);

    /** The question of {@link #asking} has its answer. */
    void answered();

    /** Time has passed. */
    void tick(Instant now);

    /** Nothing more will be told. */
    void close();
}
