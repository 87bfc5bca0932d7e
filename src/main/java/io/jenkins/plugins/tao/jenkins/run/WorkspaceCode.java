package io.jenkins.plugins.tao.jenkins.run;

import hudson.FilePath;
import hudson.remoting.RemoteOutputStream;
import hudson.remoting.VirtualChannel;
import io.jenkins.plugins.tao.backend.SourceTree;
import io.jenkins.plugins.tao.code.CodeFolder;
import io.jenkins.plugins.tao.code.CodeLimits;
import io.jenkins.plugins.tao.code.CodeListing;
import io.jenkins.plugins.tao.job.text.Sentences;
import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jenkins.MasterToSlaveFileCallable;

/**
 * The code of a job in a workspace. The agent chooses the files, makes their checksums and sends their contents, which go through the
 * controller to the target piece by piece and lie on no disk of the controller.
 */
public record WorkspaceCode(FilePath directory, CodeListing listing) implements SourceTree {
    /**
     * Reads which files belong to it, and all of them once, on the agent.
     *
     * @param name as the job names it, for messages
     * @throws IllegalArgumentException if they are no code that can be sent
     */
    static WorkspaceCode read(FilePath directory, String name, CodeLimits limits)
            throws IOException, InterruptedException {
        try {
            return new WorkspaceCode(directory, directory.act(new Reading(limits)));
        } catch (Unfit e) {
            throw new IllegalArgumentException("the code in '" + name + "' cannot be sent: " + e.getMessage(), e);
        }
    }

    /** What it is, for the build log. */
    public String describe() {
        String commit = listing.commit().isEmpty() ? "no commit" : "commit " + listing.commit();
        return Sentences.count(listing.count(), "file") + ", " + listing.bytes() + " bytes, " + commit
                + (listing.dirty().equals("true") ? " with changes that are not committed" : "");
    }

    /** What is to be reported of its files, a line each; may be empty. */
    public String notes() {
        return listing.notes();
    }

    @Override
    public String version() {
        return listing.id().value();
    }

    @Override
    public Map<String, Entry> files() {
        return Collections.unmodifiableMap(listing.files());
    }

    @Override
    public Map<String, String> links() {
        return Collections.unmodifiableMap(listing.links());
    }

    @Override
    public void write(List<String> names, OutputStream out) throws IOException {
        sent(names, 0, out);
    }

    @Override
    public void write(String name, long from, OutputStream out) throws IOException {
        sent(List.of(name), from, out);
    }

    private void sent(List<String> names, long from, OutputStream out) throws IOException {
        TreeMap<String, Entry> some = new TreeMap<>();
        for (String name : names) {
            Entry entry = listing.files().get(name);
            if (entry == null) {
                throw new Unfit("'" + name + "' is no file of the code");
            }
            some.put(name, entry);
        }
        try {
            directory.act(new Contents(some, new ArrayList<>(names), from, new RemoteOutputStream(new Shared(out))));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the agent was not waited for any more");
        }
    }

    /** On the agent: what the code is. */
    private static final class Reading extends MasterToSlaveFileCallable<CodeListing> {
        private static final long serialVersionUID = 1L;

        private final long mebibytes;
        private final int files;

        Reading(CodeLimits limits) {
            mebibytes = limits.mebibytes();
            files = limits.files();
        }

        @Override
        public CodeListing invoke(File directory, VirtualChannel channel) throws IOException {
            return CodeFolder.read(directory.toPath(), new CodeLimits(mebibytes, files))
                    .listing();
        }
    }

    /** On the agent: the contents of some files, the first from a byte on. */
    private static final class Contents extends MasterToSlaveFileCallable<Boolean> {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("NonApiType") // a type that Java serializes
        private final TreeMap<String, Entry> files;

        private final List<String> names;
        private final long from;
        private final RemoteOutputStream out;

        @SuppressWarnings("NonApiType") // as above
        Contents(TreeMap<String, Entry> files, List<String> names, long from, RemoteOutputStream out) {
            this.files = files;
            this.names = names;
            this.from = from;
            this.out = out;
        }

        @Override
        public Boolean invoke(File directory, VirtualChannel channel) throws IOException {
            CodeFolder code = CodeFolder.of(directory.toPath(), new CodeListing(files, new TreeMap<>(), "", "", ""));
            try (out) { // the controller keeps what is not closed until this process collects its garbage
                if (from > 0) {
                    code.write(names.get(0), from, out);
                } else {
                    code.write(names, out);
                }
            }
            return true;
        }
    }

    /** The stream of the target, which has more to come when the agent has written its part. */
    private static final class Shared extends OutputStream {
        private final OutputStream target;

        Shared(OutputStream target) {
            this.target = target;
        }

        @Override
        public void write(int letter) throws IOException {
            target.write(letter);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            target.write(bytes, from, count);
        }

        @Override
        public void flush() throws IOException {
            target.flush();
        }
    }
}
