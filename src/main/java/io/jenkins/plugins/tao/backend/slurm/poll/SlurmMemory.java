package io.jenkins.plugins.tao.backend.slurm.poll;

import io.jenkins.plugins.tao.backend.slurm.reply.MemorySize;
import io.jenkins.plugins.tao.backend.slurm.reply.SlurmSections;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Watches how much memory running jobs hold of what they were given. One task runs on each node, so that the largest
 * task of a step is a node's; what nodes do not tell, as where accounting of processes is off, is left out.
 */
public final class SlurmMemory {
    private static final Pattern GRANTED = Pattern.compile("(\\d+) +(\\d+) +.*?\\bmem=(\\d+(?:\\.\\d+)?[KMGT]?).*");
    private static final Pattern HELD = Pattern.compile("(\\d+)\\.(\\w+)\\|(\\d+(?:\\.\\d+)?[KMGT]?)");
    private static final int[] LEVELS = {97, 90, 80};
    private static final double ADVICE = 1.2;

    private final Map<String, Look> looks = new HashMap<>();
    private Map<String, String> warnings = Map.of();

    /** What was seen of a job: how much it held and the highest level told so far. */
    private record Look(long held, int told) {}

    /** Takes the answer of {@code poll.sh}, which has their memory every few minutes. */
    public synchronized void take(SlurmSections answer) {
        warnings = answer.part("granted").isPresent()
                ? look(answer.linesOf("granted"), answer.linesOf("memory"))
                : Map.of();
    }

    /** Adds what a person should know of the job. */
    public synchronized JobStatus annotated(JobHandle job, JobStatus status) {
        return Optional.ofNullable(warnings.get(job.nativeId()))
                .map(status::withNotice)
                .orElse(status);
    }

    /**
     * Takes one look at several jobs.
     *
     * @param granted lines {@code ID NODES TRES} of {@code squeue}
     * @param held lines {@code ID.STEP|MAXRSS} of {@code sstat}
     * @return what to tell, by job id
     */
    Map<String, String> look(List<String> granted, List<String> held) {
        Map<String, Long> limits = limits(granted);
        Map<String, String> warnings = new HashMap<>();
        most(held).forEach((id, step) -> {
            Long limit = limits.get(id);
            if (limit != null && limit > 0) {
                warning(id, step, limit).ifPresent(text -> warnings.put(id, text));
            }
        });
        looks.keySet().retainAll(limits.keySet());
        return warnings;
    }

    private Optional<String> warning(String id, Step step, long limit) {
        Look before = looks.getOrDefault(id, new Look(step.held(), 0));
        int part = (int) (step.held() * 100 / limit);
        long grown = step.held() - before.held();
        int level = level(part);
        boolean tells = level > before.told() && (grown > 0 || level > LEVELS[LEVELS.length - 1]);
        looks.put(id, new Look(step.held(), tells ? level : before.told()));
        return tells ? Optional.of(words(id, step, limit, grown)) : Optional.empty();
    }

    private static int level(int part) {
        for (int level : LEVELS) {
            if (part >= level) {
                return level;
            }
        }
        return 0;
    }

    private static String words(String id, Step step, long limit, long grown) {
        String growth = grown > 0 ? ", " + grown + " MiB more than at the last look" : "";
        return String.format(
                Locale.ROOT,
                "job %s has held %d of the %d MiB of host memory it has on a node (%d %%)%s, in step %s: at the limit it is"
                        + " killed (OUT_OF_MEMORY). Memory that only grows is a leak most likely; else ask for mem: '%dM'.",
                id,
                step.held(),
                limit,
                step.held() * 100 / limit,
                growth,
                id + "." + step.name(),
                (long) Math.ceil(Math.max(step.held(), limit) * ADVICE));
    }

    /** Mebibytes of one node, by job. */
    private static Map<String, Long> limits(List<String> granted) {
        Map<String, Long> limits = new HashMap<>();
        for (String line : granted) {
            Matcher match = GRANTED.matcher(line.strip());
            if (match.matches()) {
                long nodes = Math.max(1, Long.parseLong(match.group(2)));
                limits.put(match.group(1), MemorySize.mebibytes(match.group(3)).orElse(0) / nodes);
            }
        }
        return limits;
    }

    private record Step(String name, long held) {}

    private static Map<String, Step> most(List<String> held) {
        Map<String, Step> most = new HashMap<>();
        for (String line : held) {
            Matcher match = HELD.matcher(line.strip());
            if (match.matches()) {
                Step step = new Step(
                        match.group(2), MemorySize.mebibytes(match.group(3)).orElse(0));
                most.merge(match.group(1), step, (one, other) -> one.held() >= other.held() ? one : other);
            }
        }
        return most;
    }
}
