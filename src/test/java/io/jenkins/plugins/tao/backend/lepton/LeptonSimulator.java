package io.jenkins.plugins.tao.backend.lepton;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.PlayedServer;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonTarget;
import io.jenkins.plugins.tao.http.Json;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;

/**
 * A Lepton workspace of our own: it keeps jobs, replicas, logs and secrets, runs the workers as processes of this machine,
 * and can be told to fail. Answers have the fields of the official client's types.
 */
public final class LeptonSimulator extends Dispatcher implements AutoCloseable {
    public static final String TOKEN = "tok-abcd1234efgh5678";
    private static final String BASE = "/api/v2/workspaces/vision";

    public final Map<String, SimulatedJob> jobs = new ConcurrentSkipListMap<>();
    public final Map<String, String> userSecrets = new ConcurrentHashMap<>();
    final Map<String, JsonNode> pullSecrets = new ConcurrentHashMap<>();
    public final List<String> calls = new CopyOnWriteArrayList<>();
    final List<String> origins = new CopyOnWriteArrayList<>();
    final Map<String, String> bodies = new ConcurrentHashMap<>();
    public volatile String secretSuffix = "";
    public volatile String permissions = "[]";
    public volatile String tokens = "[]";
    public volatile String reservations = "[]";
    public volatile String date = "Sat, 21 Nov 2026 18:00:00 GMT";
    public volatile Function<String, Optional<MockResponse.Builder>> fault = call -> Optional.empty();
    volatile Function<Integer, Optional<MockResponse.Builder>> pages = size -> Optional.empty();
    public volatile Function<String, Optional<MockResponse.Builder>> lost = call -> Optional.empty();
    private final MockWebServer server = PlayedServer.create();
    private final Path directory;
    private final AtomicInteger number = new AtomicInteger(0x1000);

    LeptonSimulator(Path directory) throws IOException {
        this.directory = directory;
        server.setDispatcher(this);
        server.start(InetAddress.getLoopbackAddress(), 0);
    }

    public String url() {
        return server.url("/").toString().replaceAll("/$", "");
    }

    public Records.Draft<LeptonTarget> target() {
        return Records.draft(LeptonTarget.class)
                .with("name", "lep")
                .with("workspace", "vision")
                .with("token", Secret.of(TOKEN))
                .with("url", url());
    }

    public SimulatedJob only() {
        return jobs.values().iterator().next();
    }

    String body(String call) {
        return Objects.requireNonNull(bodies.get(call), call);
    }

    public SimulatedJob at(JobHandle job) {
        return Objects.requireNonNull(jobs.get(job.nativeId()), job.nativeId());
    }

