package io.jenkins.plugins.tao.jenkins;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The Jenkins that tests may use, where there is one: a war and a folder of plugins under the user's cache. */
final class RealJenkins {
    static final String ABSENT = "no Jenkins: put jenkins.war and plugins/ into ~/.cache/tao-run/jenkins";
    private static final Path HOME = Path.of(System.getProperty("user.home"), ".cache", "tao-run", "jenkins");

    private RealJenkins() {}

    static boolean present() {
        return Files.isRegularFile(war()) && Files.isDirectory(HOME.resolve("plugins"));
    }

    static Path war() {
        return HOME.resolve("jenkins.war");
    }

    static List<Path> plugins() throws IOException {
        try (Stream<Path> files = Files.list(HOME.resolve("plugins"))) {
            return files.filter(file -> file.toString().matches(".*\\.[hj]pi"))
                    .sorted()
                    .toList();
        }
    }

    /** The plugin as the build has made it. */
    static Path builtPlugin() {
        return Path.of("target", "tao-run.hpi").toAbsolutePath();
    }
}
