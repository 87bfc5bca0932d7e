package io.jenkins.plugins.tao.monitor;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.job.JobHandle;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The streams of the jobs of a simulated cluster: they grow, are replaced, and are read in small parts. */
final class SimulatedStreams {
    /** So much of a stream one answer holds. */
    int bytesARead = 1024;
    /** Each answer says that there is more, and has nothing. */
    boolean stuck;

    private final Map<StreamRef, byte[]> files = new HashMap<>();
    private final Map<StreamRef, Integer> generations = new HashMap<>();
    private final Map<StreamRef, Integer> missed = new HashMap<>();
    private int failing;
    private Optional<BackendException> refusal = Optional.empty();
    private Optional<RuntimeException> fault = Optional.empty();

    void write(JobHandle job, Stream stream, String text) {
        files.merge(new StreamRef(job, stream), text.getBytes(UTF_8), (old, more) -> {
            byte[] both = Arrays.copyOf(old, old.length + more.length);
            System.arraycopy(more, 0, both, old.length, more.length);
            return both;
        });
    }

    void replace(JobHandle job, Stream stream, String text) {
        StreamRef ref = new StreamRef(job, stream);
        files.put(ref, text.getBytes(UTF_8));
        generations.merge(ref, 1, Integer::sum);
    }

    /** Lets so many reads of a stream fail. */
    void miss(JobHandle job, Stream stream, int times) {
        missed.put(new StreamRef(job, stream), times);
    }

    /** Lets so many reads fail as a whole, for all jobs. */
    void fail(int times, BackendException with) {
        failing = times;
        refusal = Optional.of(with);
    }

    /** The same by a fault of the program. */
    void fail(int times, RuntimeException by) {
        failing = times;
        fault = Optional.of(by);
    }

    Map<StreamRef, Tail> read(Map<StreamRef, Position> from) throws BackendException {
        if (failing-- > 0) {
            if (refusal.isPresent()) {
                throw refusal.get();
            }
            throw fault.orElseThrow();
        }
        Map<StreamRef, Tail> tails = new HashMap<>();
        from.forEach((ref, position) -> tail(ref, position).ifPresent(tail -> tails.put(ref, tail)));
        return tails;
    }

    private Optional<Tail> tail(StreamRef ref, Position from) {
        if (stuck) {
            return Optional.of(new Tail(new byte[0], from, false, true));
        }
        byte[] file = files.getOrDefault(ref, new byte[0]);
        if (missed.merge(ref, -1, Integer::sum) >= 0) {
            return Optional.of(Tail.missed(from, "the log store does not answer."));
        }
        String name = "inode-" + generations.getOrDefault(ref, 0);
        boolean restarted = !from.file().isEmpty() && !from.file().equals(name);
        int start = restarted ? 0 : (int) from.byteOffset();
        int end = Math.min(file.length, start + bytesARead);
        if (start == end) {
            return Optional.empty();
        }
        return Optional.of(
                new Tail(Arrays.copyOfRange(file, start, end), new Position(name, end), restarted, end < file.length));
    }
}
