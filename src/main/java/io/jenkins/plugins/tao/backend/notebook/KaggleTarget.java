package io.jenkins.plugins.tao.backend.notebook;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.http.HttpProxy;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.text.Option;
import java.time.Duration;
import java.util.Optional;

/**
 * A Kaggle account.
 *
 * @param name what jobs call it
 * @param username the account, as its notebooks' addresses begin
 * @param key the API key of {@code kaggle.json}; this or {@code token} is needed
 * @param token an API token
 * @param url where the API is
 * @param proxy the way out of this network
 * @param accelerator what jobs with GPUs run on unless they say
 * @param internet whether notebooks reach the internet unless the job says
 * @param gpuSession how long Kaggle lets a session with GPUs live
 * @param cpuSession how long it lets one without live
 */
public record KaggleTarget(
        String name,
        String username,
        Optional<Secret> key,
        Optional<Secret> token,
        @Option(defaultsTo = "`" + URL + "`") Optional<String> url,
        @Option(defaultsTo = "none") Optional<HttpProxy> proxy,

        @Option(defaultsTo = "`" + ACCELERATOR + "`, which is two of them")
        Optional<String> accelerator,

        @Option(defaultsTo = "yes") Optional<Boolean> internet,
        @Option(defaultsTo = "9 hours") Optional<Duration> gpuSession,
        @Option(defaultsTo = "12 hours") Optional<Duration> cpuSession)
        implements Target {
    private static final String URL = "https://api.kaggle.com";
    private static final String ACCELERATOR = "NvidiaTeslaT4";
    private static final Duration GPU_SESSION = Duration.ofHours(9);
    private static final Duration CPU_SESSION = Duration.ofHours(12);

    public KaggleTarget {
        require(name.matches("[A-Za-z0-9._-]+"), "target name '%s' must be letters, digits and . _ -", name);
        require(
                username.matches("[A-Za-z0-9][A-Za-z0-9_-]*"),
                "username '%s' must be letters, digits, - and _, as in kaggle.com/<username>",
                username);
        require(
                key.isPresent() != token.isPresent(),
                "target '%s' needs either a key (of kaggle.json) or a token, and not both",
                name);
        accelerator.ifPresent(KaggleWords::accelerator);
        gpuSession.ifPresent(limit -> KaggleWords.session("gpuSession", limit));
        cpuSession.ifPresent(limit -> KaggleWords.session("cpuSession", limit));
    }

    String address() {
        return url.orElse(URL);
    }

    String usualAccelerator() {
        return accelerator.orElse(ACCELERATOR);
    }

    Duration session(boolean gpu) {
        return gpu ? gpuSession.orElse(GPU_SESSION) : cpuSession.orElse(CPU_SESSION);
    }
}
