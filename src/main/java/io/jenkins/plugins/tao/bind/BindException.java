package io.jenkins.plugins.tao.bind;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says which key of a record holds a wrong value. The message names the key as a form does. */
public final class BindException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> path;
    private final String inFile;
    private final boolean aboutKey;

    BindException(List<String> path, String message, String inFile, boolean aboutKey, @Nullable Throwable cause) {
        super(message, cause);
        this.path = List.copyOf(path);
        this.inFile = inFile;
        this.aboutKey = aboutKey;
    }

    /** The keys from the outside in, and the numbers of list entries; groups of a record are among them. */
    public List<String> path() {
        return path;
    }

    /** The whole sentence for a file, such as {@code 'time': expected a length of time, found 'soon'}, to be put after the line. */
    public String inFile() {
        return inFile.endsWith(".") ? inFile : inFile + ".";
    }

    /** Whether the key itself is wrong, not its value. */
    public boolean aboutKey() {
        return aboutKey;
    }
}
