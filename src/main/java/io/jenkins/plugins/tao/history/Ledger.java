package io.jenkins.plugins.tao.history;

import io.jenkins.plugins.tao.cost.Budgets;
import io.jenkins.plugins.tao.cost.Dimension;
import io.jenkins.plugins.tao.cost.QueueWaits;
import io.jenkins.plugins.tao.cost.Usage;
import io.jenkins.plugins.tao.record.AskedRun;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The runs of all jobs of one controller or one user, in brief: what they ask for once they are to be sent, what they used once they have
 * ended. A file for each month of submission; it outlives jobs, builds and folders of runs.
 */
public final class Ledger {
    /** Queues change: older waits say little of tonight's. */
    private static final Duration WAITS_COUNT = Duration.ofDays(28);

    private static final int KEPT_MONTHS = 2;
    private static final String PREFIX = "ledger-";
    private static final String SUFFIX = ".jsonl";
    private static final String LOCK = ".lock";

    private final Path folder;
    /** The newest months are asked for at each submission: of them the new lines alone are read. */
    private final Map<String, Month> kept = new HashMap<>();

    /** The ledger in {@code folder}, which is made with the first run. */
    public Ledger(Path folder) {
        this.folder = folder;
    }

    /**
     * Judges a run that is to be sent, and unless it is refused keeps what it asks for until it has ended: one act, so that submissions at
     * the same time see each other, those of other processes too.
     *
     * @return what the budgets say that hold for it
     */
    public List<Budgets.Answer> ask(AskedRun run, Budgets budgets) throws IOException {
        RunRecord asked = run.record(Usage.GOING);
        if (budgets.budgets().isEmpty()) {
            lines(asked).note(asked.brief().line()); // no budget counts it, and its end is added by a line of its own
            return List.of();
        }
        Files.createDirectories(folder);
        synchronized (Ledger.class) { // a lock of a file is held by the process, not by the thread
            try (FileChannel channel = FileChannel.open(
                            folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = channel.lock()) {
                return judge(lock, asked, run.at(), budgets);
            }
        }
    }

    private List<Budgets.Answer> judge(FileLock held, RunRecord asked, Instant at, Budgets budgets) throws IOException {
        if (!held.isValid()) {
            throw new IOException("the lock of " + folder + " was lost");
        }
        List<Budgets.Answer> answers = budgets.judge(asked, from(at).runs());
        if (answers.stream().noneMatch(answer -> answer.verdict() == Budgets.Verdict.REFUSED)) {
            add(asked);
        }
        return answers;
    }

    /** Tells that a run was not sent after all: nothing is kept for it any more. */
    public void release(AskedRun run) throws IOException {
        add(run.record(Usage.NOT_SENT));
    }

    /** Tells how a run ended; its former line counts no more. */
    public void add(RunRecord run) throws IOException {
        lines(run).add(run.brief().line());
    }

    private JsonLines lines(RunRecord run) {
        return lines(Dimension.month(run.submittedAt()));
    }

    /** The runs whose month of submission is that of {@code from} or a later one, the oldest first. */
    public RunHistory.Known since(Instant from) throws IOException {
        Month all = from(from);
        List<RunRecord> sorted = all.records.values().stream()
                .sorted(Comparator.comparing(RunRecord::submittedAt).thenComparing(RunRecord::id))
                .toList();
        return new RunHistory.Known(sorted, all.unreadable);
    }

    private synchronized Month from(Instant from) throws IOException {
        String first = Dimension.month(from);
        Month all = new Month();
        List<String> months = months();
        List<String> newest = months.subList(Math.max(0, months.size() - KEPT_MONTHS), months.size());
        kept.keySet().retainAll(newest);
        for (String month : months) {
            if (month.compareTo(first) >= 0) {
                boolean keep = newest.contains(month);
                all.take(read(month, keep ? kept.computeIfAbsent(month, name -> new Month()) : new Month()));
            }
        }
        return all;
    }

    private Month read(String name, Month month) throws IOException {
        JsonLines.Read read = lines(name).readFrom(month.next);
        month.next = read.next();
        for (String line : read.lines()) {
            try {
                month.put(RunRecord.parse(line));
            } catch (IllegalArgumentException e) {
                month.unreadable++;
            }
        }
        return month;
    }

    /** The runs of one file, as far as it was read. */
    private static final class Month {
        private final Map<String, RunRecord> records = new LinkedHashMap<>();
        private int unreadable;
        private long next;

        /** The newest line of a run counts, but a run that has ended goes on no more: clocks of two machines may differ by a month's end. */
        void put(RunRecord record) {
            RunRecord before = records.get(record.id());
            if (before == null || Usage.isOpen(before) || !Usage.isOpen(record)) {
                records.put(record.id(), record);
            }
        }

        List<RunRecord> runs() {
            return List.copyOf(records.values());
        }

        void take(Month other) {
            other.records.values().forEach(this::put);
            unreadable += other.unreadable;
        }
    }

    /** How long jobs like {@code run} waited that were submitted before it, from the month of four weeks before it on. */
    public QueueWaits waitsBefore(RunRecord run) throws IOException {
        return QueueWaits.before(run, from(run.submittedAt().minus(WAITS_COUNT)).runs());
    }

    private List<String> months() throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        List<String> months = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.startsWith(PREFIX) && name.endsWith(SUFFIX))
                    .map(name -> name.substring(PREFIX.length(), name.length() - SUFFIX.length()))
                    .sorted()
                    .forEach(months::add);
        }
        return months;
    }

    private JsonLines lines(String month) {
        return new JsonLines(folder.resolve(PREFIX + month + SUFFIX));
    }
}
