package io.jenkins.plugins.tao.backend.notebook;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.JobOptions;
import io.jenkins.plugins.tao.job.text.Option;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What only Kaggle understands of a job. What is empty is left to the target.
 *
 * @param accelerator what a job with GPUs runs on, as in {@code NvidiaTeslaP100}
 * @param internet whether the notebook reaches the internet
 * @param git an https address that git clones; the command starts in it
 * @param revision which tag, branch or commit of it
 * @param codeDataset a data set {@code owner/name} with the code instead; the command starts in it
 * @param datasets further data sets, {@code owner/name}
 * @param competitions competitions whose data is mounted
 * @param kernels notebooks whose output is mounted, {@code owner/name}
 * @param models models, {@code owner/model/framework/variation[/version]}
 * @param resumeFrom a notebook {@code owner/name} of an earlier job, whose results this one begins with
 * @param secretsDataset a private data set whose files become variables of the same names
 * @param sessions how many sessions, one after another, a training may take
 * @param onCancel what cancelling does
 * @param dockerImage one of Kaggle's own images, by digest; never TAO's
 */
public record KaggleOptions(
        @Option(defaultsTo = "the target's") Optional<String> accelerator,
        @Option(defaultsTo = "the target's") Optional<Boolean> internet,
        Optional<String> git,
        @Option(defaultsTo = "its default branch") Optional<String> revision,
        Optional<String> codeDataset,
        List<String> datasets,
        List<String> competitions,
        List<String> kernels,
        List<String> models,
        Optional<String> resumeFrom,
        Optional<String> secretsDataset,
        @Option(defaultsTo = "1") OptionalInt sessions,
        @Option(defaultsTo = "`leave`") Optional<OnCancel> onCancel,
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
}
