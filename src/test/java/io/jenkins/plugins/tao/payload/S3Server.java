package io.jenkins.plugins.tao.payload;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jenkins.plugins.tao.PlayedServer;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.SecretSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URLEncoder;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import mockwebserver3.SocketEffect;
import okio.Buffer;
import okio.ByteString;

/**
 * An S3 storage in memory, for one owner: buckets, objects, ranges, multipart uploads, lists, signatures. Its answers
 * have the shapes of the Amazon S3 API Reference as read in November 2026.
 */
public final class S3Server implements AutoCloseable {
    public static final Secret ACCESS = Secret.of("tao-access-1");
    public static final Secret SECRET = Secret.of("tao/secret+key/1");
    private static final int SMALLEST_PART = 5 << 20;

    private final MockWebServer server = PlayedServer.create();
    private final Map<String, ConcurrentSkipListMap<String, Stored>> buckets = new ConcurrentHashMap<>();
    private final Map<String, TreeMap<Integer, byte[]>> uploads = new ConcurrentHashMap<>();
    private final Deque<Fault> faults = new ConcurrentLinkedDeque<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private volatile int page = 1000;
    private volatile boolean encodes = true;
    private volatile Optional<Secret> session = Optional.empty();
    private volatile Duration ahead = Duration.ZERO;

    /** An object as it lies there. */
    record Stored(ByteString content, String etag, String written) {
        /** One that was stored now. */
        Stored(ByteString content, String etag) {
            this(content, etag, now().format(DateTimeFormatter.ISO_INSTANT));
        }
    }

    /** What goes wrong with the next request whose line contains {@code with}; a {@code code} that begins with {@code <} is all that is sent. */
    record Fault(String with, int status, String code) {
        static final int CUT = -1;
        static final int SILENT = -2;
        /** HTTP 200 and nothing else, from whatever stands in between; nothing is done. */
        static final int EMPTY = -3;
    }

    private final String region;
    private final Secret secret;

    private S3Server(String region, Secret secret) {
        this.region = region;
        this.secret = secret;
    }

    public static S3Server start() {
        return start("us-east-1", SECRET);
    }

