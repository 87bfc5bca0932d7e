package io.jenkins.plugins.tao.cli.jobs;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.cli.output.DirectorySink;
import io.jenkins.plugins.tao.cli.output.JobOutput;
import io.jenkins.plugins.tao.cli.output.WatchChoice;
import io.jenkins.plugins.tao.cli.records.JobEntry;
import io.jenkins.plugins.tao.job.text.Sentences;
import io.jenkins.plugins.tao.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/** Where the files of one job are brought to. While they are on their way the directory holds a mark that says so. */
public final class Archive {
    private static final String MARK = ".incomplete";

    private final Session session;
    private final JobEntry entry;
    private final JobOutput output;
    private final Optional<Path> directory;
    private final WatchChoice choice;

    public Archive(Session session, WatchChoice choice, JobEntry entry, JobOutput output) {
        this.session = session;
        this.entry = entry;
        this.output = output;
        this.choice = choice;
        this.directory =
                choice.noArchive ? Optional.empty() : Optional.of(choice.folder(session.here(), entry.handle()));
    }

    /** Whether files are asked for and not all of them are there; other limits than before may let more come. */
    public boolean wanting() {
        return directory
                .filter(path -> choice.archiveLimit.isPresent()
                        || choice.fromVolume
                        || !Files.isDirectory(path)
                        || Files.exists(path.resolve(MARK)))
                .isPresent();
    }

    /** Leaves the mark before there are any files; where that is not possible, {@link #bring} tells it. */
    void begin() {
        if (directory.isPresent()) {
            try {
                mark(directory.get());
            } catch (IOException e) {
                output.note("the files of the job cannot be brought to " + directory.get() + ": " + Sentences.why(e));
            }
        }
    }

    private void mark(Path path) throws IOException {
        Files.createDirectories(path);
        Files.writeString(
                path.resolve(MARK), "not all files of " + entry.handle().shortName() + " are here yet\n");
    }

    /** Brings them, if they are asked for; says how that went. Returns whether none of them is missing. */
    public boolean bring(Target target) throws InterruptedException {
        if (directory.isEmpty()) {
            return true;
        }
        Path path = directory.get();
        DirectorySink sink = new DirectorySink(path, entry.mask(session.here()));
        try {
            mark(path);
            session.dispatcher()
                    .fetch(target, entry.handle(), choice.archive(entry.archive()), sink)
                    .get();
            sink.clear();
            Files.delete(path.resolve(MARK));
            output.archived(path, sink);
            return true;
        } catch (IOException e) {
            return missing(path, "this machine cannot write there: " + Sentences.why(e) + ".");
        } catch (ExecutionException e) {
            return missing(
                    path,
                    e.getCause() instanceof BackendException known ? known.explain() : String.valueOf(e.getCause()));
        } finally {
            left(path, sink);
        }
    }

    private void left(Path path, DirectorySink sink) {
        try {
            new Journal(path, session.here().clock(), entry.mask(session.here())::apply)
                    .left(entry.handle(), sink.skipped());
        } catch (IOException e) {
            output.note("what stays at the target could not be written to " + path + ": " + Sentences.why(e));
        }
    }

    private boolean missing(Path path, String why) {
        output.note("not all files could be brought to " + path + ": " + why + " Try again with: tao wait "
                + entry.handle().key());
        return false;
    }
}
