package io.jenkins.plugins.tao.backend.slurm;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Shell text kept in files of its own beside the classes, where a shell's checker can read it. */
final class ShellText {
    private ShellText() {}

    static String load(String name) {
        try (InputStream in = ShellText.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the plugin's own file " + name + " is missing; install it again");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("the plugin's own file " + name + " cannot be read", e);
        }
    }
}
