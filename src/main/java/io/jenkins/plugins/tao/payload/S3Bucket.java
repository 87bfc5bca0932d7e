package io.jenkins.plugins.tao.payload;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.http.HttpCredential;
import io.jenkins.plugins.tao.http.HttpReply;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.http.HttpStream;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * One bucket, by path and not by host name, as all storages of this kind understand it. A wrong clock here does no harm: the SDK
 * corrects it by the storage's. For one thread at a time.
 */
final class S3Bucket implements AutoCloseable {
    private static final Pattern REGION = Pattern.compile("<Region>([^<]*)</Region>");
    private static final int PAGE = 1000;

    /** Keys by role are renewed this long before they expire, as AWS's own tools do. */
    private static final Duration EARLY = Duration.ofMinutes(5);

    private final S3Settings settings;
    private final HttpSettings way;
    private final String bucket;
    private final String storage;
    private final S3Http http;
    private final S3Client s3;
    private AwsCredentials keys;

    /**
     * Looks up the keys, and connects to nothing yet.
     *
     * @throws Denied if there are none
     * @throws BackendException if what gives keys by role does not answer
     */
    S3Bucket(S3Settings settings, String bucket, HttpSettings way) throws BackendException {
        this.settings = settings;
        this.way = way;
        this.bucket = bucket;
        keys = S3Keys.of(settings, way);
        String region = settings.regionOrDefault();
        URI endpoint = URI.create(settings.endpoint().orElse("https://s3." + region + ".amazonaws.com"));
        storage = "S3 at " + endpoint.getHost();
        HttpCredential credential = HttpCredential.ofRequests(
                "the S3 keys of the target",
                "Check the access key, the secret key and their permissions, and enter both keys again.");
        http = new S3Http(storage, endpoint, credential, way);
        s3 = http.client(S3Client.builder(), region, () -> keys)
                .forcePathStyle(true)
                .crossRegionAccessEnabled(false)
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .serviceConfiguration(how -> how.chunkedEncodingEnabled(false).expectContinueEnabled(false))
                .build();
    }

    /**
     * The objects whose keys begin with {@code prefix}.
     *
     * @param most no more than this many
     * @param wanted which of their keys count
     */
    List<S3Object> list(String prefix, int most, Predicate<String> wanted) throws BackendException {
        return call("listing s3://" + bucket + "/" + prefix, () -> {
            List<S3Object> found = new ArrayList<>();
            for (ListObjectsV2Response page : s3.listObjectsV2Paginator(which -> which.bucket(bucket)
                    .prefix(prefix)
                    .maxKeys(Math.min(most, PAGE))
                    .encodingType(EncodingType.URL))) {
                http.required(page.isTruncated(), "sent something that is not a list of objects");
                page.contents().stream()
                        .filter(object -> wanted.test(object.key()))
                        .limit(most - found.size())
                        .forEach(found::add);
                if (found.size() == most) {
                    break;
                }
            }
            return found;
        });
    }

    /** The first object whose key begins with {@code prefix}. */
    Optional<S3Object> first(String prefix) throws BackendException {
        return list(prefix, 1, any -> true).stream().findFirst();
    }

    /** The content of one object. */
    HttpStream open(String key) throws BackendException {
        return call("reading s3://" + bucket + "/" + key, () -> {
            s3.getObject(which -> which.bucket(bucket).key(key), ResponseTransformer.toInputStream());
            return http.content();
        });
    }

    /** The storage's own time, as of its last answer. */
    Optional<Instant> time() {
        return http.time();
    }

    /** Stores an object; returns its ETag. */
    String put(String key, byte[] content) throws BackendException {
        return written(
                key,
                "its ETag",
                () -> s3.putObject(to -> to.bucket(bucket).key(key), body(content))
                        .eTag());
    }

    /** Not copied: a part may be large. */
    private static RequestBody body(byte[] content) {
        return RequestBody.fromContentProvider(
                ContentStreamProvider.fromByteArrayUnsafe(content), content.length, "application/octet-stream");
    }

