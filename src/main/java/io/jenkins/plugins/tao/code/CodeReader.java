package io.jenkins.plugins.tao.code;

import io.jenkins.plugins.tao.backend.SourceTree.Entry;
import io.jenkins.plugins.tao.backend.SourceTree.Unfit;
import io.jenkins.plugins.tao.job.text.Fingerprint;
import io.jenkins.plugins.tao.job.text.Sentences;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads a directory: as code, the tracked files of a checkout, else all files, less what {@code .taoignore} names; or whole, but for {@code .git}. */
final class CodeReader {
    private static final String IGNORE_FILE = ".taoignore";
    /** The names that a target keeps its own notes under. */
    private static final Set<String> TAKEN = Set.of(".tao-manifest", ".tao-executable");

    /** NAME_MAX of Linux; a path needs room below the target's base directory, so less than PATH_MAX. */
    private static final int LONGEST_NAME = 255;

    private static final int LONGEST_PATH = 3000;
    private static final int LARGEST_SHOWN = 3;
    private static final int MIB_BITS = 20;

    private final Path root;
    private final Optional<CodeLimits> limits;
    private final List<String> repaired = new ArrayList<>();
    private final List<String> pointers = new ArrayList<>();

    /** Without limits the directory is read whole. */
    CodeReader(Path root, Optional<CodeLimits> limits) {
        this.root = root.toAbsolutePath().normalize();
        this.limits = limits;
    }

    CodeListing read() throws IOException {
        if (!Files.isDirectory(root)) {
            throw new Unfit("'" + root + "' is no directory");
        }
        Optional<GitFiles> git = limits.isPresent() ? GitFiles.of(root) : Optional.empty();
        IgnoreRules rules = rules();
        Map<String, Long> sizes = chosen(git.isPresent() ? git.get().tracked() : everything(rules), rules);
        if (limits.isPresent()) {
            checkAmount(sizes, limits.get());
        }
        TreeMap<String, Entry> files = new TreeMap<>();
        TreeMap<String, String> links = new TreeMap<>();
        for (String name : sizes.keySet()) {
            Path file = root.resolve(name);
            if (Files.isSymbolicLink(file)) {
                links.put(name, link(name, file));
            } else {
                files.put(name, entry(name, file));
            }
        }
        return git.isPresent()
                ? new CodeListing(
                        files,
                        links,
                        git.get().commit().orElse(""),
                        String.valueOf(git.get().dirty()),
                        notes())
                : new CodeListing(files, links, "", "", notes());
    }

