package io.jenkins.plugins.tao.payload;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.http.HttpApi;
import io.jenkins.plugins.tao.http.HttpCredential;
import io.jenkins.plugins.tao.http.HttpReply;
import io.jenkins.plugins.tao.http.HttpRequest;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.http.HttpStream;
import io.jenkins.plugins.tao.job.Secret;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Talks to one bucket, by path and not by host name, as all storages of this kind understand it. Requests are signed
 * with the time that the storage itself tells, so that a wrong clock here does no harm. For one thread at a time, and
 * not for keeping: a signature is good for a quarter of an hour.
 */
final class S3Client implements AutoCloseable {
    private static final Pattern ETAG = Pattern.compile("[A-Za-z0-9._:-]{1,200}");
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final String RENEWAL =
            "Check the access key, the secret key and their permissions, and enter both keys again.";

    /** Keys by role are asked for anew this long before they run out, as AWS's own tools do. */
    private static final Duration EARLY = Duration.ofMinutes(5);

    private final S3Settings settings;
    private final S3Roles roles;
    private S3Settings.Keys keys;
    private final String bucket;
    private final URI endpoint;
    private final HttpApi api;
    private Optional<Instant> time = Optional.empty();

    /**
     * Looks up the keys, and connects to nothing yet.
     *
     * @throws Denied if there are none
     * @throws BackendException if what gives keys by role does not answer
     */
    S3Client(S3Settings settings, String bucket, HttpSettings http) throws BackendException {
        this(settings, bucket, http, S3Roles.ofMachine(http));
    }

    /** The same with keys by role from {@code roles}. */
    S3Client(S3Settings settings, String bucket, HttpSettings http, S3Roles roles) throws BackendException {
        this.settings = settings;
        this.roles = roles;
        keys = settings.keys(roles);
        this.bucket = bucket;
        this.endpoint =
                URI.create(settings.endpoint().orElse("https://s3." + settings.regionOrDefault() + ".amazonaws.com"));
        HttpCredential credential = HttpCredential.ofRequests("the S3 keys of the target", RENEWAL, hidden(keys));
        this.api = new HttpApi("S3 at " + endpoint.getHost(), endpoint.toString(), credential, http);
    }

    private static Secret[] hidden(S3Settings.Keys keys) {
        return Stream.concat(Stream.of(keys.secret(), keys.access()), keys.session().stream())
                .toArray(Secret[]::new);
    }

    /** One page of the objects whose keys begin with {@code prefix}. */
    S3Reply list(String prefix, int most, Optional<String> from) throws BackendException {
        TreeMap<String, String> query = new TreeMap<>(
                Map.of("list-type", "2", "encoding-type", "url", "max-keys", Integer.toString(most), "prefix", prefix));
        from.ifPresent(token -> query.put("continuation-token", token));
        HttpRequest request = HttpRequest.get("listing s3://" + bucket + "/" + prefix)
                .encodedPath(S3Signature.path(bucket))
                .encodedQuery(S3Signature.query(query));
        HttpReply reply = api.exchange(signed(request, "/" + bucket, query));
        if (!reply.ok()) {
            throw refusal(reply);
        }
        time = reply.date().or(() -> time);
        return S3Reply.parse(reply.text())
                .filter(S3Reply::isList)
                .orElseThrow(() -> unreadable("sent something that is no list of objects", reply.text()));
    }

    /** The content of one object. */
    HttpStream open(String key) throws BackendException {
        String path = bucket + "/" + key;
        HttpRequest request = HttpRequest.get("reading s3://" + path).encodedPath(S3Signature.path(path));
        HttpStream stream = api.open(signed(request, "/" + path, new TreeMap<>()));
        time = stream.date().or(() -> time);
        return stream;
    }

    /** The storage's own time, as of its last answer. */
    Optional<Instant> time() {
        return time;
    }

    /** Stores an object; returns its ETag. */
    String put(String key, byte[] content) throws BackendException {
        return etag(change("PUT", key, new TreeMap<>(), content));
    }