    static S3Server start(String region, Secret secret) {
        S3Server s3 = new S3Server(region, secret);
        s3.server.setDispatcher(new Dispatcher() {
            @Override
            public MockResponse dispatch(RecordedRequest request) {
                return s3.answer(request)
                        .setHeader("Date", DateTimeFormatter.RFC_1123_DATE_TIME.format(now().plus(s3.ahead)))
                        .build();
            }
        });
        try {
            s3.server.start(InetAddress.getLoopbackAddress(), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return s3;
    }

    private static ZonedDateTime now() {
        return ZonedDateTime.now(ZoneOffset.UTC);
    }

    public String endpoint() {
        return "http://127.0.0.1:" + server.getPort();
    }

    S3Settings settings(Optional<String> bucket) {
        return new S3Settings(
                Optional.of(endpoint()),
                Optional.empty(),
                bucket,
                Optional.of(SecretSource.known(ACCESS)),
                Optional.of(SecretSource.known(SECRET)),
                Optional.empty(),
                Optional.empty(),
                List.of());
    }

    public S3Server bucket(String name) {
        buckets.put(name, new ConcurrentSkipListMap<>());
        return this;
    }

    public S3Server put(String bucket, String key, String content) {
        return put(bucket, key, content.getBytes(UTF_8));
    }

    S3Server put(String bucket, String key, byte[] content) {
        objects(bucket).put(key, new Stored(ByteString.of(content), md5(content), "2026-01-31T08:00:00.000Z"));
        return this;
    }

    ConcurrentSkipListMap<String, Stored> objects(String bucket) {
        return buckets.computeIfAbsent(bucket, any -> new ConcurrentSkipListMap<>());
    }

    /** From now on keys are good with this token alone. */
    S3Server session(Secret token) {
        session = Optional.of(token);
        return this;
    }

    /** From now on its clock is so much ahead of ours. */
    S3Server ahead(Duration time) {
        ahead = time;
        return this;
    }

    /** What lies there, and must. */
    Stored stored(String bucket, String key) {
        return Objects.requireNonNull(objects(bucket).get(key), () -> "nothing at s3://" + bucket + "/" + key);
    }

    public String text(String bucket, String key) {
        return stored(bucket, key).content().utf8();
    }

    S3Server pagesOf(int keys) {
        page = keys;
        return this;
    }

    S3Server fail(String with, int status, String code) {
        faults.add(new Fault(with, status, code));
        return this;
    }

    List<String> requests() {
        return requests;
    }

    long count(String beginning) {
        return requests.stream().filter(line -> line.startsWith(beginning)).count();
    }

    int unfinishedUploads() {
        return uploads.size();
    }

    @Override
    public void close() {
        server.close();
    }

    private MockResponse.Builder answer(RecordedRequest request) {
        String line = request.getMethod() + " " + request.getTarget();
        String range = request.getHeaders().get("Range");
        requests.add(range == null ? line : line + " " + range);
        Optional<Fault> fault =
                faults.stream().filter(each -> line.contains(each.with())).findFirst();
        fault.ifPresent(faults::remove);
        if (fault.isPresent() && fault.get().status() > 0) {
            return error(fault.get().status(), fault.get().code());
        }
        if (fault.isPresent() && fault.get().status() == Fault.EMPTY) {
            return new MockResponse.Builder();
        }
        if (request.getMethod().equals("HEAD")) {
            return new MockResponse.Builder().code(403);
        }
        String[] target = request.getTarget().split("\\?", 2);
        SortedMap<String, String> query = S3Query.parse(target.length > 1 ? target[1] : "");
        S3Signature right = new S3Signature(region, ACCESS, secret);
        Optional<String> refusal =
                right.refusal(request, session, now().plus(ahead).toInstant());
        if (refusal.isPresent()) {
            return error(refusal.get().equals("AuthorizationHeaderMalformed") ? 400 : 403, refusal.get());
        }
        String[] path = S3Query.decode(target[0].substring(1)).split("/", 2);
        if (!buckets.containsKey(path[0])) {
            return error(404, "NoSuchBucket");
        }
        MockResponse.Builder answer = path.length < 2 || path[1].isEmpty()
                ? list(path[0], query)
                : object(request, objects(path[0]), path[0] + "/" + path[1], path[1], query);
        if (fault.isPresent() && fault.get().status() == Fault.CUT) {
            answer.onResponseBody(new SocketEffect.CloseSocket());
        } else if (fault.isPresent()) {
            answer.onResponseStart(new SocketEffect.CloseSocket());
        }
        return answer;
    }

    private static ByteString body(RecordedRequest request) {
        return request.getBody() == null ? ByteString.EMPTY : request.getBody();
    }

    private MockResponse.Builder object(
            RecordedRequest request,
            ConcurrentSkipListMap<String, Stored> objects,
            String name,
            String key,
            SortedMap<String, String> query) {
        return switch (request.getMethod()) {
            case "GET" -> get(request, Optional.ofNullable(objects.get(key)));
            case "PUT" -> put(request, objects, name, key, query);
            case "POST" -> post(objects, name, key, query);
            case "DELETE" -> {
                uploads.remove(query.getOrDefault("uploadId", ""));
                yield new MockResponse.Builder().code(204);
            }
            default -> error(405, "MethodNotAllowed");
        };
    }

    private MockResponse.Builder get(RecordedRequest request, Optional<Stored> found) {
        if (found.isEmpty()) {
            return error(404, "NoSuchKey");
        }
        ByteString content = found.get().content();
        String quoted = "\"" + found.get().etag() + "\"";
        String wanted = request.getHeaders().get("If-Match");
        if (wanted != null && !wanted.equals(quoted)) {
            return error(412, "PreconditionFailed");
        }
        String range = request.getHeaders().get("Range");
        String[] ends = (range == null ? "bytes=0-" : range).split("[=-]", -1);
        int from = Integer.parseInt(ends[1]);
        if (range != null && from >= content.size()) {
            return error(416, "InvalidRange");
        }
        int to = ends[2].isEmpty() ? content.size() : Math.min(content.size(), Integer.parseInt(ends[2]) + 1);
        MockResponse.Builder answer = new MockResponse.Builder().code(range == null ? 200 : 206);
        return answer.setHeader("ETag", quoted).body(new Buffer().write(content.substring(from, to)));
    }

    private MockResponse.Builder put(
            RecordedRequest request,
            ConcurrentSkipListMap<String, Stored> objects,
            String name,
            String key,
            SortedMap<String, String> query) {
        byte[] content = body(request).toByteArray();
        String checksum = request.getHeaders().get("Content-MD5");
        if (checksum != null
                && !checksum.equals(
                        Base64.getEncoder().encodeToString(HexFormat.of().parseHex(md5(content))))) {
            return error(400, "BadDigest");
        }
        if (query.containsKey("uploadId")) {
            TreeMap<Integer, byte[]> parts = uploads.get(query.get("uploadId"));
            if (parts == null || !query.get("uploadId").startsWith(name)) {
                return error(404, "NoSuchUpload");
            }
            parts.put(Integer.parseInt(query.get("partNumber")), content);
        } else {
            objects.put(key, new Stored(ByteString.of(content), md5(content)));
        }
        return new MockResponse.Builder().setHeader("ETag", "\"" + md5(content) + "\"");
    }

    private MockResponse.Builder post(
            ConcurrentSkipListMap<String, Stored> objects, String name, String key, SortedMap<String, String> query) {
        if (query.containsKey("uploads")) {
            String id = name + "#" + uploads.size();
            uploads.put(id, new TreeMap<>());
            return xml(
                    "<InitiateMultipartUploadResult><UploadId>" + id + "</UploadId></InitiateMultipartUploadResult>");
        }
        TreeMap<Integer, byte[]> parts = uploads.remove(query.getOrDefault("uploadId", ""));
        if (parts == null) {
            return error(404, "NoSuchUpload");
        }
        Buffer whole = new Buffer();
        Buffer digests = new Buffer();
        for (Map.Entry<Integer, byte[]> part : parts.entrySet()) {
            if (part.getValue().length < SMALLEST_PART && !part.getKey().equals(parts.lastKey())) {
                return error(400, "EntityTooSmall");
            }
            whole.write(part.getValue());
            digests.write(HexFormat.of().parseHex(md5(part.getValue())));
        }
        Stored stored = new Stored(whole.readByteString(), md5(digests.readByteArray()) + "-" + parts.size());
        objects.put(key, stored);
        return xml("<CompleteMultipartUploadResult><ETag>&quot;" + stored.etag()
                + "&quot;</ETag></CompleteMultipartUploadResult>");
    }

    private MockResponse.Builder list(String bucket, SortedMap<String, String> query) {
        String prefix = query.getOrDefault("prefix", "");
        String after = query.getOrDefault("continuation-token", "");
        int most = Math.min(page, Integer.parseInt(query.getOrDefault("max-keys", "1000")));
        List<String> found = new ArrayList<>();
        for (String key : objects(bucket).tailMap(prefix, true).keySet()) {
            if (key.startsWith(prefix) && key.compareTo(after) > 0 && found.size() <= most) {
                found.add(key);
            }
        }
        boolean more = found.size() > most;
        StringBuilder text = new StringBuilder("<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">");
        text.append(encodes ? "<EncodingType>url</EncodingType>" : "");
        for (String key : found.subList(0, Math.min(most, found.size()))) {
            Stored stored = stored(bucket, key);
            text.append("<Contents><Key>").append(listed(key)).append("</Key><ETag>&quot;");
            text.append(stored.etag())
                    .append("&quot;</ETag><Size>")
                    .append(stored.content().size());
            text.append("</Size><LastModified>").append(stored.written()).append("</LastModified></Contents>");
        }
        String next = more ? "<NextContinuationToken>" + found.get(most - 1) + "</NextContinuationToken>" : "";
        return xml(text + next + "<IsTruncated>" + more + "</IsTruncated></ListBucketResult>");
    }

    private String listed(String key) {
        return encodes
                ? URLEncoder.encode(key, UTF_8)
                : key.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    /** From now on like a storage that does not know the parameter {@code encoding-type}. */
    S3Server withoutEncoding() {
        encodes = false;
        return this;
    }

    private static MockResponse.Builder xml(String text) {
        return new MockResponse.Builder()
                .setHeader("Content-Type", "application/xml")
                .body(text);
    }

    private MockResponse.Builder error(int status, String code) {
        String text =
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>" + code + "</Code><Message>told by " + code
                        + "</Message><Region>" + region + "</Region><AWSAccessKeyId>" + ACCESS.reveal()
                        + "</AWSAccessKeyId></Error>";
        return xml(code.startsWith("<") ? code : text).code(status);
    }

    static String md5(byte[] content) {
        return ByteString.of(content).md5().hex();
    }
}
