package io.jenkins.plugins.tao.payload;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import mockwebserver3.MockResponse;

/**
 * NVIDIA's registry as far as its public addresses show it: a list of files of each version, files by a redirect to a storage that wants
 * no key, and its refusals. The storage is reached under another name of this machine.
 */
public final class NgcRegistry implements AutoCloseable {
    /** A personal key. */
    public static final String KEY = "nvapi-test-only";
    /** A key of the older kind, and the token that it is exchanged for. */
    static final String OLD_KEY = "b2xkLWtleS10ZXN0";

    static final String WEIGHTS = "weights ".repeat(40_000);
    private static final String TOKEN = "exchanged";
    private static final String RESOURCE = "/v2/org/acme/team/vision/";

    private final ModelHub server;
    private final AtomicInteger cuts = new AtomicInteger();
    private volatile String list =
            "{\"modelFiles\":[{\"path\":\"config.yaml\",\"sizeInBytes\":5},{\"path\":\"w/net.onnx\",\"sizeInBytes\":"
                    + WEIGHTS.length() + "}],\"paginationInfo\":{\"totalPages\":1,\"totalResults\":2}}";

    /** Starts it. */
    public NgcRegistry() throws Exception {
        server = new ModelHub(this::answer);
    }

    private MockResponse.Builder answer(ModelHub.Asked asked) {
        String path = asked.path();
        if (path.startsWith("/storage/")) {
            return asked.authorization().equals("null")
                    ? stored(path)
                    : refused(400, "only one auth mechanism allowed");
        }
        if (path.startsWith("/token?service=ngc")) {
            String login = "Basic "
                    + java.util.Base64.getEncoder()
                            .encodeToString(
                                    ("$oauthtoken:" + OLD_KEY).getBytes(java.nio.charset.StandardCharsets.UTF_8));
            return asked.authorization().equals(login)
                    ? new MockResponse.Builder().body("{\"token\":\"" + TOKEN + "\",\"expires_in\":600}")
                    : refused(401, "Invalid key");
        }
        boolean known = List.of("Bearer " + KEY, "Bearer " + TOKEN).contains(asked.authorization());
        if (path.startsWith("/v2/org/acme/") && !known) {
            return refused(401, "Unauthorized");
        }
        if (path.startsWith("/v2/org/other/")) {
            return refused(403, "Access Denied");
        }
        if (path.startsWith("/v2/org/acme/models/open") || !path.contains("/net/versions/1.0/files")) {
            return refused(404, "Not Found");
        }
        if (path.startsWith(RESOURCE + "models/") || path.startsWith("/v2/org/public/resources/")) {
            return file(path);
        }
        return refused(404, "Not Found");
    }

    private MockResponse.Builder file(String path) {
        String file = path.replaceFirst(".*/files", "");
        return file.isEmpty() || file.startsWith("?")
                ? new MockResponse.Builder().body(list)
                : new MockResponse.Builder()
                        .code(302)
                        .setHeader("Location", "http://localhost:" + server.port() + "/storage" + file);
    }

    private MockResponse.Builder stored(String path) {
        if (!path.endsWith("net.onnx")) {
            return new MockResponse.Builder().body("a: 1\n");
        }
        return cuts.getAndDecrement() > 0
                ? new MockResponse.Builder()
                        .body(WEIGHTS.substring(0, WEIGHTS.length() / 2))
                        .setHeader("Content-Length", WEIGHTS.length())
                        .onResponseEnd(mockwebserver3.SocketEffect.ShutdownConnection.INSTANCE)
                : new MockResponse.Builder().body(WEIGHTS);
    }

    private static MockResponse.Builder refused(int code, String words) {
        return new MockResponse.Builder()
                .code(code)
                .body("{\"requestStatus\":{\"statusDescription\":\"" + words + "\"}}");
    }

    /** Answers with another list. */
    void list(String text) {
        list = text;
    }

    /** Cuts off so many answers of the storage half-way. */
    void cut(int times) {
        cuts.set(times);
    }

    /** Of the machine. */
    public String address() {
        return server.address();
    }

    /** Path and header Authorization of each request. */
    public List<String> requests() {
        return server.requests();
    }

    @Override
    public void close() {
        server.close();
    }
}
