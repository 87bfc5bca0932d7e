package io.jenkins.plugins.tao.tracking;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.http.Json;
import io.jenkins.plugins.tao.journal.DurableFile;
import io.jenkins.plugins.tao.record.RunMetrics;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * The runs that a server has not been told of yet, a file each, so that a crash or an outage loses none. They wait for a week, and at most
 * {@value #MOST} of them; several processes may share the folder.
 *
 * @param folder made with the first run
 */
public record Outbox(Path folder) {
    static final int MOST = 1000;
    private static final Duration LONGEST = Duration.ofDays(7);
    private static final String SUFFIX = ".json";
    private static final String LOCK = "lock";
    private static final String TOLD = "trouble.txt";

    /**
     * Keeps a run until it is told.
     *
     * @param home the folder with its record, which holds no secret, and with its series
     * @param root the address of Jenkins; empty in a terminal
     * @throws IOException if there is no record that can be read, or no room to keep it
     */
    public void add(Path home, Optional<String> root) throws IOException {
        RunRecord run = read(home.resolve(RunRecord.FILE));
        Path series = home.resolve(RunMetrics.FILE).toAbsolutePath();
        ObjectNode entry = Json.object().put("series", series.toString());
        root.ifPresent(address -> entry.put("root", address));
        entry.put("record", run.line());
        DurableFile.write(folder.resolve(run.id() + SUFFIX), entry.toString());
    }

    private static RunRecord read(Path file) throws IOException {
        try {
            return RunRecord.parse(Files.readString(file));
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " is no record of a run: " + e.getMessage(), e);
        }
    }

    /** Whether no run waits. A folder that cannot be read counts as one where some wait: {@link #send} tells what is wrong with it. */
    public boolean isEmpty() {
        try (Stream<Path> files = Files.list(folder)) {
            return files.noneMatch(Outbox::isRun);
        } catch (NoSuchFileException none) {
            return true;
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }

    private static boolean isRun(Path file) {
        return String.valueOf(file.getFileName()).endsWith(SUFFIX);
    }

    /**
     * What came of telling.
     *
     * @param pages the addresses of the runs that the server has now
     * @param waiting how many wait for another time
     * @param news what a person should know and was not told before, a sentence
     */
    public record Sent(List<String> pages, int waiting, Optional<String> news) {
        public Sent {
            pages = List.copyOf(pages);
        }
    }

    /**
     * Tells the server of the runs that wait until it does not answer, and begins with another one each time, so that a run that it always
     * fails at keeps no others back. Another process or thread that does so right now is left to it.
     *
     * @param goOn asked before each run and each request that writes values: whether there is time for it
     * @throws IOException if the folder cannot be read
     */
    public Sent send(MlflowServer server, Instant now, BooleanSupplier goOn) throws IOException {
        if (waiting().isEmpty()) {
            return new Sent(List.of(), 0, Optional.empty());
        }
        try (FileChannel channel =
                        FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            return lock == null ? new Sent(List.of(), waiting().size(), Optional.empty()) : sent(server, now, goOn);
        } catch (OverlappingFileLockException e) { // another thread of this process
            return new Sent(List.of(), waiting().size(), Optional.empty());
        }
    }

    private Sent sent(MlflowServer server, Instant now, BooleanSupplier goOn) throws IOException {
        List<String> pages = new ArrayList<>();
        List<String> troubles = new ArrayList<>();
        int dropped = tooMany();
        for (Path file : inTurn(now)) {
            if (!goOn.getAsBoolean()) {
                break;
            }
            try {
                Optional<String> page = tell(server, file, goOn);
                page.ifPresent(pages::add);
                Files.deleteIfExists(file);
            } catch (BackendException e) {
                troubles.add(e.explain());
                if (!(e instanceof BackendException.Rejected)) {
                    break; // the next one would hardly fare better
                }
            }
        }
        dropped += tooOld(now);
        return new Sent(pages, waiting().size(), news(pages, troubles, dropped));
    }

    /** The runs that wait, the oldest first but from a place on that no rhythm of calls, such as every ten minutes, makes the same. */
    private List<Path> inTurn(Instant now) throws IOException {
        List<Path> files = new ArrayList<>(waiting());
        if (!files.isEmpty()) {
            Collections.rotate(files, -new SplittableRandom(now.toEpochMilli()).nextInt(files.size()));
        }
        return files;
    }

    /** Empty for a file that is none of ours. */
    private static Optional<String> tell(MlflowServer server, Path file, BooleanSupplier goOn)
            throws IOException, BackendException {
        JsonNode entry = Json.parse(Files.readString(file)).orElseGet(Json::object);
        RunRecord record;
        try {
            record = RunRecord.parse(entry.path("record").asText());
        } catch (IllegalArgumentException damaged) {
            return Optional.empty();
        }
        Optional<String> root = Optional.ofNullable(entry.path("root").textValue());
        return Optional.of(server.tell(new MlflowRun(record, series(entry), root), goOn));
    }

    /** The curves in the record do where the folder of the run is gone. */
    private static Optional<String> series(JsonNode entry) {
        try {
            return Optional.of(Files.readString(Path.of(entry.path("series").asText())));
        } catch (IOException | InvalidPathException gone) {
            return Optional.empty();
        }
    }

    /** Says a trouble once while it lasts, across processes. */
    private Optional<String> news(List<String> pages, List<String> troubles, int dropped) throws IOException {
        Path told = folder.resolve(TOLD);
        Optional<String> lost = dropped == 0
                ? Optional.empty()
                : Optional.of(
                        "Not logged to MLflow: " + runs(dropped) + ", after a week or because too many others waited.");
        if (troubles.isEmpty()) {
            if (!pages.isEmpty()) {
                Files.deleteIfExists(told);
            }
            return lost;
        }
        String trouble = troubles.get(0);
        if (Files.exists(told)) {
            return lost;
        }
        DurableFile.write(told, trouble + "\n");
        int count = waiting().size();
        String wait = count == 0
                ? ""
                : runs(count) + (count == 1 ? " waits" : " wait") + " to be logged to MLflow, for a week at most: ";
        return Optional.of(lost.map(text -> text + " ").orElse("") + wait + trouble);
    }

    private static String runs(int count) {
        return count + (count == 1 ? " run" : " runs");
    }

    private int tooMany() throws IOException {
        List<Path> all = waiting();
        List<Path> oldest = all.subList(0, Math.max(0, all.size() - MOST));
        for (Path file : oldest) {
            Files.deleteIfExists(file);
        }
        return oldest.size();
    }

    private int tooOld(Instant now) throws IOException {
        long oldest = now.minus(LONGEST).toEpochMilli();
        int dropped = 0;
        for (Path file : waiting()) {
            if (age(file).orElse(oldest) < oldest) {
                dropped += Files.deleteIfExists(file) ? 1 : 0;
            }
        }
        return dropped;
    }

    /** The oldest first. Ages are read once: another process may take files away, or write them anew, in between. */
    private List<Path> waiting() throws IOException {
        Map<Path, Long> ages = new HashMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(Outbox::isRun).toList()) {
                age(file).ifPresent(age -> ages.put(file, age));
            }
        } catch (NoSuchFileException none) {
            return List.of();
        } catch (IOException | UncheckedIOException e) {
            throw new IOException("the runs that wait in " + folder + " cannot be read: " + e, e);
        }
        return ages.entrySet().stream()
                .sorted(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** When it was written; empty for a file that is gone. */
    private static OptionalLong age(Path file) throws IOException {
        try {
            return OptionalLong.of(Files.getLastModifiedTime(file).toMillis());
        } catch (NoSuchFileException gone) {
            return OptionalLong.empty();
        }
    }
}