    /** All files below a directory that is in no checkout, less those that are ignored; more than may be sent are not listed to the end. */
    private List<String> everything(IgnoreRules rules) throws IOException {
        long most = limits.map(limit -> 2L * limit.files() + 1).orElse(Long.MAX_VALUE);
        try (Stream<Path> walk = Files.walk(root)) {
            return walk.filter(path -> !path.equals(root) && !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
                    .map(path -> root.relativize(path).toString().replace(File.separatorChar, '/'))
                    .filter(name -> !name.startsWith(".git/") && !rules.ignores(name))
                    .limit(most)
                    .toList();
        }
    }

    /** The sizes of what is sent; a tracked file that is deleted here is not part of the code, nor is a submodule without files. */
    private Map<String, Long> chosen(List<String> names, IgnoreRules rules) throws IOException {
        Map<String, Long> sizes = new TreeMap<>();
        for (String name : names) {
            if (rules.ignores(name)) {
                continue;
            }
            checkName(name);
            Path file = root.resolve(name);
            boolean link = Files.isSymbolicLink(file);
            if (!link && (Files.isDirectory(file) || !Files.exists(file))) {
                continue;
            }
            if (!link && !Files.isRegularFile(file)) {
                throw new Unfit("'" + name + "' is neither a file, a directory nor a symbolic link");
            }
            sizes.put(name, link ? 0L : Files.size(file));
        }
        return sizes;
    }

    private IgnoreRules rules() throws IOException {
        Path file = root.resolve(IGNORE_FILE);
        return IgnoreRules.parse(limits.isPresent() && Files.exists(file) ? Files.readString(file) : "");
    }

    private static void checkName(String name) throws Unfit {
        if (name.chars().anyMatch(Character::isISOControl)) {
            throw new Unfit("the name '" + name.replaceAll("\\p{Cntrl}", "?") + "' has a control character in it");
        }
        if (TAKEN.contains(name)) {
            throw new Unfit("the name '" + name + "' is used by the target itself");
        }
        boolean pathTooLong = name.getBytes(StandardCharsets.UTF_8).length > LONGEST_PATH;
        for (String part : name.split("/", -1)) {
            if (pathTooLong || part.getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME) {
                throw new Unfit("the name '" + part + "' is longer than file systems take: " + LONGEST_NAME
                        + " bytes a name, " + LONGEST_PATH + " a path");
            }
        }
    }

    private static void checkAmount(Map<String, Long> sizes, CodeLimits limits) throws Unfit {
        long bytes = sizes.values().stream().mapToLong(Long::longValue).sum();
        if (sizes.isEmpty()) {
            throw new Unfit("it has no files: in a Git checkout only tracked files count, so 'git add' them first");
        }
        if (sizes.size() > limits.files()) {
            throw new Unfit("it has " + sizes.size() + " files or more, and the limit is " + limits.files()
                    + "; most are in " + largest(sizes, false) + ". Name what is not code in " + IGNORE_FILE);
        }
        if (bytes > limits.bytes()) {
            throw new Unfit("it has " + (bytes >> MIB_BITS) + " MiB, and the limit is " + limits.mebibytes()
                    + " MiB; most are in " + largest(sizes, true) + ". Name what is not code in " + IGNORE_FILE);
        }
    }

    /** The entries at the top with the most bytes or files. */
    private static String largest(Map<String, Long> sizes, boolean bytes) {
        Map<String, Long> tops = sizes.entrySet().stream()
                .collect(Collectors.groupingBy(
                        file -> file.getKey().replaceFirst("/.*", "/"),
                        Collectors.summingLong(file -> bytes ? file.getValue() : 1)));
        return tops.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(LARGEST_SHOWN)
                .map(top -> bytes
                        ? String.format(Locale.ROOT, "%s (%d MiB)", top.getKey(), top.getValue() >> MIB_BITS)
                        : String.format(Locale.ROOT, "%s (%d files)", top.getKey(), top.getValue()))
                .collect(Collectors.joining(", "));
    }

    private String link(String name, Path path) throws IOException {
        Path target = Files.readSymbolicLink(path);
        Path leads = path.resolveSibling(target).normalize();
        if (target.isAbsolute() || !leads.startsWith(root)) {
            throw new Unfit("the symbolic link '" + name + "' leads to " + target + ", out of the directory");
        }
        if (limits.isEmpty() && !Files.exists(leads)) {
            throw new Unfit("the symbolic link '" + name + "' leads to " + target + ", which is not there");
        }
        return target.toString();
    }

    private Entry entry(String name, Path path) throws IOException {
        MessageDigest sum = Fingerprint.sha256();
        try {
            SentFile file = SentFile.of(name, path);
            if (file.repaired()) {
                repaired.add(name);
            }
            if (file.pointer()) {
                pointers.add(name);
            }
            try (InputStream in = new DigestInputStream(file.open(), sum)) {
                long size = in.transferTo(OutputStream.nullOutputStream());
                return new Entry(HexFormat.of().formatHex(sum.digest()), size, Files.isExecutable(path));
            }
        } catch (IOException e) {
            throw new Unfit("'" + path + "' cannot be read: " + Sentences.why(e));
        }
    }

    private String notes() {
        String notes = repaired.isEmpty()
                ? ""
                : "took the line ends of Windows (CR) out of " + some(repaired)
                        + "; '*.sh text eol=lf' in .gitattributes keeps them out\n";
        return pointers.isEmpty()
                ? notes
                : notes + "WARNING: not the file but a pointer of Git LFS is sent for " + some(pointers)
                        + "; run 'git lfs pull' before, or name in " + IGNORE_FILE + " what the job does not need\n";
    }

    private static String some(List<String> names) {
        String shown = String.join(", ", names.subList(0, Math.min(LARGEST_SHOWN, names.size())));
        return names.size() > LARGEST_SHOWN ? shown + " and " + (names.size() - LARGEST_SHOWN) + " more" : shown;
    }
}
