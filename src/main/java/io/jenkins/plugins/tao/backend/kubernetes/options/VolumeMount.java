package io.jenkins.plugins.tao.backend.kubernetes.options;

import static io.jenkins.plugins.tao.job.Require.require;

import io.fabric8.kubernetes.api.model.VolumeBuilder;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A volume in the pods, as text {@code claim:/path} or {@code claim:/path:ro}; volumes of other kinds as {@code
 * secret=name:/path}, {@code configMap=name:/path}, {@code hostPath=/directory:/path}, {@code emptyDir=200Gi:/path} and
 * {@code nfs=server/export:/path}.
 *
 * @param kind what it is
 * @param claim the name of the claim in the job's namespace; for other kinds what stands behind {@code =}
 * @param path where the container sees it
 * @param readOnly whether the job may only read
 */
public record VolumeMount(Kind kind, String claim, String path, boolean readOnly) {
    /** What a volume is. */
    enum Kind {
        CLAIM(""),
        SECRET("secret"),
        CONFIG_MAP("configMap"),
        HOST_PATH("hostPath"),
        EMPTY_DIR("emptyDir"),
        NFS("nfs");

        private final String word;

        Kind(String word) {
            this.word = word;
        }
    }

    public static VolumeMount parse(String text) {
        String[] parts = text.strip().split(":", -1);
        boolean known = parts.length == 2 || (parts.length == 3 && (parts[2].equals("ro") || parts[2].equals("rw")));
        require(known, "volumes: '%s' must be claim:/path or claim:/path:ro", text);
        int equals = parts[0].indexOf('=');
        Kind kind = equals < 0 ? Kind.CLAIM : kind(parts[0].substring(0, equals));
        String source = parts[0].substring(equals + 1);
        check(kind, source);
        String path = KubernetesWords.withoutSlash(parts[1]);
        KubernetesWords.path("volumes", path);
        require(path.length() > 1, "volumes: '%s' must not be mounted at /", parts[0]);
        return new VolumeMount(kind, source, path, parts.length == 3 && parts[2].equals("ro"));
    }

    private static Kind kind(String word) {
        return Arrays.stream(Kind.values())
                .filter(kind -> kind != Kind.CLAIM && kind.word.equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("volumes: there is no kind '" + word + "'; use one of "
                        + Arrays.stream(Kind.values())
                                .map(kind -> kind.word)
                                .filter(each -> !each.isEmpty())
                                .collect(Collectors.joining(", "))));
    }

    private static void check(Kind kind, String source) {
        switch (kind) {
            case CLAIM, SECRET, CONFIG_MAP -> KubernetesWords.name("volumes", Optional.of(source));
            case HOST_PATH -> KubernetesWords.path("volumes: hostPath", source);
            case EMPTY_DIR -> KubernetesWords.quantity("volumes: emptyDir", Optional.of(source));
            case NFS ->
                require(
                        source.matches("[A-Za-z0-9.-]+/[A-Za-z0-9._/-]+"),
                        "volumes: nfs must be server/export, was '%s'",
                        source);
        }
    }

    /** Whether {@code file} lies on this volume. */
    public boolean holds(String file) {
        return file.equals(path) || file.startsWith(path + "/");
    }

    public boolean isClaim() {
        return kind == Kind.CLAIM;
    }

    /** Whether what is written there outlives the pod. */
    public boolean outlives() {
        return kind == Kind.CLAIM || kind == Kind.HOST_PATH || kind == Kind.NFS;
    }

    /** What pods that mount it at several paths need once. */
    public String source() {
        return kind + "=" + claim;
    }

    /** The volume of a pod. */
    public VolumeBuilder volume(String name, boolean allReadOnly) {
        VolumeBuilder volume = new VolumeBuilder().withName(name);
        int slash = claim.indexOf('/');
        return switch (kind) {
            case CLAIM -> volume.withNewPersistentVolumeClaim(claim, allReadOnly);
            case SECRET -> volume.withNewSecret().withSecretName(claim).endSecret();
            case CONFIG_MAP -> volume.withNewConfigMap().withName(claim).endConfigMap();
            case HOST_PATH -> volume.withNewHostPath(claim, null);
            case EMPTY_DIR -> volume.withNewEmptyDir().withNewSizeLimit(claim).endEmptyDir();
            case NFS -> volume.withNewNfs(claim.substring(slash), allReadOnly, claim.substring(0, slash));
        };
    }
}
