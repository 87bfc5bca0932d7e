package io.jenkins.plugins.tao.backend.slurm;

import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.remote.TailScript;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** One read of many streams: which files it asks for, and which stream each answer belongs to. */
final class SlurmReading {
    private final List<Part> parts = new ArrayList<>();
    private final List<TailScript.Request> requests = new ArrayList<>();

    /** The requests from {@code first} on that are one stream's; those of an array's members make one together. */
    private record Part(StreamRef ref, int first, Optional<ArrayFollow> array) {}

    /**
     * Prepares a read.
     *
     * @param members what the last look told of the members of each array
     */
    SlurmReading(Map<StreamRef, Position> from, Map<JobHandle, Map<Integer, JobStatus>> members) {
        from.forEach((ref, position) -> {
            Optional<ArrayId> array = ArrayId.of(ref.job());
            if (array.isEmpty()) {
                parts.add(new Part(ref, requests.size(), Optional.empty()));
                requests.add(SlurmFiles.request(ref, position));
            } else if (ref.stream().isLog()) { // of the others each member has its own, and none speaks for the whole
                Map<Integer, JobStatus> known = members.getOrDefault(ref.job(), Map.of());
                String suffix = ref.stream().name().toLowerCase(Locale.ROOT);
                ArrayFollow follow = new ArrayFollow(ref.job(), array.get(), suffix, position, known);
                parts.add(new Part(ref, requests.size(), Optional.of(follow)));
                requests.addAll(follow.requests());
            }
        });
    }

    List<TailScript.Request> requests() {
        return requests;
    }

    /** The news of each stream. */
    Map<StreamRef, Tail> tails(Map<Integer, Tail> answers) {
        Map<StreamRef, Tail> tails = new LinkedHashMap<>();
        for (Part part : parts) {
            tail(part, answers).ifPresent(tail -> tails.put(part.ref(), tail));
        }
        return tails;
    }

    private static Optional<Tail> tail(Part part, Map<Integer, Tail> answers) {
        if (part.array().isEmpty()) {
            return Optional.ofNullable(answers.get(part.first()));
        }
        ArrayFollow follow = part.array().get();
        List<Optional<Tail>> own = new ArrayList<>();
        for (int i = 0; i < follow.requests().size(); i++) {
            own.add(Optional.ofNullable(answers.get(part.first() + i)));
        }
        return follow.join(own);
    }
}
