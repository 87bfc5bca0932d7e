package io.jenkins.plugins.tao.jenkins;

import hudson.ExtensionList;
import hudson.model.Item;
import hudson.model.ItemGroup;
import hudson.model.Job;
import hudson.model.Run;
import hudson.model.TaskListener;
import hudson.model.listeners.ItemListener;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A build of a {@link FakeJenkins}, with a log. */
public final class FakeBuild extends Run<FakeBuild.Parent, FakeBuild> {
    private final Parent parent;
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private final PrintStream lines = new PrintStream(log, true, StandardCharsets.UTF_8);

    FakeBuild(String job, Path folder) {
        super(job + "#1", folder.toFile());
        parent = new Parent(job, folder.resolve("../..").normalize());
    }

    @Override
    public Parent getParent() {
        return parent;
    }

    /** Renames its job, as an administrator does while it runs. */
    public void renameJob(String name) {
        Path from = parent.folder;
        Path to = from.resolveSibling(name);
        String before = parent.getFullName();
        synchronized (parent) { // as Jenkins does: first the name, then the files
            parent.name = name;
            parent.folder = to;
            moved(name + "#1", to.resolve("builds/1").toFile());
            try {
                Files.move(from, to);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        ExtensionList.lookup(ItemListener.class)
                .forEach(listener -> listener.onLocationChanged(parent, before, parent.getFullName()));
    }

    /** Writes to its log. */
    public TaskListener listener() {
        return () -> lines;
    }

    /** Its log so far. */
    public String log() {
        return log.toString(StandardCharsets.UTF_8);
    }

    /** The job that it is a build of. */
    public static final class Parent extends Job<Parent, FakeBuild> {
        private volatile String name;
        private volatile Path folder;
        private Optional<ItemGroup<? extends Item>> above = Optional.empty();

        Parent(String name, Path folder) {
            this.name = name;
            this.folder = folder;
        }

        /** Lets it be in {@code folder}. */
        public void moveTo(ItemGroup<? extends Item> folder) {
            above = Optional.of(folder);
        }

        @Override
        public ItemGroup<? extends Item> getParent() {
            return above.isPresent() ? above.get() : super.getParent();
        }

        @Override
        public File getBuildDir() {
            return new File(getRootDir(), "builds");
        }

        @Override
        public File getRootDir() {
            return folder.toFile();
        }

        @Override
        public String getName() {
            return name;
        }
    }
}