    /** Begins an object in parts; returns what its parts are sent with. */
    String beginParts(String key) throws BackendException {
        HttpReply reply = change("POST", key, new TreeMap<>(Map.of("uploads", "")), new byte[0]);
        String id =
                S3Reply.parse(reply.text()).map(said -> said.word("UploadId")).orElse("");
        if (id.isEmpty()) {
            throw unreadable("did not say how the parts of an object are called", reply.text());
        }
        return id;
    }

    /** Stores one part, from 1 on; returns its ETag. */
    String putPart(String key, String id, int number, byte[] content) throws BackendException {
        TreeMap<String, String> query = new TreeMap<>(Map.of("partNumber", Integer.toString(number), "uploadId", id));
        String etag = etag(change("PUT", key, query, content));
        if (!ETAG.matcher(etag).matches()) {
            throw unreadable("stored part " + number + " of an object and did not say its ETag", etag);
        }
        return etag;
    }

    /** Makes the object of its parts. */
    void completeParts(String key, String id, List<String> etags) throws BackendException {
        StringBuilder text = new StringBuilder("<CompleteMultipartUpload>");
        for (int i = 0; i < etags.size(); i++) {
            text.append("<Part><PartNumber>")
                    .append(i + 1)
                    .append("</PartNumber><ETag>\"")
                    .append(etags.get(i));
            text.append("\"</ETag></Part>");
        }
        byte[] body = text.append("</CompleteMultipartUpload>").toString().getBytes(StandardCharsets.UTF_8);
        HttpReply reply = change("POST", key, new TreeMap<>(Map.of("uploadId", id)), body);
        String said = S3Reply.parse(reply.text()).map(S3Reply::root).orElse("");
        if (said.equals("Error")) {
            throw refusal(reply); // told with HTTP 200, after a while of blanks
        }
        if (!said.equals("CompleteMultipartUploadResult")) {
            throw new Unreadable(
                    "S3 at " + endpoint.getHost() + " did not say that the object is made of its parts",
                    reply.text(),
                    "Submit again: what is whole in the bucket is not sent twice.");
        }
    }

    /** Drops parts that make no object. */
    void dropParts(String key, String id) throws BackendException {
        change("DELETE", key, new TreeMap<>(Map.of("uploadId", id)), new byte[0]);
    }

    /** Removes an object; one that is not there is removed. */
    void delete(String key) throws BackendException {
        change("DELETE", key, new TreeMap<>(), new byte[0]);
    }

    private static String etag(HttpReply reply) {
        return reply.header("ETag").orElse("").replace("\"", "");
    }

    private HttpReply change(String method, String key, SortedMap<String, String> query, byte[] content)
            throws BackendException {
        String path = bucket + "/" + key;
        String purpose = "writing s3://" + path;
        HttpRequest request =
                switch (method) {
                    case "PUT" -> HttpRequest.put(purpose).bytes(content);
                    case "POST" -> HttpRequest.post(purpose).bytes(content);
                    default -> HttpRequest.delete(purpose);
                };
        request.encodedPath(S3Signature.path(path));
        if (!query.isEmpty()) {
            request.encodedQuery(S3Signature.query(query));
        }
        HttpReply reply =
                api.exchange(signed(request, "/" + path, query, new Sent(method, S3Signature.checksum(content))));
        time = reply.date().or(() -> time);
        if (!reply.ok()) {
            throw refusal(reply);
        }
        return reply;
    }

    /**
     * What is sent.
     *
     * @param checksum of the body
     */
    private record Sent(String method, String checksum) {
        static final Sent NOTHING = new Sent("GET", S3Signature.EMPTY);
    }

    private HttpRequest signed(HttpRequest request, String path, SortedMap<String, String> query)
            throws BackendException {
        return signed(request, path, query, Sent.NOTHING);
    }

