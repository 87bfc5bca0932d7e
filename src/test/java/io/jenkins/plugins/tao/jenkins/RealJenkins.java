package io.jenkins.plugins.tao.jenkins;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The Jenkins that tests may use: a folder with jenkins.war and plugins/. The build says where, and runs no such test without one. */
public final class RealJenkins {
    private static final Path FOLDER = Path.of(System.getProperty(
            "tao.jenkins",
            Path.of(System.getProperty("user.home"), ".cache", "tao-run", "jenkins")
                    .toString()));

    private RealJenkins() {}

    public static Path war() {
        return FOLDER.resolve("jenkins.war");
    }

    /** The archives of the plugins that tao-run needs, and of Pipeline. */
    public static List<Path> plugins() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER.resolve("plugins"))) {
            return files.filter(file -> file.toString().matches(".*\\.[hj]pi"))
                    .sorted()
                    .toList();
        }
    }

    /** The plugin as the build has made it. */
    public static Path builtPlugin() {
        return Path.of("target", "tao-run.hpi").toAbsolutePath();
    }
}
