package io.jenkins.plugins.tao.placing;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Paths;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.job.JobHandle;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * What a job left on its target.
 *
 * @param job the job
 * @param paths looks at a path there
 * @param reading reads on in streams there
 */
public record Left(JobHandle job, PathLook paths, Reading reading) implements Inheritance.Parent {
    /** Looks at a path. */
    @FunctionalInterface
    public interface PathLook {
        /** What lies there. */
        Optional<Paths.Listing> at(String path) throws BackendException;
    }

    /** Reads on in streams. */
    @FunctionalInterface
    public interface Reading {
        /** What is new. */
        Map<StreamRef, Tail> from(Map<StreamRef, Position> positions) throws BackendException;
    }

    @Override
    public Optional<Paths.Listing> list(String path) throws BackendException {
        return paths.at(path);
    }

    @Override
    public String status() throws BackendException {
        StreamRef status = new StreamRef(job, Stream.STATUS);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        Position position = Position.START;
        boolean more = true;
        while (more) {
            Tail tail = reading.from(Map.of(status, position)).get(status);
            if (tail == null) {
                break;
            }
            if (tail.gap().isPresent()) {
                throw new BackendException.Unreachable(
                        "What job '" + job.key() + "' said of itself could not be read: "
                                + tail.gap().get(),
                        "Try again.");
            }
            all.writeBytes(tail.bytes());
            more = tail.more() && !tail.next().equals(position);
            position = tail.next();
        }
        return all.toString(StandardCharsets.UTF_8);
    }
}
