package io.jenkins.plugins.tao.backend.slurm;

import io.jenkins.plugins.tao.PlayedServer;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmRest;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.SecretSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;

/** A slurmrestd that answers what a test has laid down, and remembers what it was asked. */
public final class PlayedRest implements AutoCloseable {
    public static final String TOKEN = token("{\"exp\":1795422753,\"sun\":\"tao\"}");

    public final List<String> asked = new CopyOnWriteArrayList<>();
    final List<String> bodies = new CopyOnWriteArrayList<>();
    public final List<String> tokens = new CopyOnWriteArrayList<>();
    private final Map<String, Function<RecordedRequest, MockResponse>> answers = new ConcurrentHashMap<>();
    private final MockWebServer server = PlayedServer.create();

    /** One that speaks these versions, such as {@code 38}; its controller is up, and it knows no job. */
    public PlayedRest(int... versions) throws IOException {
        StringBuilder paths = new StringBuilder();
        for (int version : versions) {
            paths.append(paths.isEmpty() ? "" : ",")
                    .append("\"/slurm/v0.0.")
                    .append(version)
                    .append("/jobs\":{}");
        }
        answer("GET /openapi/v3", 200, "{\"paths\":{" + paths + "}}");
        server.setDispatcher(new Dispatcher() {
            @Override
            public MockResponse dispatch(RecordedRequest request) {
                return answered(request);
            }
        });
        server.start();
    }

    private MockResponse answered(RecordedRequest request) {
        String line = request.getMethod() + " " + request.getUrl().encodedPath();
        asked.add(line);
        tokens.add(Optional.ofNullable(request.getHeaders().get("X-SLURM-USER-TOKEN"))
                .orElse("none"));
        bodies.add(Optional.ofNullable(request.getBody())
                .map(okio.ByteString::utf8)
                .orElse(""));
        Function<RecordedRequest, MockResponse> answer = answers.get(line);
        return answer == null ? made(404, "Unable find requested URL.") : answer.apply(request);
    }

    public static MockResponse made(int status, String body) {
        return new MockResponse.Builder().code(status).body(body).build();
    }

    public PlayedRest answer(String line, int status, String body) {
        return answer(line, request -> made(status, body));
    }

    public PlayedRest answer(String line, Function<RecordedRequest, MockResponse> answer) {
        answers.put(line, answer);
        return this;
    }

    public String url() {
        String url = server.url("/").toString();
        return url.substring(0, url.length() - 1);
    }

    public SlurmRest settings() {
        return new SlurmRest(url(), "tao", SecretSource.known(Secret.of(TOKEN)), Optional.empty());
    }

    public long count(String line) {
        return asked.stream().filter(line::equals).count();
    }

    public static String token(String claims) {
        return "e30." + Base64.getUrlEncoder().withoutPadding().encodeToString(claims.getBytes(StandardCharsets.UTF_8))
                + ".c2ln";
    }

    @Override
    public void close() {
        server.close();
    }
}
