package io.jenkins.plugins.tao.backend.kubernetes.options;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.text.Sentences;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A kubeconfig, checked when it is used.
 *
 * @param text its YAML
 * @param source where it came from, for messages
 * @param directory what the relative paths in it start from; empty for one that is no file
 * @param next further ones, which give what this one does not have
 */
public record Kubeconfig(Secret text, String source, Optional<Path> directory, List<Kubeconfig> next) {
    /** Those of a hundred clusters with their certificates have less. */
    private static final long MOST_BYTES = 4L << 20;

    public Kubeconfig {
        next = List.copyOf(next);
    }

    /** One that is no file. */
    public Kubeconfig(Secret text, String source) {
        this(text, source, Optional.empty());
    }

    /** One alone. */
    public Kubeconfig(Secret text, String source, Optional<Path> directory) {
        this(text, source, directory, List.of());
    }

    /** This one alone and those after it, in their order. */
    public List<Kubeconfig> parts() {
        return Stream.concat(Stream.of(new Kubeconfig(text, source, directory)), next.stream())
                .toList();
    }

    /** Where all of them came from, for messages. */
    public String sources() {
        return parts().stream().map(Kubeconfig::source).collect(Collectors.joining(", "));
    }

    /** A path that it names. */
    public Path resolve(String path) {
        return directory.map(from -> from.resolve(path)).orElseGet(() -> Path.of(path));
    }

    /**
     * Reads one from a file, or from several whose paths {@link File#pathSeparator} parts, as {@code $KUBECONFIG} has
     * them: of several, those that are not there are left out.
     *
     * @throws IllegalArgumentException if one cannot be read, or none is there
     */
    public static Kubeconfig ofFile(Path file) {
        List<Path> files = Stream.of(file.toString().split(Pattern.quote(File.pathSeparator), -1))
                .filter(each -> !each.isBlank())
                .map(Path::of)
                .toList();
        return Files.exists(file) || files.size() < 2 ? single(file) : several(files);
    }

    private static Kubeconfig several(List<Path> files) {
        List<Kubeconfig> parts = files.stream()
                .distinct()
                .filter(Files::exists)
                .map(Kubeconfig::single)
                .toList();
        require(!parts.isEmpty(), "none of the files of the kubeconfig is there: %s", files);
        Kubeconfig first = parts.get(0);
        return new Kubeconfig(first.text, first.source, first.directory, parts.subList(1, parts.size()));
    }

    private static Kubeconfig single(Path file) {
        return new Kubeconfig(
                Secret.of(read(file, "the kubeconfig")),
                file.toString(),
                Optional.ofNullable(file.toAbsolutePath().getParent()));
    }

    static String read(Path file, String what) {
        try {
            long size = Files.size(file);
            require(size <= MOST_BYTES, "%s %s has %d bytes, and at most %d are read", what, file, size, MOST_BYTES);
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalArgumentException(what + " " + file + " cannot be read (" + Sentences.why(e) + ")", e);
        }
    }
}
