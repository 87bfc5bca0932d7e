package io.jenkins.plugins.tao.remote;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Shell text kept in a file of its own beside the classes. */
final class ShellResource {
    private ShellResource() {}

    static String text(String name) {
        try (InputStream in = ShellResource.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the plugin's own file " + name + " is missing; install it again");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("the plugin's own file " + name + " cannot be read", e);
        }
    }
}
