package io.jenkins.plugins.tao.backend.slurm.array;

import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.slurm.options.ArrayId;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes one stream of the logs of an array's members, one after another in the order of their indices: where one has ended and
 * is read to its end, the next begins with a line of its own. The place in the stream is a place in one member's file.
 */
public final class ArrayFollow {
    /** Members looked at in one read; most have nothing in one of their two logs. */
    static final int AT_ONCE = 16;

    /** So that a piece of what is read never begins before the file it ends in. */
    private static final int MOST_JOINED = 128 * 1024;

    private static final Pattern FILE = Pattern.compile(".*_(\\d{1,7})\\.(?:out|err):\\d+");

    private final JobHandle job;
    private final ArrayId array;
    private final String suffix;
    private final Position from;
    private final List<Integer> asked = new ArrayList<>();
    private final boolean further;

    /** Where to read on from {@code from}, when the members stand as {@code known} says. */
    public ArrayFollow(JobHandle job, ArrayId array, String suffix, Position from, Map<Integer, JobStatus> known) {
        this.job = job;
        this.array = array;
        this.suffix = suffix;
        this.from = from;
        List<Integer> members = array.array().members();
        int at = Math.max(0, members.indexOf(member(from)));
        asked.add(members.get(at));
        while (at + 1 < members.size() && asked.size() < AT_ONCE && hasEnded(known, members.get(at))) {
            at++;
            asked.add(members.get(at));
        }
        further = at + 1 < members.size() && hasEnded(known, members.get(at));
    }

    /** Nothing is to be expected of one that nobody knows. */
    static boolean hasEnded(Map<Integer, JobStatus> known, int index) {
        JobStatus status = known.get(index);
        return !known.isEmpty() && (status == null || status.state() == JobState.ENDED);
    }

    private static int member(Position position) {
        Matcher file = FILE.matcher(position.file());
        return file.matches() ? Integer.parseInt(file.group(1)) : -1;
    }

    /** The files to read, the one that was read before first. */
    public List<TailScript.Request> requests() {
        SlurmLayout layout = SlurmLayout.of(job);
        List<TailScript.Request> requests = new ArrayList<>();
        for (int index : asked) {
            Position at = index == member(from) ? from : Position.START;
            requests.add(new TailScript.Request(
                    layout.logRoot(), List.of(layout.logFile(array.member(job, index), suffix)), at, 0));
        }
        return requests;
    }

    /** Joins the answers to {@link #requests}, in their order. */
    public Optional<Tail> join(List<Optional<Tail>> answers) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Optional<Tail> first = Optional.empty();
        Optional<Tail> last = Optional.empty();
        boolean more = further;
        for (int i = 0; i < answers.size(); i++) {
            Optional<Tail> answer = answers.get(i).filter(tail -> tail.bytes().length > 0);
            if (answer.isEmpty()) {
                continue;
            }
            Tail tail = answer.get();
            if (last.isPresent() && (last.get().more() || bytes.size() + tail.bytes().length > MOST_JOINED)) {
                more = true;
                break;
            }
            boolean begins = tail.next().byteOffset() == tail.bytes().length;
            append(bytes, begins ? title(asked.get(i), bytes) : new byte[0]);
            append(bytes, tail.bytes());
            first = first.or(() -> answer);
            last = answer;
        }
        if (last.isEmpty()) {
            return further ? Optional.of(passed()) : Optional.empty();
        }
        boolean begun = first.get().restarted() || member(first.get().next()) != member(from);
        return Optional.of(new Tail(
                bytes.toByteArray(),
                last.get().next(),
                begun,
                more || last.get().more()));
    }

    /** None of them wrote anything: the next look begins at the last one. */
    private Tail passed() {
        SlurmLayout layout = SlurmLayout.of(job);
        String file = layout.log(array.member(job, asked.get(asked.size() - 1)), suffix);
        return new Tail(new byte[0], new Position(file + ":0", 0), true, true);
    }

    private static byte[] title(int index, ByteArrayOutputStream before) {
        byte[] read = before.toByteArray();
        boolean open = read.length > 0 && read[read.length - 1] != '\n';
        return ((open ? "\n" : "") + "==== member " + index + " ====\n").getBytes(StandardCharsets.UTF_8);
    }

    private static void append(ByteArrayOutputStream bytes, byte[] more) {
        bytes.write(more, 0, more.length);
    }
}
