package io.jenkins.plugins.tao.backend.kubernetes.status;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.kubernetes.options.MemberIndices;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.backend.kubernetes.view.LogCursor;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.job.JobHandle;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import lombok.RequiredArgsConstructor;

/**
 * Makes one stream of the logs of a Job's members, one after another in the order of their indices: where one has ended and is read to
 * its end, the next begins. So a look asks for the logs of a few pods, however many there are. A position is the number of the member and
 * the mark in its log.
 */
@RequiredArgsConstructor
final class MemberFollow {
    /** Members looked at in one read. */
    private static final int AT_ONCE = 16;

    /** What is handed on at a time is about as much. */
    private static final int MOST_JOINED = 1 << 20;

    /** Behind the number of a member; the second once the line that names it is there. */
    private static final Pattern MEMBER = Pattern.compile("(\\d{1,9})([|!])(.*)", Pattern.DOTALL);

    private final KubernetesLogs logs;
    private final JobHandle job;
    private final Members members;
    private final Stream stream;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private LogCursor cursor = LogCursor.parse("");
    private int number;
    private boolean named;
    private boolean moved;
    private boolean more;

    /**
     * The members of a Job as they were seen last.
     *
     * @param indices by completion index
     * @param pods of all of them
     * @param view the Job itself; empty where only its pods were listed
     */
    record Members(MemberIndices indices, List<PodView> pods, Optional<JobView> view) {
        Optional<PodView> pod(int number) {
            return pods.stream().filter(each -> each.rank() == number).reduce((older, newer) -> newer);
        }

        /** Whether there will be no log of it any more. */
        boolean isGone(int number) {
            return view.filter(known -> known.isOver()
                            || known.completed().list().contains(number)
                            || known.failed().list().contains(number))
                    .isPresent();
        }
    }

    Optional<Tail> read(Position from, Map<KubernetesLogs.Request, KubernetesLogs.Chunk> known) throws Unreachable {
        int semicolon = from.file().indexOf(';');
        long base = semicolon > 0 ? Long.parseLong(from.file().substring(0, semicolon)) : 0;
        Matcher place = MEMBER.matcher(from.file().substring(semicolon + 1));
        if (place.matches()) {
            number = Integer.parseInt(place.group(1));
            named = place.group(2).equals("!");
            cursor = LogCursor.parse(place.group(3));
        }
        if (from.byteOffset() < base) {
            List<PodView> current = members.pod(number).map(List::of).orElse(List.of());
            return Optional.of(logs.rewound(job, current, from, base - from.byteOffset()));
        }
        for (int looks = 0; step(known); looks++) {
            if (looks == AT_ONCE || bytes.size() > MOST_JOINED) {
                more = true;
                break;
            }
        }
        long end = from.byteOffset() + bytes.size();
        Position next = new Position(end + ";" + number + (named ? "!" : "|") + cursor.render(), end);
        return moved ? Optional.of(new Tail(bytes.toByteArray(), next, false, more)) : Optional.empty();
    }

    /** Reads on in the current member; false where there is no more to read for now. */
    private boolean step(Map<KubernetesLogs.Request, KubernetesLogs.Chunk> known) throws Unreachable {
        if (number >= members.indices().list().size()) {
            return false;
        }
        Optional<PodView> pod = members.pod(number).filter(PodView::hasLog);
        if (pod.isEmpty()) {
            return members.isGone(number) && passed();
        }
        Optional<LogCursor.Mark> mark = cursor.of(pod.get().name());
        KubernetesLogs.Chunk chunk = logs.chunk(job, pod.get(), mark, known);
        if (chunk.next().isPresent()) {
            append(pod.get(), chunk);
            cursor = cursor.with(pod.get().name(), chunk.next().get());
            moved = true;
        }
        if (chunk.more()) {
            return true;
        }
        return (pod.get().isOver() || pod.get().isLost()) && !chunk.missed() && passed();
    }

    private boolean passed() {
        number++;
        named = false;
        cursor = LogCursor.parse("");
        moved = true;
        return true;
    }

    private void append(PodView pod, KubernetesLogs.Chunk chunk) {
        int member = members.indices().list().get(number);
        if (stream == Stream.MACHINE) {
            String prefix = "[" + member + "] ";
            bytes.writeBytes(KubernetesLogs.prefixed(chunk.piece().machine(), prefix));
            bytes.writeBytes(KubernetesLogs.image(pod, prefix));
            return;
        }
        if (!named && chunk.piece().output().length > 0) {
            named = true;
            byte[] before = bytes.toByteArray();
            boolean open = before.length > 0 && before[before.length - 1] != '\n';
            bytes.writeBytes(((open ? "\n" : "") + "==== member " + member + " ====\n").getBytes(US_ASCII));
        }
        bytes.writeBytes(chunk.piece().output());
    }
}
