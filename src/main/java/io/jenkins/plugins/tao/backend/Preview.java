package io.jenkins.plugins.tao.backend;

import java.util.List;

/** What a submission would send, exactly, with secrets by name only. */
public record Preview(List<Part> parts) {
    public Preview {
        parts = List.copyOf(parts);
    }

    /**
     * One text of it.
     *
     * @param name a file name or the call it goes to, such as {@code sbatch/job_x.sbatch}
     * @param text the text as sent
     */
    public record Part(String name, String text) {}
}
