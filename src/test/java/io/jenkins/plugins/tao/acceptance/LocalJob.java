package io.jenkins.plugins.tao.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A job that notes each start, runs until it is let go on, and is a process of this machine. */
final class LocalJob {
    private final Path directory;

    LocalJob(Path directory) {
        this.directory = directory;
    }

    /** The step that submits it. */
    String submit(String more) {
        return "taoSubmit(target: 'local', command: 'echo \\$\\$ >>" + starts() + "; echo before; while [ ! -e "
                + directory.resolve("go") + " ]; do sleep 1; done; echo after'" + more + ")";
    }

    private Path starts() {
        return directory.resolve("starts");
    }

    /** Waits until it runs. */
    void runs() {
        await("for the start of a job").atMost(Build.PATIENCE).until(() -> !pids().isEmpty());
    }

    void goesOn() throws IOException {
        Files.createFile(directory.resolve("go"));
    }

    /** Whether its one process lives. */
    boolean lives() throws IOException {
        String[] pids = pids().split("\n");
        assertThat(pids).as("starts of the job").hasSize(1);
        return ProcessHandle.of(Long.parseLong(pids[0])).isPresent();
    }

    /** Waits for its end. */
    void ends() {
        await("for the end of a job").atMost(Build.PATIENCE).until(() -> !lives());
    }

    private String pids() throws IOException {
        return Files.exists(starts()) ? Files.readString(starts()).strip() : "";
    }
}
