package io.jenkins.plugins.tao.jenkins.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** Requests to cancel on the disk, a small file each. */
record CancelRequestStore(Path directory) {
    private static final Logger LOGGER = Logger.getLogger(CancelRequestStore.class.getName());
    private static final String SUFFIX = ".wish";

    /** Keeps a request; on return it survives a crash. A later one for the same job takes its place. */
    void keep(CancelRequest request) {
        file(request.id()).write(request.render());
    }

    /** Forgets the request for the job of this id, if there is one. */
    void drop(String id) {
        file(id).delete();
    }

    /** Whether there is a request for the job of this id. */
    boolean keeps(String id) {
        return Files.exists(directory.resolve(id + SUFFIX));
    }

    /** All that are kept; a damaged file is told to the administrator and left where it is. */
    List<CancelRequest> all() {
        List<CancelRequest> requests = new ArrayList<>();
        for (Path file : files()) {
            try {
                new SmallFile(file).read().map(CancelRequest::parse).ifPresent(requests::add);
            } catch (IllegalArgumentException | UncheckedIOException e) {
                LOGGER.log(
                        Level.WARNING, e, () -> "Cannot read " + file + ". Delete it if no job of it runs any more.");
            }
        }
        return requests;
    }

    private List<Path> files() {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(SUFFIX))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("could not list " + directory, e);
        }
    }

    private SmallFile file(String id) {
        return new SmallFile(directory.resolve(id + SUFFIX));
    }
}
