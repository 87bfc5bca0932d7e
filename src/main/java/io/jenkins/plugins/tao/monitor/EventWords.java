package io.jenkins.plugins.tao.monitor;

import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Progress;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Events in words for people, the same behind every door; pure. */
public final class EventWords {
    private EventWords() {}

    /** {@code PENDING -> RUNNING after 3m12s, on gpu-07}. */
    public static String changed(JobEvent.StatusChanged changed) {
        JobStatus now = changed.now();
        String word = word(now);
        StringBuilder line = new StringBuilder();
        if (changed.before().isEmpty() || changed.before().equals(word)) {
            line.append(word);
        } else {
            line.append(changed.before())
                    .append(" -> ")
                    .append(word)
                    .append(" after ")
                    .append(Durations.words(changed.inState()));
        }
        if (!now.nodes().isEmpty() && now.state() != JobState.ENDED) {
            line.append(", on ").append(String.join(",", now.nodes()));
        }
        now.reason().ifPresent(reason -> line.append(" (").append(reason).append(')'));
        return line.toString();
    }

    /** {@code no response since 2026-11-21T14:02:00Z, still watching: …}. */
    public static String unreachable(JobEvent.Unreachable silent) {
        return "no response since " + silent.since() + ", still watching: " + silent.what() + " " + silent.remedy();
    }

    /** {@code answers again after 12m3s}. */
    public static String reachable(JobEvent.Reachable back) {
        return "answers again after " + Durations.words(back.silence());
    }

    /** {@code not cancelled: …}. */
    public static String refused(JobEvent.CancelRefused refused) {
        return "not cancelled: " + refused.what() + " " + refused.remedy();
    }

    /** {@code on NVIDIA H100 80GB HBM3, driver 535.104.05, CUDA 12.2}; empty where the kind of GPU is not known. */
    public static String machine(JobEvent.Machine machine) {
        Map<String, String> facts = machine.facts();
        String kind = facts.getOrDefault("gpuType", "");
        if (kind.isEmpty()) {
            return "";
        }
        String driver = facts.containsKey("driver") ? ", driver " + facts.get("driver") : "";
        return "on " + kind + driver + (facts.containsKey("cuda") ? ", CUDA " + facts.get("cuda") : "");
    }

    /** {@code attempt 1 ended: …; attempt 2 is dgx/4712 and is asked to avoid gpu02, gpu01}. */
    public static String attempt(JobEvent.AttemptStarted next) {
        return "attempt " + next.ended().number() + " ended: "
                + next.ended().detail().replaceFirst("\\.$", "") + "; attempt "
                + next.next().attempt() + " is " + next.next().shortName()
                + (next.avoided().isEmpty() ? "" : " and is asked to avoid " + String.join(", ", next.avoided()));
    }

    /** The backend's own word for the state, or ours where it has none. */
    public static String word(JobStatus status) {
        return status.nativeState().isEmpty() ? status.state().name() : status.nativeState();
    }

    /** {@code epoch 7/50, loss 0.1234, eta 1h20m}, counted from 1; empty when nothing is known. */
    public static String progress(Progress progress) {
        StringJoiner words = new StringJoiner(", ");
        counted("epoch", progress.epoch(), progress.lastEpoch())
                .or(() -> counted("step", progress.step(), progress.maxStep()))
                .ifPresent(words::add);
        leadingKpi(progress).ifPresent(words::add);
        progress.eta().ifPresent(eta -> words.add("eta " + Durations.words(eta)));
        return words.toString();
    }

    private static Optional<String> counted(String unit, OptionalDouble at, OptionalDouble last) {
        if (at.isEmpty()) {
            return Optional.empty();
        }
        long current = (long) Math.floor(at.getAsDouble()) + 1;
        if (last.isEmpty()) {
            return Optional.of(unit + " " + current);
        }
        long of = (long) Math.floor(last.getAsDouble()) + 1;
        return Optional.of(unit + " " + Math.min(current, of) + "/" + of);
    }

    private static Optional<String> leadingKpi(Progress progress) {
        Optional<String> name = progress.kpis().keySet().stream()
                .filter(key -> key.toLowerCase(Locale.ROOT).contains("loss"))
                .findFirst()
                .or(() -> progress.kpis().keySet().stream().findFirst());
        return name.map(key -> key + " " + number(progress.kpis().get(key)));
    }

    private static String number(@Nullable Double value) {
        return value == null ? "" : String.format(Locale.ROOT, "%.4g", value);
    }
}
