package io.jenkins.plugins.tao.backend.box.options;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.text.Option;
import java.time.Duration;
import java.util.Optional;

/**
 * How jobs reach the world from a box.
 *
 * @param hfEndpoint a mirror of Hugging Face, {@code HF_ENDPOINT}
 * @param hfTransfer whether models are fetched by {@code hf_transfer}, {@code HF_HUB_ENABLE_HF_TRANSFER}
 * @param proxyHook shell text that is run in the job's shell before anything else, {@code PROXY_HOOK}
 * @param downloadStall how long a download may stand still before it is broken off and resumed
 */
public record BoxNetwork(
        @Option(defaultsTo = "none") Optional<String> hfEndpoint,
        @Option(defaultsTo = "no") Optional<Boolean> hfTransfer,
        @Option(defaultsTo = "none") Optional<String> proxyHook,
        @Option(defaultsTo = "a minute") Optional<Duration> downloadStall) {
    private static final Duration STALL = Duration.ofMinutes(1);

    public BoxNetwork {
        hfEndpoint.ifPresent(
                text -> require(text.matches("https?://\\S+"), "hfEndpoint must be an http address, was '%s'", text));
        downloadStall.ifPresent(
                time -> require(time.toSeconds() >= 1, "downloadStall must be at least one second, was %s", time));
    }

    public Duration stall() {
        return downloadStall.orElse(STALL);
    }
}
