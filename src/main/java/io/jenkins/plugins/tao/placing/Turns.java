package io.jenkins.plugins.tao.placing;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.journal.DurableFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import lombok.RequiredArgsConstructor;

/**
 * The turns of all limited targets, a small file each in one directory, which all programs of one user share. Who waits is nobody's
 * thread: it asks again.
 */
@RequiredArgsConstructor
public final class Turns {
    private static final Logger LOGGER = Logger.getLogger(Turns.class.getName());
    private static final Duration LOOK_EVERY = Duration.ofSeconds(30);

    private final Path directory;
    private final Map<String, Instant> looked = new HashMap<>();

    /** Asks after jobs of one target, as a backend does. */
    @FunctionalInterface
    public interface Look {
        /** Their states; what the target does not know is absent. */
        Map<JobHandle, JobStatus> at(Set<JobHandle> jobs) throws BackendException;
    }

    /**
     * Asks for a turn. While there is none, the target is asked at most each half minute which of the jobs that count have ended.
     *
     * @throws UncheckedIOException if the turns cannot be read or kept
     */
    public Turn ask(Limits limits, Ask job, Instant now, Look look) {
        Turn turn = asked(limits, job, now);
        if (turn.granted() || !dueForLook(limits.target(), now)) {
            return turn;
        }
        settle(limits.target(), now, look);
        return asked(limits, job, now);
    }

    private synchronized boolean dueForLook(String target, Instant now) {
        Instant last = looked.getOrDefault(target, Instant.EPOCH);
        boolean due = Duration.between(last, now).compareTo(LOOK_EVERY) >= 0;
        if (due) {
            looked.put(target, now);
        }
        return due;
    }

    private Turn asked(Limits limits, Ask job, Instant now) {
        Turn[] turn = new Turn[1];
        change(limits.target(), list -> {
            TurnList.Asked asked = list.forgetting(now).ask(limits, job, now);
            turn[0] = asked.turn();
            return asked.after();
        });
        return turn[0];
    }

    /** Silence of the target changes nothing: what is not known to have ended counts. */
    private void settle(String target, Instant now, Look look) {
        Map<JobHandle, String> jobs = read(target).held().stream()
                .filter(job -> !job.token().isEmpty())
                .collect(Collectors.toMap(job -> JobHandle.parse(job.token()), TurnList.Held::key, (one, two) -> one));
        try {
            Map<JobHandle, JobStatus> seen = jobs.isEmpty() ? Map.of() : look.at(jobs.keySet());
            change(target, list -> {
                TurnList after = list;
                for (Map.Entry<JobHandle, String> job : jobs.entrySet()) {
                    JobStatus status = seen.get(job.getKey());
                    after = status == null
                            ? after.missing(job.getValue(), now)
                            : status.state() == JobState.ENDED
                                    ? after.without(job.getValue())
                                    : after.seen(job.getValue());
                }
                return after;
            });
        } catch (BackendException e) {
            LOGGER.log(Level.FINE, e, () -> "could not ask " + target + " which jobs have ended");
        }
    }

    /** The job was sent; it counts until its target says that it has ended. */
    public void taken(String target, String key, JobHandle job) {
        if (Files.exists(file(target))) {
            change(target, list -> list.taken(key, job.token()));
        }
    }

    /** The job was not sent, or has ended. */
    public void over(String target, String key) {
        if (Files.exists(file(target))) {
            change(target, list -> list.without(key));
        }
    }

    private Path file(String target) {
        return directory.resolve(target.replaceAll("[^A-Za-z0-9._-]", "_") + ".json");
    }

    private TurnList read(String target) {
        try {
            Path file = file(target);
            return Files.exists(file) ? TurnList.parse(Files.readString(file)) : TurnList.EMPTY;
        } catch (IOException e) {
            throw new UncheckedIOException("the turns of target '" + target + "' cannot be read", e);
        }
    }

    private synchronized void change(String target, UnaryOperator<TurnList> change) {
        Path lock = directory.resolve(file(target).getFileName() + ".lock");
        try {
            Files.createDirectories(directory);
            try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock held = channel.lock()) {
                TurnList before = read(target);
                TurnList after = change.apply(before);
                if (!after.equals(before) && held.isValid()) {
                    DurableFile.write(file(target), after.render());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the turns of target '" + target + "' cannot be kept in " + directory, e);
        }
    }
}
