package io.jenkins.plugins.tao.job.text;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Text that is kept in a file of its own beside the class that needs it: shell, Python. */
public final class OwnFile {
    private OwnFile() {}

    /** The text of the file {@code name} in the package of {@code beside}. */
    public static String text(Class<?> beside, String name) {
        try (InputStream in = beside.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the plugin's own file " + name + " is missing; install it again");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("the plugin's own file " + name + " cannot be read", e);
        }
    }
}