    private HttpRequest signed(HttpRequest request, String path, SortedMap<String, String> query, Sent sent)
            throws BackendException {
        TreeMap<String, String> headers = new TreeMap<>();
        Instant now = now();
        if (keys.expires().filter(end -> now.isAfter(end.minus(EARLY))).isPresent()) {
            keys = settings.keys(roles);
            request.hide(List.of(hidden(keys)));
        }
        headers.put("host", host());
        headers.put("x-amz-date", STAMP.format(now));
        headers.put("x-amz-content-sha256", sent.checksum());
        keys.session().ifPresent(token -> headers.put("x-amz-security-token", token.reveal()));
        String whole = S3Signature.path(endpoint.getPath() + path);
        String authorization = new S3Signature(settings.regionOrDefault(), keys.access(), keys.secret())
                .authorization(new S3Signature.Signed(sent.method(), whole, query, headers));
        HttpRequest signed = request.header("Authorization", authorization);
        for (Map.Entry<String, String> header : headers.tailMap("x-amz-").entrySet()) {
            signed = signed.header(header.getKey(), header.getValue());
        }
        return signed;
    }

    private String host() {
        int port = endpoint.getPort();
        boolean customary = port < 0 || port == (endpoint.getScheme().equals("https") ? 443 : 80);
        return customary ? endpoint.getHost() : endpoint.getHost() + ":" + port;
    }

    /** Any answer tells the time, a refusal too. */
    private Instant now() throws BackendException {
        if (time.isEmpty()) {
            HttpReply reply =
                    api.exchange(HttpRequest.head("asking for bucket " + bucket).encodedPath(S3Signature.path(bucket)));
            Optional<String> region = reply.header("x-amz-bucket-region");
            if (region.isPresent() && !region.get().equals(settings.regionOrDefault())) {
                throw wrongRegion(region.get());
            }
            time = reply.date();
        }
        return time.orElseThrow(() -> unreadable("does not report the time", "no header Date"));
    }

    private Unreadable unreadable(String what, String answer) {
        return new Unreadable(
                "S3 at " + endpoint.getHost() + " " + what,
                answer,
                "See that the endpoint is the address of the storage's S3 interface.");
    }

    private BackendException refusal(HttpReply reply) {
        S3Reply said = S3Reply.parse(reply.text()).orElseGet(S3Reply::silent);
        String place = "S3 at " + endpoint.getHost();
        return switch (said.word("Code")) {
            case "NoSuchBucket" ->
                new Rejected(
                        "There is no bucket '" + bucket + "' on " + place + ".",
                        "Correct the name, or the endpoint in the target's S3 settings.");
            case "InvalidAccessKeyId" ->
                new Denied(place + " does not know the access key.", "Give the access key of this storage.");
            case "SignatureDoesNotMatch" ->
                new Denied(
                        "The secret key does not belong to the access key, says " + place + ".",
                        "Enter both keys again; copy them completely.");
            case "ExpiredToken", "InvalidToken" ->
                new Denied(
                        "The session token does not belong to the S3 keys, or has expired, says " + place + ".",
                        "Enter both keys and the session token again.");
            case "AccessDenied" ->
                new Denied(
                        "The S3 keys may not list bucket '" + bucket + "' on " + place + ".",
                        "Allow them s3:ListBucket there, and s3:GetObject and s3:PutObject for its objects. See also"
                                + " that the secret key is right: a Ceph with a token service says the same of a wrong"
                                + " one.");
            case "AuthorizationHeaderMalformed", "PermanentRedirect", "IllegalLocationConstraintException" ->
                wrongRegion(said.word("Region"));
            default -> reply.error();
        };
    }

    private Rejected wrongRegion(String region) {
        String right = region.isEmpty() ? "another region" : "region " + region;
        return new Rejected(
                "Bucket '" + bucket + "' is in " + right + ", not in " + settings.regionOrDefault() + ".",
                "Set that region in the target's S3 settings (CLOUD_REGION).");
    }

    @Override
    public void close() {
        api.close();
    }
}
