package io.jenkins.plugins.tao.jenkins;

import hudson.model.Item;
import hudson.model.ItemGroup;
import hudson.model.Job;
import hudson.model.Run;
import hudson.model.TaskListener;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
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
        private final String name;
        private final Path folder;
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