    public static String golden(String name) {
        try (var in = LeptonSimulator.class.getResourceAsStream(name)) {
            String text = new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
            return text.substring(text.indexOf('\n') + 1);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public MockResponse dispatch(RecordedRequest request) {
        String path = Objects.requireNonNull(request.getUrl()).encodedPath();
        String call = request.getMethod() + " " + path.replace(BASE, "");
        calls.add(request.getMethod() + " " + request.getTarget().replace(BASE, ""));
        origins.add(String.valueOf(request.getHeaders().get("Origin")));
        String body = request.getBody() == null ? "" : request.getBody().utf8();
        bodies.put(call, body);
        Optional<MockResponse.Builder> wrong = fault.apply(call);
        if (wrong.isPresent()) {
            return wrong.get().build();
        }
        if (!("Bearer " + TOKEN).equals(request.getHeaders().get("Authorization"))) {
            return json(401, "{\"code\":\"Unauthorized\",\"message\":\"invalid token\"}")
                    .build();
        }
        MockResponse.Builder answer = answer(call, request, body);
        return lost.apply(call).orElse(answer.setHeader("Date", date)).build();
    }

    public static MockResponse.Builder json(int status, String body) {
        return new MockResponse.Builder()
                .code(status)
                .setHeader("Content-Type", "application/json")
                .setHeader("Date", "Sat, 21 Nov 2026 18:00:00 GMT")
                .body(body);
    }

    private MockResponse.Builder answer(String call, RecordedRequest request, String body) {
        String[] words = call.split(" ", 2);
        String[] path = words[1].substring(1).split("/", -1);
        return switch (words[0] + " " + path[0]) {
            case "GET workspace" -> json(200, golden("workspace.json"));
            case "GET tokens" -> json(200, tokens);
            case "GET dedicated-node-groups" ->
                json(
                        200,
                        path.length > 1
                                ? path[2].equals("reservations") ? reservations : golden("nodes.json")
                                : golden("groups.json").replace("@MOUNT@", mount()));
            case "GET shapes" -> json(200, shapes(request));
            case "GET storage-permission" -> json(200, permissions);
            case "GET imagepullsecrets" -> json(200, listed(pullSecrets));
            case "POST imagepullsecrets" -> pullSecret(body);
            case "GET usersecrets" -> json(200, names());
            case "POST usersecrets" -> userSecret(body);
            case "DELETE usersecrets" -> {
                userSecrets.remove(path[1]);
                yield json(200, "{}");
            }
            case "GET logs" -> new SimulatedLogs(jobs).answer(request);
            case "POST jobs" -> create(body);
            default -> path[0].equals("jobs") ? job(words[0], path, request) : missing();
        };
    }

    public String mount() {
        return directory.resolve("mnt/lustre").toString();
    }

    private static MockResponse.Builder missing() {
        return json(404, "{\"code\":\"ResourceNotFound\",\"message\":\"not found\"}");
    }

    private static String shapes(RecordedRequest request) {
        String group = Objects.requireNonNull(request.getUrl()).queryParameter("node_groups");
        ArrayNode all = (ArrayNode) Json.parse(golden("shapes.json")).orElseThrow();
        ArrayNode fitting = Json.list();
        all.forEach(shape -> {
            String own = shape.path("spec").path("node_group_id").asText("");
            if (group == null || own.isEmpty() || own.equals(group)) {
                fitting.add(shape);
            }
        });
        return fitting.toString();
    }

    private static String listed(Map<String, JsonNode> secrets) {
        ArrayNode list = Json.list();
        secrets.values().forEach(secret -> list.addObject().set("metadata", secret.path("metadata")));
        return list.toString();
    }

    private MockResponse.Builder pullSecret(String body) {
        JsonNode secret = Json.parse(body).orElseThrow();
        boolean fresh =
                pullSecrets.putIfAbsent(secret.path("metadata").path("id").asText(), secret) == null;
        return fresh ? json(201, "{}") : json(409, "{\"code\":\"ResourceConflict\",\"message\":\"exists\"}");
    }

    private String names() {
        ArrayNode list = Json.list();
        userSecrets.keySet().forEach(name -> list.addObject().put("name", name));
        return list.toString();
    }

    private MockResponse.Builder userSecret(String body) {
        for (JsonNode secret : Json.parse(body).orElseThrow()) {
            userSecrets.put(
                    secret.path("name").asText() + secretSuffix,
                    secret.path("value").asText());
        }
        return json(200, "{}");
    }

    private MockResponse.Builder create(String body) {
        ObjectNode json = (ObjectNode) Json.parse(body).orElseThrow();
        String id = json.path("metadata").path("id").asText() + "-"
                + String.format(Locale.ROOT, "%04x", number.getAndIncrement());
        SimulatedJob job = new SimulatedJob(id, json, 1_795_284_000_000L + number.get());
        jobs.put(id, job);
        job.start(directory, userSecrets);
        return json(201, job.json().toString());
    }

    private MockResponse.Builder job(String method, String[] path, RecordedRequest request) {
        if (path.length == 1) {
            String size = Objects.requireNonNull(request.getUrl()).queryParameter("page_size");
            return pages.apply(Integer.parseInt(Objects.requireNonNull(size)))
                    .orElseGet(() -> json(200, list(request)));
        }
        SimulatedJob job = jobs.get(path[1]);
        if (job == null) {
            return missing();
        }
        if (path.length > 2) {
            return switch (path[2]) {
                case "replicas" ->
                    path.length > 3
                            ? SimulatedLogs.live(job, path[3])
                            : json(200, job.replicas().toString());
                case "events" -> json(200, job.events.toString());
                default -> missing();
            };
        }
        if (method.equals("PATCH")) {
            job.body.withObject("/spec").put("stopped", true);
            job.stop();
        }
        if (method.equals("DELETE")) {
            job.kill();
            jobs.remove(job.id);
        }
        return json(200, job.json().toString());
    }

    private String list(RecordedRequest request) {
        var url = Objects.requireNonNull(request.getUrl());
        String part = Optional.ofNullable(url.queryParameter("q")).orElse("");
        String label = Optional.ofNullable(url.queryParameter("query")).orElse("");
        int page =
                Integer.parseInt(Optional.ofNullable(url.queryParameter("page")).orElse("1"));
        int size = Integer.parseInt(
                Optional.ofNullable(url.queryParameter("page_size")).orElse("100"));
        boolean archive = "alive_and_archive".equals(url.queryParameter("job_query_mode"));
        List<JsonNode> fitting = new ArrayList<>();
        for (SimulatedJob job : jobs.values()) {
            ObjectNode json = job.json();
            boolean labelled = label.isEmpty()
                    || label.endsWith("="
                            + json.path("metadata")
                                    .path("labels")
                                    .path(label.replaceAll("=.*", ""))
                                    .asText());
            if (labelled
                    && json.path("metadata").path("name").asText().contains(part)
                    && (archive || !job.state().equals("Archived"))) {
                fitting.add(json);
            }
        }
        ObjectNode answer = Json.object();
        ArrayNode out = answer.putArray("jobs");
        fitting.stream().skip((long) (page - 1) * size).limit(size).forEach(out::add);
        return answer.toString();
    }

    @Override
    public void close() {
        jobs.values().forEach(SimulatedJob::drop);
        server.close();
    }

    /** A directory for the workspace's volume. */
    static Path prepare(Path directory) throws IOException {
        Files.createDirectories(directory.resolve("mnt/lustre"));
        return directory;
    }
}
