package io.jenkins.plugins.tao.backend;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.List;
import lombok.With;

/**
 * What to bring home when a job has ended. Logs and {@code status.json} always come.
 *
 * @param globs files below the results directory, as in {@code train/*.pth} or {@code **}{@code /*.onnx}
 * @param maxBytesPerFile larger files are left where they are, and told
 * @param maxBytes all files together
 * @param fromVolume whether files on a volume that jobs alone see are asked for, whatever job and target say of it
 */
public record ArtifactPlan(@With List<String> globs, long maxBytesPerFile, long maxBytes, boolean fromVolume) {
    public ArtifactPlan {
        globs = List.copyOf(globs);
        for (String glob : globs) {
            require(!glob.startsWith("/") && !glob.contains(".."), "'%s' must lie below the results directory", glob);
            require(!glob.isBlank() && glob.indexOf('\n') < 0, "a pattern of files to archive must be one line");
        }
        require(maxBytesPerFile > 0 && maxBytes > 0, "limits of an archive must be positive");
    }

    /** The same without a word on volumes. */
    public ArtifactPlan(List<String> globs, long maxBytesPerFile, long maxBytes) {
        this(globs, maxBytesPerFile, maxBytes, false);
    }

    /** Logs, {@code status.json} and {@code globs}, within the usual limits. */
    public static ArtifactPlan of(List<String> globs) {
        return of(globs, ArtifactLimits.USUAL);
    }

    /** The same within other limits. */
    public static ArtifactPlan of(List<String> globs, ArtifactLimits limits) {
        return new ArtifactPlan(globs, limits.maxBytesPerFile(), limits.maxBytes());
    }

    /** Its patterns and those of the status file, which always comes. */
    public List<String> withStatus() {
        return java.util.stream.Stream.concat(Stream.STATUS_FILES.stream(), globs.stream())
                .toList();
    }

    /** The same plan with files on a volume that jobs alone see, or without. */
    public ArtifactPlan fromVolume(boolean wanted) {
        return new ArtifactPlan(globs, maxBytesPerFile, maxBytes, wanted);
    }

    /** The same plan within a smaller limit of all files together. */
    public ArtifactPlan within(long bytes) {
        return new ArtifactPlan(globs, Math.min(maxBytesPerFile, bytes), Math.min(maxBytes, bytes), fromVolume);
    }
}
