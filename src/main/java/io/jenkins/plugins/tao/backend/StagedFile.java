package io.jenkins.plugins.tao.backend;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import lombok.AccessLevel;
import lombok.RequiredArgsConstructor;

/** A file that lies in a directory of its own until all of it has come, and is then moved to its place in one step. */
@RequiredArgsConstructor(access = AccessLevel.PRIVATE)
public final class StagedFile implements ArtifactFile {
    private static final int BUFFER = 64 * 1024;

    private final String path;
    private final Supplier<Areas> areas;
    private final OutputStream content;
    private final Consumer<String> kept;

    /**
     * Begins a file.
     *
     * @param areas where files lie until they are whole, and where whole ones lie; on one file system
     * @param filter what the bytes go through before they are written
     * @param kept told {@code path} once the file is in its place
     * @throws IOException if {@code path} leads out of the areas, or cannot be written
     */
    public static StagedFile open(Areas areas, String path, UnaryOperator<OutputStream> filter, Consumer<String> kept)
            throws IOException {
        return open(() -> areas, path, filter, kept);
    }

    /** The same in areas that can be moved meanwhile: {@code areas} is asked at each use. */
    public static StagedFile open(
            Supplier<Areas> areas, String path, UnaryOperator<OutputStream> filter, Consumer<String> kept)
            throws IOException {
        areas.get().archived(path);
        Path staged = areas.get().staged(path);
        Files.createDirectories(staged.resolveSibling(""));
        OutputStream file = new BufferedOutputStream(Files.newOutputStream(staged), BUFFER);
        return new StagedFile(path, areas, new ReleasedOutput(filter.apply(file)), kept);
    }

    /** The two directories. */
    public record Areas(Path staging, Path archive) {
        private Path staged(String path) throws IOException {
            return below(staging, path);
        }

        private Path archived(String path) throws IOException {
            return below(archive, path);
        }

        private static Path below(Path directory, String path) throws IOException {
            Path file = directory.resolve(path).normalize();
            if (!file.startsWith(directory) || file.equals(directory)) {
                throw new IOException("the file name '" + path + "' leads out of the archive; it was not taken");
            }
            return file;
        }
    }

    @Override
    public OutputStream content() {
        return content;
    }

    @Override
    public void keep() throws IOException {
        content.close();
        Path place = areas.get().archived(path);
        Files.createDirectories(place.resolveSibling(""));
        Files.move(areas.get().staged(path), place, StandardCopyOption.REPLACE_EXISTING);
        kept.accept(path);
    }

    @Override
    public void close() throws IOException {
        content.close();
        Files.deleteIfExists(areas.get().staged(path));
    }
}
