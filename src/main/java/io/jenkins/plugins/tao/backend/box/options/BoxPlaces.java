package io.jenkins.plugins.tao.backend.box.options;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.text.Option;
import java.util.Optional;

/**
 * Where things lie on a box.
 *
 * @param dataDirectory data sets and downloads, {@code DATA_DIR} of the job
 * @param durableDirectory results of jobs that name no directory lie below it, {@code DURABLE_DIR}
 * @param scratchDirectory each job has its own directory below it, {@code SCRATCH}
 * @param hfHome caches of Hugging Face, {@code HF_HOME}
 * @param credentialFile a file of shell assignments on the box, mode 600 on a local disk, that is read before the command,
 *     {@code CRED_FILE}
 */
public record BoxPlaces(
        @Option(defaultsTo = "`data` below the base directory")
        Optional<String> dataDirectory,

        @Option(defaultsTo = "the base directory") Optional<String> durableDirectory,
        @Option(defaultsTo = "none") Optional<String> scratchDirectory,
        @Option(defaultsTo = "the user's own") Optional<String> hfHome,
        @Option(defaultsTo = "none") Optional<String> credentialFile) {
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
