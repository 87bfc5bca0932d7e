package io.jenkins.plugins.tao.backend.slurm.array;

import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.slurm.options.ArrayId;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmArray;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmLayout;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.remote.shell.TailScript;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes one stream of what the members of an array tell of their GPUs: whole lines, each with the index of its member before
 * it, and {@code [INDEX] end} once a member has ended. Of a member on several nodes the first one's words are taken. The
 * place in the stream names how far each member's file is read and which members are done.
 */
public final class ArraySamples {
    /** Files looked at in one read. Where more members run, those with the lowest indices come first. */
    static final int AT_ONCE = 100;

    private static final String HEAD = "members:";
    private static final Pattern READ = Pattern.compile("(\\d{1,7})=(\\d{1,18})");

    private final JobHandle job;
    private final ArrayId array;
    private final Position from;
    private final Map<Integer, JobStatus> known;
    private final Set<Integer> done = new TreeSet<>();
    private final Map<Integer, Long> read = new TreeMap<>();
    private final List<Integer> asked;
    private final boolean further;

    /** Where to read on from {@code from}, when the members stand as {@code known} says. */
    public ArraySamples(JobHandle job, ArrayId array, Position from, Map<Integer, JobStatus> known) {
        this.job = job;
        this.array = array;
        this.from = from;
        this.known = known;
        parse();
        List<Integer> begun = array.array().members().stream()
                .filter(index -> !done.contains(index) && hasBegun(index))
                .toList();
        asked = begun.subList(0, Math.min(begun.size(), AT_ONCE));
        further = begun.size() > asked.size();
    }

    private void parse() {
        if (!from.file().startsWith(HEAD)) {
            return;
        }
        String[] parts = from.file().substring(HEAD.length()).split(";", 2);
        if (!parts[0].isEmpty()) {
            done.addAll(SlurmArray.parse(parts[0]).members());
        }
        Matcher each = READ.matcher(parts.length > 1 ? parts[1] : "");
        while (each.find()) {
            read.put(Integer.parseInt(each.group(1)), Long.parseLong(each.group(2)));
        }
    }

    private boolean hasBegun(int index) {
        JobStatus status = known.get(index);
        return ArrayFollow.hasEnded(known, index)
                || (status != null && status.state() == JobState.RUNNING)
                || (known.isEmpty() && read.containsKey(index));
    }

    /** The files to read. */
    public List<TailScript.Request> requests() {
        SlurmLayout layout = SlurmLayout.of(job);
        List<TailScript.Request> requests = new ArrayList<>();
        for (int index : asked) {
            Position at = new Position("", read.getOrDefault(index, 0L));
            requests.add(new TailScript.Request(
                    layout.logRoot(), List.of(layout.logFile(array.member(job, index), "gpu")), at, 0));
        }
        return requests;
    }

    /** Joins the answers to {@link #requests}, in their order. */
    public Optional<Tail> join(List<Optional<Tail>> answers) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        boolean more = false;
        int before = done.size();
        for (int i = 0; i < answers.size(); i++) {
            int index = asked.get(i);
            boolean rest = answers.get(i).map(Tail::more).orElse(false);
            answers.get(i).ifPresent(tail -> take(index, tail, bytes));
            if (ArrayFollow.hasEnded(known, index) && !rest) {
                end(index, bytes);
            }
            more |= rest;
        }
        boolean freed = done.size() > before;
        if (bytes.size() == 0 && !freed) {
            return Optional.empty();
        }
        Position next = new Position(place(), from.byteOffset() + bytes.size());
        return Optional.of(new Tail(bytes.toByteArray(), next, false, more || (further && freed)));
    }

    /** Whole lines alone: the rest of a line comes with the next read. */
    private void take(int index, Tail tail, ByteArrayOutputStream into) {
        int end = tail.bytes().length;
        while (end > 0 && tail.bytes()[end - 1] != '\n') {
            end--;
        }
        read.put(index, tail.next().byteOffset() - (tail.bytes().length - end));
        new String(tail.bytes(), 0, end, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.startsWith("["))
                .forEach(line -> put(index, line, into));
    }

    private void end(int index, ByteArrayOutputStream into) {
        done.add(index);
        if (read.remove(index) != null) {
            put(index, "end", into);
        }
    }

    private static void put(int index, String line, ByteArrayOutputStream into) {
        into.writeBytes(("[" + index + "] " + line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private String place() {
        StringBuilder text = new StringBuilder(HEAD);
        text.append(done.isEmpty() ? "" : array.array().only(done).indices()).append(';');
        read.forEach(
                (index, bytes) -> text.append(index).append('=').append(bytes).append(','));
        return text.toString();
    }
}
