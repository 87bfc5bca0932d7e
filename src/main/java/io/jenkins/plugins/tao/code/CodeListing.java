package io.jenkins.plugins.tao.code;

import io.jenkins.plugins.tao.backend.SourceTree;
import io.jenkins.plugins.tao.backend.SourceTree.Entry;
import io.jenkins.plugins.tao.job.CodeId;
import io.jenkins.plugins.tao.job.Fingerprint;
import java.io.Serializable;
import java.util.TreeMap;

/**
 * What the code of a directory is, without the contents: it travels from an agent to its controller.
 *
 * @param links what each symbolic link points to
 * @param commit the Git commit that is checked out; blank for none
 * @param dirty {@code true} or {@code false}: whether tracked files differ from the commit; blank without Git
 */
@SuppressWarnings("NonApiType") // a type that Java serializes
public record CodeListing(TreeMap<String, Entry> files, TreeMap<String, String> links, String commit, String dirty)
        implements Serializable {

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
