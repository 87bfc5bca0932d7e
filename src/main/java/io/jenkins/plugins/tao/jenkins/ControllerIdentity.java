package io.jenkins.plugins.tao.jenkins;

import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.job.JobKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.UUID;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Who this Jenkins is to the jobs it holds. A file in its home says so, together with that file's own inode: in a
 * restored backup or a copied home the number is another one, and the copy makes itself an identity of its own.
 */
final class ControllerIdentity {
    private static final Logger LOGGER = Logger.getLogger(ControllerIdentity.class.getName());
    private static final String FILE = "io.jenkins.plugins.tao.controller";

    private ControllerIdentity() {}

    /**
     * The identity of the Jenkins that lives in {@code home}.
     *
     * @param instance Jenkins' own id of the instance
     * @param url where people find it; may be empty
     */
    static Controller of(Path home, String instance, String url) {
        String words = url.isBlank() ? "Jenkins in " + home : "Jenkins " + url;
        String session = UUID.randomUUID().toString().toLowerCase(Locale.ROOT);
        return new Controller(
                JobKey.derive("jenkins", instance, own(home.resolve(FILE))).value(), words, session);
    }

    private static String own(Path file) {
        try {
            if (Files.exists(file)) {
                String[] idAndPlace = Files.readString(file).strip().split(" ", 2);
                if (idAndPlace.length == 2 && idAndPlace[1].equals(place(file))) {
                    return idAndPlace[0];
                }
                LOGGER.log(
                        Level.WARNING,
                        "{0} was copied or restored: this controller holds its jobs under a new identity. Jobs of the"
                                + " old one are free half an hour after it last renewed its hold; taoWait and taoCancel"
                                + " with takeOver take them over at once.",
                        file);
            }
            return write(file);
        } catch (IOException e) {
            LOGGER.log(
                    Level.WARNING,
                    e,
                    () -> file + " cannot be used: after a restart this controller does not know its jobs as its own"
                            + " for half an hour. Let Jenkins write there.");
            return UUID.randomUUID().toString();
        }
    }

    private static String write(Path file) throws IOException {
        String id = UUID.randomUUID().toString();
        Path fresh = Files.createTempFile(file.resolveSibling(""), FILE, ".new");
        Files.write(fresh, (id + " " + place(fresh, file) + "\n").getBytes(StandardCharsets.UTF_8));
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return id;
    }

    private static String place(Path file) throws IOException {
        return place(file, file);
    }

    /** The inode, which a rename keeps and a copy does not; the path where the system has no such number. */
    private static String place(Path file, Path name) throws IOException {
        return file.getFileSystem().supportedFileAttributeViews().contains("unix")
                ? "inode-" + Files.getAttribute(file, "unix:ino")
                : name.toAbsolutePath().toString();
    }
}
