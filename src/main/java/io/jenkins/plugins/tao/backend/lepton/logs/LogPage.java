package io.jenkins.plugins.tao.backend.lepton.logs;

import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.lepton.view.LogCursor;
import io.jenkins.plugins.tao.backend.lepton.view.LogLine;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.payload.PayloadLog;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * Lines of a log as one stream of bytes: the command's output, its status lines, or what its nodes tell of their GPUs. Each worker's own lines are taken
 * apart by themselves, then put together by time; those of workers but the first say whose they are.
 */
final class LogPage {
    private final PayloadLog marks;
    private final String mark;
    private final Stream wanted;
    private final boolean full;
    private final List<LogLine> shown = new ArrayList<>();
    private final Map<Integer, LogCursor.Mark> reached = new TreeMap<>();

    private LogPage(JobKey key, Stream wanted, boolean full) {
        this.marks = PayloadLog.ofLines(key);
        this.mark = mark(key);
        this.wanted = wanted;
        this.full = full;
    }

    static String mark(JobKey key) {
        return "@tao[" + key + "] ";
    }

    /** What is new in {@code lines}, in their order, behind {@code cursor}. */
    static LogPage of(JobKey key, Stream wanted, List<LogLine> lines, LogCursor cursor) {
        LogPage page = new LogPage(key, wanted, lines.size() >= LeptonLog.PAGE);
        Map<Integer, List<LogLine>> byWorker = new TreeMap<>();
        lines.forEach(line -> byWorker.computeIfAbsent(line.worker(), any -> new ArrayList<>())
                .add(line));
        byWorker.values().forEach(own -> page.take(own, cursor));
        return page;
    }

    /** The new bytes. */
    byte[] bytes() {
        StringBuilder text = new StringBuilder();
        shown.stream().sorted(Comparator.comparingLong(LogLine::at)).forEach(line -> {
            if (line.worker() > 0) {
                text.append("[worker ").append(line.worker()).append("] ");
            }
            text.append(line.text()).append('\n');
        });
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** How far each worker's lines are done. */
    Map<Integer, LogCursor.Mark> reached() {
        return reached;
    }

    /** Whether the store may have more behind it. */
    boolean isFull() {
        return full;
    }

    private void take(List<LogLine> own, LogCursor cursor) {
        int last = own.size() - 1;
        while (last >= 0 && own.get(last).text().isEmpty()) {
            last--; // an empty line may belong to a mark that is still to come
        }
        Map<Long, Integer> counts = new HashMap<>();
        for (int i = 0; i <= last; i++) {
            LogLine line = own.get(i);
            int nth = counts.merge(line.at(), 1, Integer::sum);
            if (!cursor.done(line, nth)) {
                reached.put(line.worker(), new LogCursor.Mark(line.at(), nth));
                boolean frame = line.text().isEmpty() && own.get(i + 1).text().startsWith(mark);
                if (!frame) {
                    show(line);
                }
            }
        }
    }

    private void show(LogLine line) {
        if (!line.text().startsWith(mark)) {
            if (wanted == Stream.OUT) {
                shown.add(line);
            }
            return;
        }
        if (wanted == Stream.STATUS && line.worker() == 0) {
            show(line, split(line).status());
        } else if (wanted == Stream.MACHINE) {
            show(line, split(line).machine());
        }
    }

    private void show(LogLine line, byte[] words) {
        if (words.length > 0) {
            String text = new String(words, StandardCharsets.UTF_8);
            shown.add(new LogLine(line.at(), line.worker(), text.substring(0, text.length() - 1)));
        }
    }

    private PayloadLog.Piece split(LogLine line) {
        return marks.split((line.text() + "\n").getBytes(StandardCharsets.UTF_8), true);
    }

    /** The exit code of a job of {@code workers}: the first that is not 0, or 0 when all have told theirs. */
    static OptionalInt exitCode(JobKey key, List<LogLine> lines, int workers) {
        LogPage page = new LogPage(key, Stream.STATUS, false);
        Map<Integer, Integer> codes = new TreeMap<>();
        lines.stream()
                .filter(line -> line.text().startsWith(page.mark))
                .forEach(line -> page.split(line).exitCode().ifPresent(code -> codes.put(line.worker(), code)));
        OptionalInt bad = codes.values().stream()
                .mapToInt(Integer::intValue)
                .filter(code -> code != 0)
                .findFirst();
        return bad.isPresent() || codes.size() < workers ? bad : OptionalInt.of(0);
    }
}
