package io.jenkins.plugins.tao.file;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.job.RetryBudget;
import io.jenkins.plugins.tao.job.SpecFormat;
import io.jenkins.plugins.tao.job.text.Option;
import io.jenkins.plugins.tao.monitor.EarlyEnd;
import io.jenkins.plugins.tao.placing.Order;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A job as its YAML file says it; each component is one key. See docs/guides/job-file.md.
 *
 * @param target the name of a configured target
 * @param targets the names of several targets: the next one is tried when the job does not start in time on the one before, or is refused
 * @param targetOrder which of them is tried first
 * @param after the job that must succeed first: its id, its token, or the folder of its run
 * @param name the name of the job; part of its id
 * @param image the container image
 * @param command the text given to {@code bash -c} on each node
 * @param pre runs on each node before the command, which is not started unless it ends with 0
 * @param post runs on each node after the command, for every outcome; a failure is logged and does not change the outcome
 * @param code the directory whose files the command starts in; or {@code git}, {@code commit} and {@code credential} of a commit
 *     that the job fetches itself
 * @param nodes machines
 * @param gpus GPUs on each of them
 * @param cpus processor cores on each of them
 * @param time the time after which the job is ended
 * @param startWithin how long it may wait for machines
 * @param retryBudget what failed attempts may use together; then no new one is started: {@code 20 GPU-hours} or {@code 6h}
 * @param env environment variables
 * @param secrets where the values of secret environment variables are
 * @param inputs paths or URIs that must be visible from the machines
 * @param outputs paths in the container that the target takes away, each with its destination or without
 * @param spec the TAO experiment spec
 * @param specFile a file with the spec, in YAML or JSON, in place of {@code spec}
 * @param set values of the spec by their paths, as in {@code train.optim.lr}; they replace those of {@code spec} or {@code specFile}
 * @param args options of the command: a name with a value, a list, or true for a flag
 * @param specFormat the format that the command reads
 * @param resultsDir where the job writes
 * @param resume what the training resumes from: {@code auto}, {@code never}, or a path
 * @param keepCheckpoints which checkpoints are kept while it runs, as in {@code last 2, highest val_mAP50}
 * @param options what only the target's backend understands
 * @param archive files below the results directory to fetch
 * @param endEarly when its metrics end it, as in {@code NaN of val_loss in 3 values} or {@code val_mAP50 below 0.1 after 10 epochs};
 *     {@code NaN} alone means the metrics of its gates
 * @param gates what a run that succeeded is judged by
 */
public record JobFile(
        Optional<String> target,
        List<String> targets,
        @Option(defaultsTo = "`given`") Optional<Order> targetOrder,
        Optional<String> after,
        Optional<String> name,
        @Option(defaultsTo = "a plain command") Optional<String> image,
        String command,
        Optional<String> pre,
        Optional<String> post,
        Optional<String> code,
        @Option(defaultsTo = "`1`") OptionalInt nodes,
        OptionalInt gpus,
        OptionalInt cpus,
        Optional<Duration> time,
        Optional<Duration> startWithin,
        Optional<String> retryBudget,
        Map<String, String> env,
        Map<String, SecretRef> secrets,
        List<String> inputs,
        List<String> outputs,
        Map<String, Object> spec,
        Optional<String> specFile,
        Map<String, Object> set,
        Map<String, Object> args,
        @Option(defaultsTo = "`yaml`") Optional<SpecFormat> specFormat,
        Optional<String> resultsDir,
        @Option(defaultsTo = "`auto`") Optional<String> resume,
        @Option(defaultsTo = "all") Optional<String> keepCheckpoints,
        Optional<Value.Keyed> options,
        List<String> archive,
        Optional<String> endEarly,
        List<Value.Keyed> gates) {

    public JobFile {
        require(
                args.isEmpty() || spec.isEmpty(),
                "the job has options of its command in 'args' and a spec; its command reads one of them");
        require(
                target.isEmpty() || targets.isEmpty(),
                "the job has a 'target' and 'targets'; keep one of them, 'targets' for several");
        retryBudget.ifPresent(RetryBudget::new);
        // refused before anything is sent, not when the job has ended
        var unused = List.of(ArtifactPlan.of(archive), earlyEnds(endEarly, gates));
    }

    /** When its metrics end it. */
    public List<EarlyEnd> earlyEnds() {
        return earlyEnds(endEarly, gates);
    }

    private static List<EarlyEnd> earlyEnds(Optional<String> written, List<Value.Keyed> gates) {
        Set<String> gated = new LinkedHashSet<>();
        for (Value.Keyed gate : gates) {
            if (gate.get("kpi").orElse(null) instanceof Value.Text kpi) {
                gated.add(kpi.text());
            }
        }
        return EarlyEnd.parse(written.orElse(""), gated);
    }
}
