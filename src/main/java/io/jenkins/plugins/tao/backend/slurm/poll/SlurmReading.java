package io.jenkins.plugins.tao.backend.slurm.poll;

import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.slurm.array.ArrayFollow;
import io.jenkins.plugins.tao.backend.slurm.array.ArraySamples;
import io.jenkins.plugins.tao.backend.slurm.options.ArrayId;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.remote.shell.TailScript;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** One read of many streams: which files it asks for, and which stream each answer belongs to. */
public final class SlurmReading {
    private final List<Part> parts = new ArrayList<>();
    private final List<TailScript.Request> requests = new ArrayList<>();

    /** The {@code count} requests from {@code first} on that are one stream's; those of an array's members make one together. */
    private record Part(StreamRef ref, int first, int count, Function<List<Optional<Tail>>, Optional<Tail>> join) {}

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
                add(ref, List.of(SlurmFiles.request(ref, position)), answers -> answers.get(0));
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
        parts.add(new Part(ref, requests.size(), files.size(), join));
        requests.addAll(files);
    }

    public List<TailScript.Request> requests() {
        return requests;
    }

    /** The news of each stream. */
    public Map<StreamRef, Tail> tails(Map<Integer, Tail> answers) {
        Map<StreamRef, Tail> tails = new LinkedHashMap<>();
        for (Part part : parts) {
            tail(part, answers).ifPresent(tail -> tails.put(part.ref(), tail));
        }
        return tails;
    }

    private static Optional<Tail> tail(Part part, Map<Integer, Tail> answers) {
        List<Optional<Tail>> own = new ArrayList<>();
        for (int i = 0; i < part.count(); i++) {
            own.add(Optional.ofNullable(answers.get(part.first() + i)));
        }
        return part.join().apply(own);
    }
}
