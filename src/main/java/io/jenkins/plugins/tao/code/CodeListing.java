package io.jenkins.plugins.tao.code;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.SourceTree;
import io.jenkins.plugins.tao.backend.SourceTree.Entry;
import io.jenkins.plugins.tao.job.CodeId;
import io.jenkins.plugins.tao.job.text.Fingerprint;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the code of a directory is, without the contents: it travels from an agent to its controller.
 *
 * @param links what each symbolic link points to
 * @param commit the Git commit that is checked out; blank for none
 * @param dirty {@code true} or {@code false}: whether tracked files differ from the commit; blank without Git
 * @param notes what is to be reported of the files, a line each
 */
@SuppressWarnings("NonApiType") // a type that Java serializes
public record CodeListing(
        TreeMap<String, Entry> files, TreeMap<String, String> links, String commit, String dirty, String notes)
        implements Serializable {
    /** An empty part is that of a path from the root. */
    private static final Set<String> OUTSIDE = Set.of("", ".", "..");

    /**
     * The listing of a directory.
     *
     * @throws IllegalArgumentException if a name leads out of the directory: an agent may run what a pull request wrote
     */
    public CodeListing {
        files.keySet().forEach(CodeListing::requireInside);
        links.keySet().forEach(CodeListing::requireInside);
    }

    private static void requireInside(String name) {
        require(
                !name.isEmpty() && Arrays.stream(name.split("/", -1)).noneMatch(OUTSIDE::contains),
                "the code names a file '%s', which does not lie in its directory",
                name);
    }

    /** All files together. */
    public long bytes() {
        return files.values().stream().mapToLong(Entry::size).sum();
    }

    /** Regular files and links. */
    public int count() {
        return files.size() + links.size();
    }

    /** The name of the content. */
    public CodeId id() {
        return new CodeId(Fingerprint.of(SourceTree.content(files, links), CodeId.DIGITS));
    }
}