    /** Begins an object in parts; returns what its parts are sent with. */
    String beginParts(String key) throws BackendException {
        return written(
                key,
                "how the parts of an object are called",
                () -> s3.createMultipartUpload(to -> to.bucket(bucket).key(key)).uploadId());
    }

    /** Stores one part, from 1 on. */
    CompletedPart putPart(String key, String id, int number, byte[] content) throws BackendException {
        String etag = written(
                key,
                "the ETag of a part",
                () -> s3.uploadPart(
                                to -> to.bucket(bucket).key(key).uploadId(id).partNumber(number), body(content))
                        .eTag());
        return CompletedPart.builder().partNumber(number).eTag(etag).build();
    }

    /** Makes the object of its parts. */
    void completeParts(String key, String id, List<CompletedPart> parts) throws BackendException {
        written(
                key,
                "that the object is made of its parts",
                () -> s3.completeMultipartUpload(
                                to -> to.bucket(bucket).key(key).uploadId(id).multipartUpload(all -> all.parts(parts)))
                        .eTag());
    }

    /** Drops parts that make no object. */
    void dropParts(String key, String id) throws BackendException {
        written(
                key,
                "",
                () -> s3.abortMultipartUpload(
                        which -> which.bucket(bucket).key(key).uploadId(id)));
    }

    /** Removes an object; one that is not there is removed. */
    void delete(String key) throws BackendException {
        written(key, "", () -> s3.deleteObject(which -> which.bucket(bucket).key(key)));
    }

    /** Changes an object; {@code what} is what the answer must say. */
    private <T> T written(String key, String what, Supplier<T> change) throws BackendException {
        return call("writing s3://" + bucket + "/" + key, () -> http.required(change.get(), "did not say " + what));
    }

    private <T> T call(String purpose, S3Http.Call<T> call) throws BackendException {
        Optional<Instant> end = keys.expirationTime().map(time -> time.minus(EARLY));
        if (end.isPresent() && time().filter(end.get()::isBefore).isPresent()) {
            keys = S3Keys.of(settings, way);
        }
        return http.call(purpose, S3Keys.hidden(keys), this::refusal, call);
    }

    private BackendException refusal(String code, HttpReply reply) {
        return switch (code) {
            case "NoSuchBucket" ->
                new Rejected(
                        "There is no bucket '" + bucket + "' on " + storage + ".",
                        "Correct the name, or the endpoint in the target's S3 settings.");
            case "InvalidAccessKeyId" ->
                new Denied(storage + " does not know the access key.", "Give the access key of this storage.");
            case "SignatureDoesNotMatch" ->
                new Denied(
                        "The secret key does not belong to the access key, says " + storage + ".",
                        "Enter both keys again; copy them completely.");
            case "ExpiredToken", "InvalidToken" ->
                new Denied(
                        "The session token does not belong to the S3 keys, or has expired, says " + storage + ".",
                        "Enter both keys and the session token again.");
            case "AccessDenied" ->
                new Denied(
                        "The S3 keys may not list bucket '" + bucket + "' on " + storage + ".",
                        "Allow them s3:ListBucket there, and s3:GetObject and s3:PutObject for its objects. See also"
                                + " that the secret key is right: a Ceph with a token service says the same of a wrong"
                                + " one.");
            case "AuthorizationHeaderMalformed", "PermanentRedirect", "IllegalLocationConstraintException" ->
                wrongRegion(reply);
            default -> reply.error();
        };
    }

    private Rejected wrongRegion(HttpReply reply) {
        Matcher named = REGION.matcher(reply.text());
        String right = named.find()
                ? "region " + named.group(1)
                : reply.header("x-amz-bucket-region")
                        .map(region -> "region " + region)
                        .orElse("another region");
        return new Rejected(
                "Bucket '" + bucket + "' is in " + right + ", not in " + settings.regionOrDefault() + ".",
                "Set that region in the target's S3 settings (CLOUD_REGION).");
    }

    @Override
    public void close() {
        s3.close();
        http.close();
    }
}
