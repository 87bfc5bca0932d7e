package io.jenkins.plugins.tao.record;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a run left that a record is made of.
 *
 * @param job what {@code job.json} says; empty when there is none
 * @param origin what {@code origin.json} says; empty when there is none
 * @param events the lines of {@code events.jsonl}
 * @param statuses the lines of each {@code status.json} by the folder it lies in, empty for the uppermost
 * @param checkpoints the sizes in bytes of checkpoints that came home, by path
 * @param statusLinesLeftOut how many lines of {@code statuses} were too many to be read, the oldest ones
 * @param firstError the first error of its logs, after a failure
 */
public record RunFiles(
        String job,
        String origin,
        List<String> events,
        Map<String, List<String>> statuses,
        Map<String, Long> checkpoints,
        long statusLinesLeftOut,
        Optional<FirstError> firstError) {}
