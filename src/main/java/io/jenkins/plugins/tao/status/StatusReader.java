package io.jenkins.plugins.tao.status;

import io.jenkins.plugins.tao.job.Progress;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * Follows one {@code status.json}: takes its bytes as they come, split anywhere, and tells how far the training is. A
 * damaged line passes by; no input makes it throw. For one thread at a time.
 *
 * <p>The last line wins, with two exceptions: a {@code FAILURE} stays until the next {@code STARTED}, which begins
 * afresh because a resumed run appends to the same file; a {@code SKIPPED} line is a remark and changes nothing.
 * The form is the one that TAO's status logger writes, read in its release 6.25.10.
 */
public final class StatusReader {
    private static final Pattern WORK_DONE = Pattern.compile("(?i)\\b(finished|completed) successfully\\b");
    private static final String FAILURE = "FAILURE";
    private static final String STARTED = "STARTED";

    private final LineBuffer lines = new LineBuffer();
    private Progress progress = Progress.NONE;
    private boolean workDone;

    /**
     * Takes the bytes that follow the ones given before.
     *
     * @return the newest progress if these bytes changed anything
     */
    public Optional<Progress> feed(byte[] bytes) {
        Progress before = progress;
        lines.add(bytes).forEach(this::read);
        lines.pending().filter(line -> line.endsWith("}")).ifPresent(this::read);
        return progress.equals(before) ? Optional.empty() : Optional.of(progress);
    }

    /** Forgets everything: the next bytes are the start of another file. */
    public void restart() {
        lines.clear();
        begin();
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

    private void read(String line) {
        StatusLine.parse(line).forEach(this::take);
    }

    private void take(StatusLine line) {
        if (line.status().equals(STARTED)) {
            begin();
        }
        String word = word(line.status());
        boolean counts =
                !line.isRemark() && (word.equals(FAILURE) || !progress.status().equals(FAILURE));
        progress = new Progress(
                counts ? word : progress.status(),
                counts ? line.message() : progress.message(),
                newer(line.epoch(), progress.epoch()),
                newer(line.maxEpoch(), progress.maxEpoch()),
                newer(line.step(), progress.step()),
                newer(line.maxStep(), progress.maxStep()),
                line.eta().or(progress::eta),
                line.metricsOver(progress.kpis()));
        workDone |= counts && WORK_DONE.matcher(line.message()).find();
    }

    private void begin() {
        progress = Progress.NONE;
        workDone = false;
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
