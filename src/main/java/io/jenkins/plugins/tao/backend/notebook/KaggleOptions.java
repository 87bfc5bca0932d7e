package io.jenkins.plugins.tao.backend.notebook;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.JobOptions;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What only Kaggle understands of a job. What is empty is left to the target.
 *
 * @param accelerator what a job with GPUs runs on, as in {@code NvidiaTeslaP100}
 * @param internet whether the notebook reaches the internet
 * @param git an https address that git clones; the command starts in it
 * @param revision which tag, branch or commit of it; empty for its default branch
 * @param codeDataset a data set {@code owner/name} with the code instead; the command starts in it
 * @param datasets further data sets, {@code owner/name}
 * @param competitions competitions whose data is mounted
 * @param kernels notebooks whose output is mounted, {@code owner/name}
 * @param models models, {@code owner/model/framework/variation[/version]}
 * @param resumeFrom a notebook {@code owner/name} of an earlier job, whose results this one begins with
 * @param secretsDataset a private data set whose files become variables of the same names
 * @param sessions how many sessions, one after another, a training may take; empty for 1
 * @param onCancel what cancelling does; empty for {@code LEAVE}
 * @param dockerImage one of Kaggle's own images, by digest; never TAO's
 */
public record KaggleOptions(
        Optional<String> accelerator,
        Optional<Boolean> internet,
        Optional<String> git,
        Optional<String> revision,
        Optional<String> codeDataset,
        List<String> datasets,
        List<String> competitions,
        List<String> kernels,
        List<String> models,
        Optional<String> resumeFrom,
        Optional<String> secretsDataset,
        OptionalInt sessions,
        Optional<OnCancel> onCancel,
        Optional<String> dockerImage)
        implements JobOptions {

    /** What cancelling a job does, for Kaggle has no call that just ends a run. */
    public enum OnCancel {
        /** The notebook goes on until its session ends; it is no longer watched. */
        LEAVE,
        /** The notebook is deleted, which ends its run at once, and with it all its versions and output. */
        DELETE
    }

    private static final int MOST_SESSIONS = 100;

    public KaggleOptions {
        accelerator.ifPresent(KaggleWords::accelerator);
        git.ifPresent(KaggleWords::git);
        revision.ifPresent(KaggleWords::revision);
        require(revision.isEmpty() || git.isPresent(), "revision needs git");
        require(git.isEmpty() || codeDataset.isEmpty(), "give either git or codeDataset");
        codeDataset.ifPresent(text -> KaggleWords.reference("codeDataset", text));
        resumeFrom.ifPresent(text -> KaggleWords.reference("resumeFrom", text));
        secretsDataset.ifPresent(text -> KaggleWords.reference("secretsDataset", text));
        datasets = List.copyOf(datasets);
        KaggleWords.references("datasets", datasets);
        competitions = List.copyOf(competitions);
        KaggleWords.competitions(competitions);
        kernels = List.copyOf(kernels);
        KaggleWords.references("kernels", kernels);
        models = List.copyOf(models);
        KaggleWords.models(models);
        sessions.ifPresent(count -> require(
                count >= 1 && count <= MOST_SESSIONS, "sessions must be 1 to %d, was %d", MOST_SESSIONS, count));
        require(
                internet.orElse(true) || git.isEmpty(),
                "git needs internet; mount the code as codeDataset where it must stay off");
    }

    /** Everything left to the target. */
    public static KaggleOptions defaults() {
        return new Builder().build();
    }

    /** A builder with everything left open. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link KaggleOptions} step by step; the checks are made by {@link #build}. */
    public static final class Builder {
        private Optional<String> accelerator = Optional.empty();
        private Optional<Boolean> internet = Optional.empty();
        private Optional<String> git = Optional.empty();
        private Optional<String> revision = Optional.empty();
        private Optional<String> codeDataset = Optional.empty();
        private List<String> datasets = List.of();
        private List<String> competitions = List.of();
        private List<String> kernels = List.of();
        private List<String> models = List.of();
        private Optional<String> resumeFrom = Optional.empty();
        private Optional<String> secretsDataset = Optional.empty();
        private OptionalInt sessions = OptionalInt.empty();
        private Optional<OnCancel> onCancel = Optional.empty();
        private Optional<String> dockerImage = Optional.empty();

        private Builder() {}

        /** See {@link KaggleOptions#accelerator}. */
        public Builder accelerator(String value) {
            accelerator = Optional.of(value);
            return this;
        }

        /** See {@link KaggleOptions#internet}. */
        public Builder internet(boolean value) {
            internet = Optional.of(value);
            return this;
        }

        /** See {@link KaggleOptions#git}. */
        public Builder git(String value) {
            git = Optional.of(value);
            return this;
        }

        /** See {@link KaggleOptions#revision}. */
        public Builder revision(String value) {
            revision = Optional.of(value);
            return this;
        }

        /** See {@link KaggleOptions#codeDataset}. */
        public Builder codeDataset(String value) {
            codeDataset = Optional.of(value);
            return this;
        }

        /** See {@link KaggleOptions#datasets}. */
        public Builder datasets(List<String> value) {
            datasets = value;
            return this;
        }

        /** See {@link KaggleOptions#competitions}. */
        public Builder competitions(List<String> value) {
            competitions = value;
            return this;
        }

        /** See {@link KaggleOptions#kernels}. */
        public Builder kernels(List<String> value) {
            kernels = value;
            return this;
        }

        /** See {@link KaggleOptions#models}. */
        public Builder models(List<String> value) {
            models = value;
            return this;
        }

        /** See {@link KaggleOptions#resumeFrom}. */
        public Builder resumeFrom(String value) {
            resumeFrom = Optional.of(value);
            return this;
        }

        /** See {@link KaggleOptions#secretsDataset}. */
        public Builder secretsDataset(String value) {
            secretsDataset = Optional.of(value);
            return this;
        }

        /** See {@link KaggleOptions#sessions}. */
        public Builder sessions(int value) {
            sessions = OptionalInt.of(value);
            return this;
        }

        /** See {@link KaggleOptions#onCancel}. */
        public Builder onCancel(OnCancel value) {
            onCancel = Optional.of(value);
            return this;
        }

        /** See {@link KaggleOptions#dockerImage}. */
        public Builder dockerImage(String value) {
            dockerImage = Optional.of(value);
            return this;
        }

        /** Checks everything and makes the options. */
        public KaggleOptions build() {
            return new KaggleOptions(
                    accelerator,
                    internet,
                    git,
                    revision,
                    codeDataset,
                    datasets,
                    competitions,
                    kernels,
                    models,
                    resumeFrom,
                    secretsDataset,
                    sessions,
                    onCancel,
                    dockerImage);
        }
    }
}
