package io.jenkins.plugins.tao.backend.lepton.options;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.http.HttpProxy;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.text.OnePerLine;
import io.jenkins.plugins.tao.job.text.Option;
import io.jenkins.plugins.tao.payload.S3Settings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A workspace of DGX Cloud Lepton.
 *
 * @param name what users call it
 * @param workspace the workspace's id
 * @param token an access token of it; {@code workspace:token}, as the dashboard shows it, is taken too
 * @param url the service, without the workspace
 * @param nodeGroup the dedicated node group of jobs that name none, by name or id
 * @param resourceShape the shape of jobs that name none
 * @param mounts volumes for every job, as {@link LeptonMount} reads them
 * @param ngcKey an NGC API key, made into a pull secret once
 * @param pullSecret a pull secret that the workspace has already; wins over {@code ngcKey}
 * @param sharedMemory {@code /dev/shm} in MiB
 * @param archiveAfter how long an ended job stays among the live ones
 * @param failureAnalysis path of the service's own failure analysis below the workspace, with <code>{job}</code>
 * @param s3 where data comes from and results go to
 * @param proxy the way out of this network
 */
public record LeptonTarget(
        String name,
        String workspace,
        Secret token,
        @Option(defaultsTo = "NVIDIA's own") Optional<String> url,
        @Option(defaultsTo = "the shared machines") Optional<String> nodeGroup,

        @Option(defaultsTo = "one found by the number of GPUs")
        Optional<String> resourceShape,

        @Option(defaultsTo = "one found in the node group") @OnePerLine
        List<String> mounts,

        Optional<Secret> ngcKey,
        Optional<String> pullSecret,

        @Option(defaultsTo = "" + SHARED_MEMORY, unit = "MiB")
        OptionalInt sharedMemory,

        @Option(defaultsTo = "three days") Optional<Duration> archiveAfter,
        Optional<String> failureAnalysis,
        Optional<S3Settings> s3,
        Optional<HttpProxy> proxy)
        implements Target {
    private static final String SERVICE = "https://gateway.dgxc-lepton.nvidia.com";
    private static final String PATH = "/api/v2/workspaces/";
    private static final int SHARED_MEMORY = 131_072;
    private static final Duration THREE_DAYS = Duration.ofDays(3);

    public LeptonTarget {
        require(name.matches("[A-Za-z0-9._-]+"), "'%s' is not a target name: letters, digits, '.', '_' and '-'", name);
        require(
                !workspace.isBlank(),
                "target '%s' needs the key workspace: the workspace's id (LEPTON_WORKSPACE_ID)",
                name);
        require(
                workspace.matches("[A-Za-z0-9][A-Za-z0-9_-]*"),
                "workspace of target '%s' must be an id of letters, digits and hyphens; the token goes into its own key",
                name);
        require(
                !token.reveal().isBlank(),
                "target '%s' needs the key token: an access token of workspace '%s' (LEPTON_AUTH_TOKEN)",
                name,
                workspace);
        token = bare(workspace, token);
        url = url.map(text -> text.replaceAll("/+$", ""));
        mounts = List.copyOf(mounts);
        mounts.forEach(LeptonMount::parse);
        sharedMemory.ifPresent(mib -> require(mib > 0, "sharedMemory must be positive MiB, was %d", mib));
        archiveAfter.ifPresent(time -> require(!time.isNegative(), "archiveAfter must not be negative, was %s", time));
        failureAnalysis.ifPresent(path -> require(
                path.matches("[A-Za-z0-9_./{}-]+") && path.contains("{job}") && !path.contains(".."),
                "failureAnalysis must be a path with {job}, such as jobs/{job}/failure-analysis, was '%s'",
                path));
    }

    private static Secret bare(String workspace, Secret token) {
        String text = token.reveal().strip();
        return text.startsWith(workspace + ":") ? Secret.of(text.substring(workspace.length() + 1)) : Secret.of(text);
    }

    /** Where all calls go. */
    public String baseUrl() {
        return url.orElse(SERVICE) + PATH + workspace;
    }

    /** As errors name it. */
    public String service() {
        return "Lepton workspace '" + workspace + "' (target '" + name + "')";
    }

    public int sharedMemoryOrDefault() {
        return sharedMemory.orElse(SHARED_MEMORY);
    }

    public Duration archiveAfterOrDefault() {
        return archiveAfter.orElse(THREE_DAYS);
    }
}
