package io.jenkins.plugins.tao.job;

import io.jenkins.plugins.tao.job.text.Fingerprint;

/**
 * What a job runs, as a fingerprint that a backend keeps with the job: a second submission with the same id is the same job,
 * sent again, only if it has the same one. Secrets are not in it, nor what only tells how it is placed.
 */
public final class Work {
    private static final int DIGITS = 16;

    private Work() {}

    /** The fingerprint of command, image, machines, variables, experiment spec and code: 16 hexadecimal digits. */
    public static String of(JobSpec job) {
        Resources machines = job.resources();
        return Fingerprint.of(
                String.join(
                        "\n",
                        job.hooks().around(job.command()),
                        job.image().orElse(""),
                        machines.nodes() + "x" + machines.gpusPerNode(),
                        job.env().toString(),
                        job.spec().toString()
                                + job.code().map(id -> "\n" + id).orElse("")
                                + job.gitCode()
                                        .map(code -> "\n" + code.url() + " " + code.commit())
                                        .orElse("")),
                DIGITS);
    }

    /** The fingerprint of the experiment spec alone. */
    public static String ofSpec(JobSpec job) {
        return Fingerprint.of(job.spec().toString(), DIGITS);
    }
}
