package io.jenkins.plugins.tao.backend.box.options;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.Optional;

/**
 * Where things lie on a box.
 *
 * @param dataDirectory data sets and downloads, {@code DATA_DIR} of the job; empty for {@code data} below the base directory
 * @param durableDirectory results of jobs that name no directory lie below it, {@code DURABLE_DIR}; empty for the base directory
 * @param scratchDirectory each job has its own directory below it, {@code SCRATCH}; empty for none
 * @param hfHome caches of Hugging Face, {@code HF_HOME}; empty for the user's own
 * @param credentialFile a file of shell assignments on the box, mode 600 on a local disk, that is read before the command,
 *     {@code CRED_FILE}; empty for none
 */
public record BoxPlaces(
        Optional<String> dataDirectory,
        Optional<String> durableDirectory,
        Optional<String> scratchDirectory,
        Optional<String> hfHome,
        Optional<String> credentialFile) {
    /** Everything below the base directory. */
    public static final BoxPlaces NONE =
            new BoxPlaces(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    public BoxPlaces {
        check("dataDirectory", dataDirectory);
        check("durableDirectory", durableDirectory);
        check("scratchDirectory", scratchDirectory);
        check("hfHome", hfHome);
        check("credentialFile", credentialFile);
    }

    private static void check(String name, Optional<String> path) {
        path.ifPresent(text -> requirePath(name, text));
    }

    /** Paths go through line-based lists and through tmux's own shell: plain characters alone. */
    static void requirePath(String name, String path) {
        require(
                path.matches("/[A-Za-z0-9._@+=,/-]*") && !path.contains("/../") && !path.endsWith("/.."),
                "%s must be an absolute path of letters, digits and . _ @ + = , - /, was '%s'",
                name,
                path);
    }
}
