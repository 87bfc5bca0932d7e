package io.jenkins.plugins.tao.backend;

import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.text.Sentences;
import java.util.ArrayList;
import java.util.List;

/** What preflight found, one entry a check, in the order they were made. */
public record Report(List<Check> checks) {
    private static final String SPEC = "{config_path}";

    public Report {
        checks = List.copyOf(checks);
    }

    /** Whether any check failed; then nothing may be submitted. */
    public boolean failed() {
        return checks.stream().anyMatch(check -> check.verdict() == Verdict.FAILED);
    }

    /** The same with a warning where the command of {@code job} reads nothing of its spec: all values of it then go unused. */
    public Report withSpecOf(JobSpec job) {
        String command = job.hooks().around(job.command());
        if (failed() || job.spec().isEmpty() || command.contains(SPEC)) {
            return this;
        }
        return with(List.of(Check.warning(
                "spec",
                "the command does not name " + SPEC + ", so no value of the spec is used",
                "Write " + SPEC + ", spelled so, where the command takes the file of its spec.")));
    }

    /** The same with {@code more} checks behind them. */
    public Report with(List<Check> more) {
        List<Check> all = new ArrayList<>(checks);
        all.addAll(more);
        return new Report(all);
    }

    /** How a check went. */
    public enum Verdict {
        PASSED,
        /** Worth telling, no reason to stop. */
        WARNING,
        FAILED,
        /** Could not be made because an earlier one failed. */
        SKIPPED
    }

    /**
     * One check.
     *
     * @param name a few words: {@code login host answers}
     * @param detail what was found
     * @param remedy what to do; empty when it passed
     */
    public record Check(String name, Verdict verdict, String detail, String remedy) {
        public Check {
            detail = Sentences.clean(detail);
            remedy = Sentences.clean(remedy);
        }

        /** A check that passed. */
        public static Check passed(String name, String detail) {
            return new Check(name, Verdict.PASSED, detail, "");
        }

        /** A check that only warns. */
        public static Check warning(String name, String detail, String remedy) {
            return new Check(name, Verdict.WARNING, detail, remedy);
        }

        /** A check that failed. */
        public static Check failed(String name, String detail, String remedy) {
            return new Check(name, Verdict.FAILED, detail, remedy);
        }

        /** A check that could not be made. */
        public static Check skipped(String name, String detail) {
            return new Check(name, Verdict.SKIPPED, detail, "");
        }
    }
}
