package io.jenkins.plugins.tao.status;

import io.jenkins.plugins.tao.job.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * Follows one {@code status.json}: takes its bytes as they come, split anywhere, and tells how far the training is. A
 * damaged line passes by; no input makes it throw. For one thread at a time.
 *
 * <p>The last line wins, with two exceptions. A {@code FAILURE} stays until the next {@code STARTED}, which begins afresh because a
 * resumed run appends to the same file, or until a line shows that the run goes on: TAO 7 writes each ERROR record of its loggers as a
 * {@code FAILURE} line. One of TAO's own failures, such as a "Configuration error", ends the run and stays. A {@code SKIPPED} line is
 * a remark and changes nothing. The form is the one that TAO's status logger writes, read in its releases 5.2, 6.25.10 and 7.0.1.
 */
public final class StatusReader {
    private static final Pattern WORK_DONE = Pattern.compile("(?i)\\b(finished|completed) successfully\\b");
    /** The prefixes of what TAO's {@code monitor_status} writes when a run ends by an exception, read in 6.25.10 and 7.0.1. */
    private static final Pattern OWN_FAILURE = Pattern.compile(
            "^(Configuration error|Feature not implemented|Parameter validation error|File system error|Schema validation error)");

    private static final Pattern GOES_ON = Pattern.compile("(?i)metrics (generated|skipped)\\.?$");
    private static final Pattern TRAINED = Pattern.compile("(?i)^train finished successfully");
    private static final String RESUMED = "Resuming training from checkpoint";
    private static final String LOOP = "Starting Training Loop";
    private static final String FAILURE = "FAILURE";
    private static final String STARTED = "STARTED";
    /** Of one piece of the file. */
    private static final int MOST_MEASURED = 50_000;

    private final LineBuffer lines = new LineBuffer();
    private Progress progress = Progress.NONE;
    private boolean workDone;
    private boolean trained;
    private boolean resumed;
    private boolean advanced;
    private Map<String, Double> repeated = Map.of();
    private List<MetricPoint> measured = new ArrayList<>();
    private List<String> whole = List.of();

    /**
     * Takes the bytes that follow the ones given before.
     *
     * @return the newest progress if these bytes changed anything
     */
    public Optional<Progress> feed(byte[] bytes) {
        Progress before = progress;
        measured = new ArrayList<>();
        whole = lines.add(bytes);
        whole.forEach(this::read);
        lines.pending().filter(line -> line.endsWith("}")).ifPresent(this::read);
        return progress.equals(before) ? Optional.empty() : Optional.of(progress);
    }

    /**
     * The metrics of the last bytes in their order, each with the epoch that was told last: of a validation that TAO reports before the line of
     * its epoch that is the epoch before. What a line only repeats is not among them.
     */
    public List<MetricPoint> measured() {
        return List.copyOf(measured);
    }

    /** The lines that the last bytes completed. */
    public List<String> lines() {
        return List.copyOf(whole);
    }

    /** Forgets everything: the next bytes are the start of another file. */
    public void restart() {
        lines.clear();
        begin(false);
    }

    /** What the lines so far tell. */
    public Progress progress() {
        return progress;
    }

    /**
     * Whether this run has said in words that its work is done. TAO's tasks end with {@code RUNNING} "Train finished
     * successfully.", and a remark about an upload may follow it.
     */
    public boolean saysWorkDone() {
        return workDone;
    }

    /**
     * Whether this run took up a checkpoint, says that its training has finished, and told of no epoch and no metric: the training
     * before it in this results directory was complete.
     */
    public boolean trainedNothing() {
        return resumed && trained && !advanced;
    }

    private void read(String line) {
        StatusLine.parse(line).forEach(this::take);
    }

    private void take(StatusLine line) {
        if (line.status().equals(STARTED)) {
            begin(line.message().startsWith(LOOP));
        }
        String word = word(line.status());
        boolean goesOn = !word.equals(FAILURE) && goesOn(line);
        boolean counts = !line.isRemark()
                && (word.equals(FAILURE)
                        ? !workDone
                        : goesOn || !progress.status().equals(FAILURE));
        progress = new Progress(
                counts ? word : progress.status(),
                counts ? line.message() : progress.message(),
                newer(line.epoch(), progress.epoch()),
                newer(line.maxEpoch(), progress.maxEpoch()),
                line.fractions() || progress.fractions(),
                newer(line.step(), progress.step()),
                newer(line.maxStep(), progress.maxStep()),
                line.eta().or(progress::eta),
                line.metricsOver(progress.kpis()));
        measure(line);
        workDone |= counts && WORK_DONE.matcher(line.message()).find();
        trained |= counts && TRAINED.matcher(line.message()).find();
        resumed |= line.message().startsWith(RESUMED);
        advanced |= tellsOfTraining(line);
    }

    private void measure(StatusLine line) {
        Map<String, Double> told = line.metrics();
        boolean fresh = line.message().isBlank() // no logger of TAO: each line is a value of its own, as in a record
                || !told.equals(repeated)
                || GOES_ON.matcher(line.message()).find();
        if (fresh && measured.size() < MOST_MEASURED) {
            told.forEach((name, value) -> measured.add(new MetricPoint(name, progress.epoch(), line.step(), value)));
        }
        repeated = told.isEmpty() ? repeated : told;
    }

    /** Whether a line after a {@code FAILURE} shows that this was a log record and not the end. */
    private boolean goesOn(StatusLine line) {
        boolean own = progress.status().equals(FAILURE)
                && OWN_FAILURE.matcher(progress.message()).find();
        return !own
                && (tellsOfTraining(line) || WORK_DONE.matcher(line.message()).find());
    }

    private static boolean tellsOfTraining(StatusLine line) {
        return line.epoch().isPresent()
                || line.step().isPresent()
                || GOES_ON.matcher(line.message()).find();
    }

    /** The start of the training loop is a step of a run that has begun before. */
    private void begin(boolean ofLoop) {
        progress = Progress.NONE;
        workDone = false;
        trained = false;
        advanced = false;
        resumed &= ofLoop;
    }

    private static String word(String status) {
        String word = status.toUpperCase(Locale.ROOT);
        return switch (word) {
            case STARTED, "SUCCESS", FAILURE -> word;
            default -> "RUNNING";
        };
    }

    private static OptionalDouble newer(OptionalDouble now, OptionalDouble before) {
        return now.isPresent() ? now : before;
    }
}
