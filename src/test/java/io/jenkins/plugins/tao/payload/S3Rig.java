package io.jenkins.plugins.tao.payload;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jenkins.plugins.tao.Rigs;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.SecretSource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** The real S3 storage of {@code src/test/rigs/s3}: a Ceph object gateway on loopback. */
final class S3Rig {
    private static final Path STATE = Rigs.S3;
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private final Map<String, String> words;

    private S3Rig(Map<String, String> words) {
        this.words = words;
    }

    /** The rig; skips the test when it is not up. */
    static S3Rig orSkip() throws IOException {
        Path env = STATE.resolve("env");
        assumeTrue(
                Files.exists(env) && isAlive(STATE.resolve("run/rgw.a.pid")),
                "this test needs the S3 rig: src/test/rigs/s3/up");
        Map<String, String> words = new HashMap<>();
        for (String line : Files.readAllLines(env)) {
            int at = line.indexOf('=');
            words.put(line.substring(0, at), line.substring(at + 1).replaceAll("^'|'$", ""));
        }
        return new S3Rig(words);
    }

    /** Whether the gateway runs whose number {@code file} holds; another process may have that number by now. */
    private static boolean isAlive(Path file) throws IOException {
        if (!Files.exists(file)) {
            return false;
        }
        Path comm = Path.of("/proc", Files.readString(file).strip(), "comm");
        return Files.exists(comm) && Files.readString(comm).startsWith("radosgw");
    }

    String word(String name) {
        return Objects.requireNonNull(words.get(name), name);
    }

    /** Settings of a storage with the keys of {@code user}, in capitals. */
    S3Settings settings(String user, String bucket) {
        return settings(bucket, Secret.of(word(user + "_ACCESS")), Secret.of(word(user + "_SECRET")), Optional.empty());
    }

    S3Settings settings(String bucket, Secret access, Secret secret, Optional<Secret> session) {
        return new S3Settings(
                Optional.of(word(session.isPresent() ? "STS_ENDPOINT" : "ENDPOINT")),
                Optional.empty(),
                Optional.of(bucket),
                Optional.of(SecretSource.known(access)),
                Optional.of(SecretSource.known(secret)),
                session.map(SecretSource::known),
                Optional.empty(),
                List.of());
    }

    /** Temporary keys, as the storage's own token service gives them. */
    S3Settings session(String bucket) throws Exception {
        Process process = new ProcessBuilder("src/test/rigs/s3/session")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<String> lines = new String(
                        process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8)
                .lines()
                .toList();
        return settings(bucket, Secret.of(lines.get(0)), Secret.of(lines.get(1)), Optional.of(Secret.of(lines.get(2))));
    }

    /** A new bucket of ada's. */
    String bucket() throws Exception {
        String name = "it-" + Long.toString(System.nanoTime(), 36);
        int status = sent("PUT", name, new byte[0]);
        if (status != 200) {
            throw new IllegalStateException("no bucket: HTTP " + status);
        }
        return name;
    }

    /** Stores an object with ada's keys. */
    void put(String bucket, String key, byte[] content) throws Exception {
        int status = sent("PUT", bucket + "/" + key, content);
        if (status != 200) {
            throw new IllegalStateException(key + " was not stored: HTTP " + status);
        }
    }

    private int sent(String method, String path, byte[] content) throws Exception {
        URI endpoint = URI.create(word("ENDPOINT"));
        TreeMap<String, String> headers = new TreeMap<>();
        headers.put("host", endpoint.getAuthority());
        headers.put("x-amz-date", STAMP.format(Instant.now()));
        headers.put("x-amz-content-sha256", "UNSIGNED-PAYLOAD");
        String encoded = "/" + S3Signature.path(path);
        String authorization = new S3Signature(
                        "us-east-1", Secret.of(word("ADA_ACCESS")), Secret.of(word("ADA_SECRET")))
                .authorization(new S3Signature.Signed(method, encoded, new TreeMap<>(), headers));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(endpoint + encoded))
                .method(method, HttpRequest.BodyPublishers.ofByteArray(content))
                .header("Authorization", authorization);
        headers.remove("host");
        headers.forEach(request::header);
        return HttpClient.newHttpClient()
                .send(request.build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    /** The names of what lies below an address, as the controller lists them. */
    static List<String> names(S3Settings settings, String address) throws Exception {
        List<String> names = new ArrayList<>();
        new S3Listing(settings, io.jenkins.plugins.tao.http.HttpSettings.defaults())
                .list(S3Address.parse(address), 100_000)
                .forEach(entry -> names.add(entry.path()));
        return names;
    }
}
