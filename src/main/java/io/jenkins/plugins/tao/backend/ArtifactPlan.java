package io.jenkins.plugins.tao.backend;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.List;

/**
 * What to bring home when a job has ended. Logs and {@code status.json} always come.
 *
 * @param globs files below the results directory, as in {@code train/*.pth} or {@code **}{@code /*.onnx}
 * @param maxBytesPerFile larger files are left where they are, and told
 * @param maxBytes all files together
 */
public record ArtifactPlan(List<String> globs, long maxBytesPerFile, long maxBytes) {
    private static final long GIB = 1L << 30;

    public ArtifactPlan {
        globs = List.copyOf(globs);
        for (String glob : globs) {
            require(!glob.startsWith("/") && !glob.contains(".."), "'%s' must lie below the results directory", glob);
            require(!glob.isBlank() && glob.indexOf('\n') < 0, "a pattern of files to archive must be one line");
        }
        require(maxBytesPerFile > 0 && maxBytes > 0, "limits of an archive must be positive");
    }

    /** Logs, {@code status.json} and {@code globs}; at most 1 GiB a file and 4 GiB in all. */
    public static ArtifactPlan of(List<String> globs) {
        return new ArtifactPlan(globs, GIB, 4 * GIB);
    }
}
