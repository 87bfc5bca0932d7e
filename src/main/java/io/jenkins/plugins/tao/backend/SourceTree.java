package io.jenkins.plugins.tao.backend;

import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.List;
import java.util.Map;

/** Files and links of a directory as they are sent to a target; the directory may be on another machine. */
public interface SourceTree {
    /** The name of the content: hexadecimal digits, equal for equal files, modes and links. */
    String version();

    /** The regular files by path, relative to the directory and with {@code /} between names; sorted. */
    Map<String, Entry> files();

    /** What each symbolic link points to, relative and within the directory; sorted. */
    Map<String, String> links();

    /**
     * Writes the contents of {@code names} one after another, each in the length that {@link #files} gives.
     *
     * @throws Unfit if a file cannot be read or is shorter now
     */
    void write(List<String> names, OutputStream out) throws IOException;

    /**
     * Writes one file from byte {@code from} to its end.
     *
     * @throws Unfit if it cannot be read or is shorter now
     */
    void write(String name, long from, OutputStream out) throws IOException;

    /** The checksums of all files as {@code sha256sum} writes them. */
    static String manifest(Map<String, Entry> files) {
        StringBuilder text = new StringBuilder();
        files.forEach((name, file) ->
                text.append(file.sha256()).append("  ./").append(name).append('\n'));
        return text.toString();
    }

    /** What {@link #version} is a checksum of. */
    static String content(Map<String, Entry> files, Map<String, String> links) {
        StringBuilder text = new StringBuilder(manifest(files));
        files.forEach((name, file) -> text.append(file.executable() ? 'x' : '-'));
        links.forEach(
                (name, target) -> text.append('\n').append(name).append(" -> ").append(target));
        return text.toString();
    }

    /**
     * One file.
     *
     * @param sha256 its checksum, 64 hexadecimal digits
     * @param size in bytes
     */
    record Entry(String sha256, long size, boolean executable) implements Serializable {}

    /** Something that a tree cannot hold; the message is the reason in words for a person. */
    final class Unfit extends IOException {
        private static final long serialVersionUID = 1L;

        /** The reason, without a full stop. */
        public Unfit(String what) {
            super(what);
        }
    }
}
