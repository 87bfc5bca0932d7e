package io.jenkins.plugins.tao.backend.box;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The shell text that comes with the plugin, the same for all jobs. */
final class BoxResource {
    private BoxResource() {}

    static String text(String name) {
        try (InputStream text = BoxResource.class.getResourceAsStream(name)) {
            if (text == null) {
                throw new IllegalStateException(name + " is missing from the plugin");
            }
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(name + " cannot be read from the plugin", e);
        }
    }
}
