package io.jenkins.plugins.tao.cli.records;

import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.file.SecretRef;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Secrets where a terminal finds them. */
public final class SecretValue {
    private SecretValue() {}

    /**
     * The value, read now.
     *
     * @param owner what needs it, for the message: {@code secret NGC_KEY}
     */
    public static Secret of(SecretRef reference, String owner, Surroundings here) throws UsageException {
        if (reference.source().equals("env")) {
            String value = here.env().get(reference.name());
            if (value == null || value.isEmpty()) {
                throw new UsageException("The environment variable " + reference.name() + " is not set; " + owner
                        + " needs it. Set it, or point to another place with env:NAME or file:PATH.");
            }
            return Secret.of(value);
        }
        Path file = here.path(reference.name());
        try {
            return Secret.of(Files.readString(file).replaceFirst("\\R\\z", ""));
        } catch (IOException e) {
            throw new UsageException("The file " + file + " cannot be read; " + owner + " needs it.", e);
        }
    }
}
