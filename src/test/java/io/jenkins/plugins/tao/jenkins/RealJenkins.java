package io.jenkins.plugins.tao.jenkins;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The Jenkins that tests may use: a folder with jenkins.war and plugins/, which the property {@code tao.jenkins} names. */
public final class RealJenkins {
    public static final String COMMAND = "./mvnw verify -Pacceptance -Dtao.jenkins=FOLDER";

    public static final String PROPERTY = "tao.jenkins";

    private RealJenkins() {}

    /** Whether this run was asked to use one. */
    public static boolean isNamed() {
        return !System.getProperty(PROPERTY, "").isBlank();
    }

    /**
     * Looks whether it can be used.
     *
     * @throws IllegalStateException if it cannot, which says what is not there
     */
    public static void check() {
        if (!Files.isRegularFile(war())) {
            throw unusable("there is no file " + war());
        }
        if (plugins().isEmpty()) {
            throw unusable("there is no plugin in " + folder().resolve("plugins"));
        }
        if (!Files.isRegularFile(builtPlugin())) {
            throw unusable("the plugin is not built: there is no file " + builtPlugin());
        }
    }

    private static IllegalStateException unusable(String why) {
        return new IllegalStateException("The tests that need a Jenkins cannot run: " + why + ". Run " + COMMAND
                + ", with jenkins.war and plugins/ in FOLDER.");
    }

    private static Path folder() {
        return Path.of(System.getProperty(PROPERTY, "")).toAbsolutePath();
    }

    public static Path war() {
        return folder().resolve("jenkins.war");
    }

    /** The archives of the plugins that tao-run needs, and of Pipeline. */
    public static List<Path> plugins() {
        Path plugins = folder().resolve("plugins");
        if (!Files.isDirectory(plugins)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(plugins)) {
            return files.filter(file -> file.toString().matches(".*\\.[hj]pi"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The archive of the plugin with this name, such as {@code git}. */
    public static Optional<Path> plugin(String name) {
        return plugins().stream()
                .filter(archive -> String.valueOf(archive.getFileName()).matches(name + "\\.[hj]pi"))
                .findFirst();
    }

    /** The plugin as the build has made it. */
    public static Path builtPlugin() {
        return Path.of("target", "tao-run.hpi").toAbsolutePath();
    }
}
