package io.jenkins.plugins.tao.acceptance;

import io.jenkins.plugins.tao.jenkins.RealJenkins;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;

/** The archives of plugins by their names. */
final class RealJenkinsPlugin {
    private RealJenkinsPlugin() {}

    static Optional<Path> find(String name) {
        try {
            return RealJenkins.plugins().stream()
                    .filter(archive -> String.valueOf(archive.getFileName()).matches(name + "\\.[hj]pi"))
                    .findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
