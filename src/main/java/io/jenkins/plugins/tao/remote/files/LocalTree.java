package io.jenkins.plugins.tao.remote.files;

import io.jenkins.plugins.tao.backend.SourceTree;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A directory as it goes out, without {@code .git}: regular files and symbolic links by relative path; shell scripts with plain
 * line ends.
 *
 * @param links what each link leads to, relative and within the directory
 * @param plain the contents of scripts whose line ends are replaced
 */
record LocalTree(
        Path root,
        Map<String, Entry> files,
        Map<String, String> links,
        Map<String, byte[]> plain,
        List<String> repaired)
        implements SourceTree {
    private static final int VERSION_DIGITS = 16;
    private static final long LARGEST_SCRIPT = 1024 * 1024;
    private static final int PIECE = 256 * 1024;

    /**
     * Reads a directory, and all its files once.
     *
     * @throws Unfit naming the entry that is neither file, directory nor link within the tree
     */
    static LocalTree read(Path root) throws IOException {
        LocalTree tree = new LocalTree(root, new TreeMap<>(), new TreeMap<>(), new HashMap<>(), new ArrayList<>());
        List<Path> found;
        try (Stream<Path> walk = Files.walk(root)) {
            found = walk.filter(path -> !path.equals(root) && !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
                    .toList();
        }
        for (Path path : found) {
            String name = root.relativize(path).toString().replace(File.separatorChar, '/');
            if (!name.startsWith(".git/")) {
                tree.add(name, path);
            }
        }
        return tree;
    }

    private void add(String name, Path path) throws IOException {
        if (name.contains("\n")) {
            throw new Unfit("the name '" + name.replace("\n", "\\n") + "' has a line end in it");
        }
        if (Files.isSymbolicLink(path)) {
            links.put(name, link(name, path));
        } else if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            files.put(name, entry(name, path));
        } else {
            throw new Unfit("'" + name + "' is neither a file, a directory nor a symbolic link");
        }
    }

    private String link(String name, Path path) throws IOException {
        Path target = Files.readSymbolicLink(path);
        Path leads = path.resolveSibling(target).normalize();
        if (target.isAbsolute() || !leads.startsWith(root.normalize())) {
            throw new Unfit("the symbolic link '" + name + "' leads to " + target + ", out of the directory");
        }
        if (!Files.exists(leads)) {
            throw new Unfit("the symbolic link '" + name + "' leads to " + target + ", which is not there");
        }
        return target.toString();
    }

    private Entry entry(String name, Path path) throws IOException {
        boolean executable = Files.isExecutable(path);
        if (Files.size(path) <= LARGEST_SCRIPT) {
            byte[] bytes = Files.readAllBytes(path);
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            if ((text.startsWith("#!") || name.endsWith(".sh")) && text.contains("\r\n")) {
                this.repaired.add(name);
                byte[] repaired = text.replace("\r\n", "\n").getBytes(StandardCharsets.ISO_8859_1);
                plain.put(name, repaired);
                return new Entry(Sha256.of(repaired), repaired.length, executable);
            }
            return new Entry(Sha256.of(bytes), bytes.length, executable);
        }
        MeasuredOutput measured = new MeasuredOutput(OutputStream.nullOutputStream());
        try (InputStream file = Files.newInputStream(path)) {
            copy(file, measured, Long.MAX_VALUE);
        }
        return new Entry(measured.sha256(), measured.count(), executable);
    }

    @Override
    public void write(List<String> names, OutputStream out) throws IOException {
        for (String name : names) {
            write(name, 0, out);
        }
    }

    @Override
    public void write(String name, long from, OutputStream out) throws IOException {
        Entry entry = entry(name);
        byte[] own = plain.get(name);
        if (own != null) {
            out.write(own, (int) from, (int) (entry.size() - from));
            return;
        }
        try (InputStream file = opened(name)) {
            file.skipNBytes(from);
            long left = copy(file, out, entry.size() - from);
            if (left > 0) {
                throw new Unfit("'" + name + "' is " + left + " bytes shorter than it was");
            }
        }
    }

    private InputStream opened(String name) throws Unfit {
        try {
            return Files.newInputStream(root.resolve(name));
        } catch (IOException e) {
            throw new Unfit("'" + name + "' cannot be read any more: " + e.getMessage());
        }
    }

    private static long copy(InputStream from, OutputStream to, long most) throws IOException {
        byte[] piece = new byte[PIECE];
        long left = most;
        while (left > 0) {
            int count = from.read(piece, 0, (int) Math.min(PIECE, left));
            if (count < 0) {
                return left;
            }
            to.write(piece, 0, count);
            left -= count;
        }
        return 0;
    }

    private Entry entry(String name) {
        Entry entry = files.get(name);
        if (entry == null) {
            throw new IllegalArgumentException("'" + name + "' is no file of this tree");
        }
        return entry;
    }

    @Override
    public String version() {
        return Sha256.of(SourceTree.content(files, links).getBytes(StandardCharsets.UTF_8))
                .substring(0, VERSION_DIGITS);
    }
}
