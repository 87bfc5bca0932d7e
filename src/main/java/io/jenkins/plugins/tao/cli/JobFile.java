package io.jenkins.plugins.tao.cli;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.job.SpecFormat;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A job as its YAML file says it; each component is one key. See docs/cli.md.
 *
 * @param target the name of a configured target
 * @param name what a person calls the job; part of its id
 * @param image the container image; empty for a plain command
 * @param command the text given to {@code bash -c} on each node
 * @param code the directory whose files the command starts in
 * @param nodes machines
 * @param gpus GPUs on each of them
 * @param cpus processor cores on each of them
 * @param time the time after which the job is ended
 * @param startWithin how long it may wait for machines
 * @param env environment variables
 * @param secrets where the values of secret environment variables are
 * @param inputs paths or URIs that must be visible from the machines
 * @param outputs paths in the container that the target takes away, each with its destination or without
 * @param spec the TAO experiment spec
 * @param specFile a file with the spec, in YAML or JSON, in place of {@code spec}
 * @param set values of the spec by their paths, as in {@code train.optim.lr}; they replace those of {@code spec} or {@code specFile}
 * @param args options of the command: a name with a value, a list, or true for a flag
 * @param specFormat what the command reads it as
 * @param resultsDir where the job writes
 * @param options what only the target's backend understands
 * @param archive files below the results directory to bring home
 * @param gates what a run that succeeded is judged by
 */
record JobFile(
        Optional<String> target,
        Optional<String> name,
        Optional<String> image,
        String command,
        Optional<String> code,
        OptionalInt nodes,
        OptionalInt gpus,
        OptionalInt cpus,
        Optional<Duration> time,
        Optional<Duration> startWithin,
        Map<String, String> env,
        Map<String, SecretRef> secrets,
        List<String> inputs,
        List<String> outputs,
        Map<String, Object> spec,
        Optional<String> specFile,
        Map<String, Object> set,
        Map<String, Object> args,
        Optional<SpecFormat> specFormat,
        Optional<String> resultsDir,
        Optional<Value.Keyed> options,
        List<String> archive,
        List<Value.Keyed> gates) {

    JobFile {
        require(
                args.isEmpty() || spec.isEmpty(),
                "the job has options of its command in 'args' and a spec; its command reads one of them");
        var unused = ArtifactPlan.of(archive); // refused before anything is sent, not when the job has ended
    }
}
