package io.jenkins.plugins.tao.backend.kubernetes;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.Optional;

/**
 * A persistent volume claim in the pods, as text {@code claim:/path} or {@code claim:/path:ro}.
 *
 * @param claim the name of the claim, in the job's namespace
 * @param path where the container sees it
 * @param readOnly whether the job may only read
 */
record VolumeMount(String claim, String path, boolean readOnly) {
    static VolumeMount parse(String text) {
        String[] parts = text.strip().split(":", -1);
        boolean known = parts.length == 2 || (parts.length == 3 && (parts[2].equals("ro") || parts[2].equals("rw")));
        require(known, "volumes: '%s' must be claim:/path or claim:/path:ro", text);
        KubernetesWords.name("volumes", Optional.of(parts[0]));
        String path = KubernetesWords.withoutSlash(parts[1]);
        KubernetesWords.path("volumes", path);
        require(path.length() > 1, "volumes: '%s' must not be mounted at /", parts[0]);
        return new VolumeMount(parts[0], path, parts.length == 3 && parts[2].equals("ro"));
    }

    /** Whether {@code file} lies on this volume. */
    boolean holds(String file) {
        return file.equals(path) || file.startsWith(path + "/");
    }
}
