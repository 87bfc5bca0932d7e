package io.jenkins.plugins.tao.job;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a training resumes from, and which of its checkpoints stay while it runs.
 *
 * @param resume {@code auto}: a new attempt from the newest whole checkpoint of its job; {@code never}: each attempt anew; or an
 *     absolute path of a checkpoint, or of a directory of them, for the first attempt
 * @param last how many of the newest whole checkpoints stay; empty where none is removed
 * @param best the metric whose best checkpoint stays too
 */
public record Checkpoints(String resume, OptionalInt last, Optional<Best> best) {
    /** New attempts resume; no checkpoint is removed. */
    public static final Checkpoints USUAL = new Checkpoints("auto", OptionalInt.empty(), Optional.empty());

    /** No attempt resumes. */
    public static final String NEVER = "never";

    private static final String AUTO = "auto";
    private static final Pattern LAST = Pattern.compile("last (\\d{1,6})");
    private static final Pattern BEST = Pattern.compile("(highest|lowest) (\\S.*)");

    public Checkpoints {
        require(
                resume.equals(AUTO) || resume.equals(NEVER) || resume.matches("/\\P{Cntrl}*"),
                "resume must be auto, never, or the absolute path of a checkpoint or of a directory of them, was '%s'",
                resume);
        last.ifPresent(count -> require(count >= 1, "keepCheckpoints must keep at least the last one, was %d", count));
        require(best.isEmpty() || last.isPresent(), "a best checkpoint is kept beside the last ones");
    }

    /**
     * A metric of the validation.
     *
     * @param metric its name in {@code status.json}
     * @param highest whether more is better
     */
    public record Best(String metric, boolean highest) {
        public Best {
            require(
                    !metric.isBlank() && !metric.matches(".*[\"\\\\\\p{Cntrl}].*"),
                    "'%s' is not the name of a metric",
                    metric);
        }
    }

    /**
     * Reads both as people write them.
     *
     * @param resume empty for {@code auto}
     * @param keep {@code last 2}, {@code last 2, highest val_mAP50} or {@code last 1, lowest val_loss}; empty to keep all
     * @throws IllegalArgumentException if one is neither
     */
    public static Checkpoints parse(String resume, String keep) {
        String from = resume.isBlank() ? AUTO : resume.strip();
        OptionalInt last = OptionalInt.empty();
        Optional<Best> best = Optional.empty();
        for (String part : keep.isBlank() ? new String[0] : keep.strip().split("\\s*,\\s*", -1)) {
            Matcher count = LAST.matcher(part);
            Matcher metric = BEST.matcher(part);
            require(
                    count.matches() || metric.matches(),
                    "keepCheckpoints is like 'last 2' or 'last 2, highest val_mAP50' or 'last 1, lowest val_loss', was '%s'",
                    keep);
            require(!count.matches() || last.isEmpty(), "keepCheckpoints says 'last' twice in '%s'", keep);
            require(!metric.matches() || best.isEmpty(), "keepCheckpoints names two metrics in '%s'; keep one", keep);
            if (count.matches()) {
                last = OptionalInt.of(Integer.parseInt(count.group(1)));
            } else {
                best = Optional.of(new Best(metric.group(2), metric.group(1).equals("highest")));
            }
        }
        return new Checkpoints(from, best.isPresent() && last.isEmpty() ? OptionalInt.of(1) : last, best);
    }

    /** The checkpoint, or the directory of them, that the first attempt begins with; empty for none. */
    public Optional<String> from() {
        return resume.startsWith("/") ? Optional.of(resume) : Optional.empty();
    }
}
