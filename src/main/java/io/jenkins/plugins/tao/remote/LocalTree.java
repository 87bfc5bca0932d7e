package io.jenkins.plugins.tao.remote;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A directory as it goes out: its regular files by relative path, without {@code .git}; shell scripts with plain line ends. */
record LocalTree(Path root, Map<String, LocalTree.Entry> files, List<String> repaired) {
    private static final int VERSION_DIGITS = 16;
    private static final long LARGEST_SCRIPT = 1024 * 1024;

    /**
     * One file.
     *
     * @param content what goes out instead of the file's own bytes; empty for those
     */
    @SuppressWarnings("ArrayRecordComponent") // made here, read here, never changed
    record Entry(String sha256, long size, boolean executable, byte[] content) {}

    static LocalTree read(Path root) throws IOException {
        Map<String, Entry> files = new TreeMap<>();
        List<String> repaired = new ArrayList<>();
        List<Path> found;
        try (Stream<Path> walk = Files.walk(root)) {
            found = walk.filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
                    .toList();
        }
        for (Path path : found) {
            String name = root.relativize(path).toString().replace('\\', '/');
            if (!name.startsWith(".git/") && !name.contains("\n")) {
                files.put(name, entry(name, path, repaired));
            }
        }
        return new LocalTree(root, files, List.copyOf(repaired));
    }

    private static Entry entry(String name, Path path, List<String> repaired) throws IOException {
        boolean executable = Files.isExecutable(path);
        if (Files.size(path) <= LARGEST_SCRIPT) {
            byte[] bytes = Files.readAllBytes(path);
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            if ((text.startsWith("#!") || name.endsWith(".sh")) && text.contains("\r\n")) {
                repaired.add(name);
                byte[] plain = text.replace("\r\n", "\n").getBytes(StandardCharsets.ISO_8859_1);
                return new Entry(Sha256.of(plain), plain.length, executable, plain);
            }
        }
        MeasuredOutput measured = new MeasuredOutput(OutputStream.nullOutputStream());
        Files.copy(path, measured);
        return new Entry(measured.sha256(), measured.count(), executable, new byte[0]);
    }

    byte[] read(String name, long at, int most) throws IOException {
        Entry entry = files.get(name);
        if (entry != null && entry.content().length > 0) {
            return Arrays.copyOfRange(entry.content(), (int) at, (int) Math.min(entry.size(), at + most));
        }
        try (RandomAccessFile file = new RandomAccessFile(root.resolve(name).toFile(), "r")) {
            file.seek(at);
            byte[] piece = new byte[most];
            int count = file.read(piece);
            if (count <= 0) {
                throw new IOException("it is shorter than it was");
            }
            return Arrays.copyOf(piece, count);
        }
    }

    /** Every directory that holds a file. */
    List<String> directories() {
        return files.keySet().stream()
                .filter(name -> name.contains("/"))
                .map(name -> name.substring(0, name.lastIndexOf('/')))
                .distinct()
                .toList();
    }

    /** As {@code sha256sum} writes it. */
    String manifest() {
        StringBuilder text = new StringBuilder();
        files.forEach((name, file) ->
                text.append(file.sha256()).append("  ./").append(name).append('\n'));
        return text.toString();
    }

    /** The same for the same content. */
    String version() {
        StringBuilder modes = new StringBuilder(manifest());
        files.forEach((name, file) -> modes.append(file.executable() ? 'x' : '-'));
        return Sha256.of(modes.toString().getBytes(StandardCharsets.UTF_8)).substring(0, VERSION_DIGITS);
    }
}
