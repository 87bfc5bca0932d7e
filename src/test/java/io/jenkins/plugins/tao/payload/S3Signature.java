package io.jenkins.plugins.tao.payload;

import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.text.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import mockwebserver3.RecordedRequest;
import okio.ByteString;

/**
 * Signs requests to S3, and judges those of others, without AWS's SDK. Pure.
 *
 * @param region the bucket's region
 * @param accessKey the key's id
 * @param secretKey the key
 * @see <a href="https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html">Amazon S3 API Reference,
 *     "Authenticating Requests: Using the Authorization Header (AWS Signature Version 4)"</a>
 */
record S3Signature(String region, Secret accessKey, Secret secretKey) {
    /** The SHA-256 of nothing, for requests without a body. */
    static final String EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final Duration PATIENCE = Duration.ofMinutes(15);
    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final String UNRESERVED = "-_.~";

    /**
     * What is signed.
     *
     * @param path as it is sent, each part percent-encoded
     * @param query parameters, not encoded
     * @param headers names in small letters; among them {@code host}, {@code x-amz-date} and
     *     {@code x-amz-content-sha256}
     */
    record Signed(String method, String path, SortedMap<String, String> query, SortedMap<String, String> headers) {}

    /** The value of the header {@code Authorization}. */
    String authorization(Signed request) {
        String time = header(request, "x-amz-date");
        String scope = String.join("/", time.substring(0, "yyyyMMdd".length()), region, "s3", "aws4_request");
        String names = String.join(";", request.headers().keySet());
        String text = String.join("\n", ALGORITHM, time, scope, sha256(canonical(request, names)));
        byte[] key = ("AWS4" + secretKey.reveal()).getBytes(StandardCharsets.UTF_8);
        for (String word : scope.split("/", -1)) {
            key = hmac(key, word);
        }
        return ALGORITHM + " Credential=" + accessKey.reveal() + "/" + scope + ", SignedHeaders=" + names
                + ", Signature=" + HexFormat.of().formatHex(hmac(key, text));
    }

    private static String canonical(Signed request, String names) {
        List<String> lines = new ArrayList<>(List.of(request.method(), request.path(), query(request.query())));
        request.headers().forEach((name, value) -> lines.add(name + ":" + value.strip()));
        lines.addAll(List.of("", names, header(request, "x-amz-content-sha256")));
        return String.join("\n", lines);
    }

    private static String header(Signed request, String name) {
        String value = request.headers().get(name);
        if (value == null) {
            throw new IllegalArgumentException("a signed request needs the header " + name);
        }
        return value;
    }

    /** The query as it is sent. */
    static String query(SortedMap<String, String> parameters) {
        List<String> pairs = new ArrayList<>();
        parameters.forEach((name, value) -> pairs.add(encode(name, "") + "=" + encode(value, "")));
        return String.join("&", pairs);
    }

    /** The path of an object as it is sent. */
    static String path(String path) {
        return encode(path, "/");
    }

    private static String encode(String text, String kept) {
        StringBuilder encoded = new StringBuilder();
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (each & 0xff);
            boolean plain = c < 0x80 && (Character.isLetterOrDigit(c) || (UNRESERVED + kept).indexOf(c) >= 0);
            encoded.append(
                    plain
                            ? String.valueOf(c)
                            : "%" + HexFormat.of().withUpperCase().toHexDigits(each));
        }
        return encoded.toString();
    }

    private static String sha256(String text) {
        return checksum(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The SHA-256 of a body, in hexadecimal digits. */
    static String checksum(byte[] content) {
        return HexFormat.of().formatHex(Fingerprint.sha256().digest(content));
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, mac.getAlgorithm()));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }

    /** As S3 does it: the request is signed again with the key it names, and both must be the same. */
    Optional<String> refusal(RecordedRequest request, Optional<Secret> session, Instant now) {
        String[] target = request.getTarget().split("\\?", 2);
        String given =
                Optional.ofNullable(request.getHeaders().get("Authorization")).orElse("");
        if (given.isEmpty()) {
            return Optional.of("AccessDenied");
        }
        Instant sent = STAMP.parse(String.valueOf(request.getHeaders().get("x-amz-date")), Instant::from);
        if (Duration.between(sent, now).abs().compareTo(PATIENCE) > 0) {
            return Optional.of("RequestTimeTooSkewed");
        }
        if (!given.contains("Credential=" + accessKey.reveal() + "/")) {
            return Optional.of("InvalidAccessKeyId");
        }
        String token = Objects.requireNonNullElse(request.getHeaders().get("x-amz-security-token"), "");
        if (!token.equals(session.map(Secret::reveal).orElse(""))) {
            return Optional.of(token.isEmpty() ? "InvalidAccessKeyId" : "InvalidToken");
        }
        TreeMap<String, String> headers = new TreeMap<>();
        for (String name : given.replaceAll(".*SignedHeaders=([^,]*),.*", "$1").split(";", -1)) {
            headers.put(name, String.valueOf(request.getHeaders().get(name)));
        }
        if (!token.isEmpty() && !headers.containsKey("x-amz-security-token")) {
            return Optional.of("AccessDenied");
        }
        if (!given.contains("/" + region + "/s3/")) {
            return Optional.of("AuthorizationHeaderMalformed");
        }
        TreeMap<String, String> query = new TreeMap<>(S3Query.parse(target.length > 1 ? target[1] : ""));
        String signature = authorization(new Signed(request.getMethod(), target[0], query, headers));
        if (!signature.equals(given)) {
            return Optional.of("SignatureDoesNotMatch");
        }
        ByteString body = Objects.requireNonNullElse(request.getBody(), ByteString.EMPTY);
        String told = String.valueOf(request.getHeaders().get("x-amz-content-sha256"));
        boolean right = told.equals("UNSIGNED-PAYLOAD")
                ? body.size() == 0
                : body.sha256().hex().equals(told);
        return right ? Optional.empty() : Optional.of("XAmzContentSHA256Mismatch");
    }
}
