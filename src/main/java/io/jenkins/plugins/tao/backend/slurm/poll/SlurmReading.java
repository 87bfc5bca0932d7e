package io.jenkins.plugins.tao.backend.slurm.poll;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.slurm.array.ArrayFollow;
import io.jenkins.plugins.tao.backend.slurm.array.ArraySamples;
import io.jenkins.plugins.tao.backend.slurm.options.ArrayId;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.shell.TailReply;
import io.jenkins.plugins.tao.remote.shell.TailScript;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/** One read of many streams: which files it asks for, and which stream each answer belongs to. */
public final class SlurmReading {
    private final List<Joined> joined = new ArrayList<>();
    private final List<TailScript.Request> requests = new ArrayList<>();
    /** The streams of requests by number, but for those of arrays. */
    private final Map<Integer, StreamRef> alone = new HashMap<>();

    /** The {@code count} requests from {@code first} on for an array's members, which make one stream together. */
    private record Joined(StreamRef ref, int first, int count, Function<List<Optional<Tail>>, Optional<Tail>> join) {
        Optional<Tail> tail(Map<Integer, Tail> answers) {
            return join.apply(IntStream.range(first, first + count)
                    .mapToObj(number -> Optional.ofNullable(answers.get(number)))
                    .toList());
        }
    }

    /**
     * Prepares a read.
     *
     * @param members what the last look told of the members of each array
     */
    public SlurmReading(Map<StreamRef, Position> from, Map<JobHandle, Map<Integer, JobStatus>> members) {
        from.forEach((ref, position) -> {
            Optional<ArrayId> array = ArrayId.of(ref.job());
            Map<Integer, JobStatus> known = members.getOrDefault(ref.job(), Map.of());
            if (array.isEmpty()) {
                alone.put(requests.size(), ref);
                requests.add(SlurmFiles.request(ref, position));
            } else if (ref.stream().isLog()) {
                String suffix = ref.stream().name().toLowerCase(Locale.ROOT);
                ArrayFollow follow = new ArrayFollow(ref.job(), array.get(), suffix, position, known);
                add(ref, follow.requests(), follow::join);
            } else if (ref.stream() == Stream.MACHINE) { // a status is each member's own: none speaks for the whole
                ArraySamples samples = new ArraySamples(ref.job(), array.get(), position, known);
                add(ref, samples.requests(), samples::join);
            }
        });
    }

    private void add(
            StreamRef ref, List<TailScript.Request> files, Function<List<Optional<Tail>>, Optional<Tail>> join) {
        joined.add(new Joined(ref, requests.size(), files.size(), join));
        requests.addAll(files);
    }

    public List<TailScript.Request> requests() {
        return requests;
    }

    /**
     * Asks {@code host} for all of them.
     *
     * @param handedOn whether a long log is handed on in pieces while it comes; members of arrays are read to the end first
     */
    public void ask(Host host, Duration limit, boolean handedOn, BiConsumer<StreamRef, Tail> taker)
            throws BackendException {
        if (requests.isEmpty()) {
            return;
        }
        Map<Integer, Tail> ofMembers = new HashMap<>();
        TailReply.ask(host, requests, limit, handedOn && joined.isEmpty(), (number, tail) -> {
            StreamRef ref = alone.get(number);
            if (ref == null) {
                ofMembers.put(number, tail);
            } else {
                taker.accept(ref, tail);
            }
        });
        joined.forEach(part -> part.tail(ofMembers).ifPresent(tail -> taker.accept(part.ref(), tail)));
    }
}
