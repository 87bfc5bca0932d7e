package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * An S3-compatible storage, as the nested setting {@code s3} of a target.
 *
 * @param endpoint where it answers, such as {@code https://minio.example:9000}; empty for Amazon's own
 * @param region empty for {@code us-east-1}
 * @param bucket where results go, below {@code results/}; empty if jobs only read
 * @param accessKey the key's id
 * @param secretKey the key
 * @param uploadEvery how often results go to S3 while a job runs; empty for every five minutes, zero for the end only
 * @param exclude files not to upload, as in {@code *.tmp} or {@code cache/**}
 */
public record S3Settings(
        Optional<String> endpoint,
        Optional<String> region,
        Optional<String> bucket,
        Secret accessKey,
        Secret secretKey,
        Optional<Duration> uploadEvery,
        List<String> exclude) {
    private static final String DEFAULT_REGION = "us-east-1";
    private static final String BUCKET = "[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]";

    public S3Settings {
        endpoint = endpoint.map(text -> text.replaceAll("/+$", ""));
        endpoint.ifPresent(text -> require(
                text.matches("https?://[^/?#@\\s]+(/[^?#\\s]*)?"),
                "endpoint must be like https://minio.example:9000, without user or query, was '%s'",
                text));
        region.ifPresent(text -> require(text.matches("[a-z0-9-]+"), "'%s' is not a region such as us-east-1", text));
        bucket.ifPresent(text ->
                require(text.matches(BUCKET), "'%s' is not the name of a bucket; write it without s3://", text));
        require(!accessKey.reveal().isBlank(), "the access key must not be empty");
        require(!secretKey.reveal().isBlank(), "the secret key must not be empty");
        uploadEvery.ifPresent(time -> require(!time.isNegative(), "uploadEvery must not be negative, was %s", time));
        exclude = List.copyOf(exclude);
    }

    /** The region, by default {@code us-east-1}. */
    public String regionOrDefault() {
        return region.orElse(DEFAULT_REGION);
    }
}
