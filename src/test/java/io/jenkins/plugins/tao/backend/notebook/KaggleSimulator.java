package io.jenkins.plugins.tao.backend.notebook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.PlayedServer;
import io.jenkins.plugins.tao.http.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import mockwebserver3.SocketEffect;
import okio.Buffer;

/**
 * A Kaggle on this machine: it keeps notebooks, versions, quota and outputs, answers as facts of its official client of
 * January 2026 tell, and runs the code of each pushed notebook for real.
 */
final class KaggleSimulator implements AutoCloseable {
    static final String USER = "dev";
    static final String KEY = "0123456789abcdef0123456789abcdef";
    static final String TOKEN = "kgat-5f4e3d2c1b0a";
    private static final String REFUSED = "Permission 'kernels.get' was denied";

    final Path root;
    final Map<String, Kernel> kernels = new ConcurrentHashMap<>();
    /** All that ever started, also of notebooks that a test takes away: none may write once its directory is removed. */
    private final List<SimulatedSession> sessions = new CopyOnWriteArrayList<>();

    final List<String> calls = java.util.Collections.synchronizedList(new ArrayList<>());
    final List<JsonNode> pushes = java.util.Collections.synchronizedList(new ArrayList<>());
    final Map<String, Path> datasets = new TreeMap<>();
    final Map<String, String> env = new TreeMap<>();
    /** What becomes of a source before it runs: time cannot be waited for, so tests shorten it. */
    UnaryOperator<String> edit = UnaryOperator.identity();

    int gpus = 2;
    int gpuSessions = 8;
    int logsWithheld;
    /** In seconds, instead of the limit that a session asks for. */
    OptionalLong sessionLimit = OptionalLong.empty();

    String quota = "{\"quotaRefreshTime\":\"2026-11-28T00:00:00Z\",\"gpuQuota\":"
            + "{\"timeUsed\":\"3600s\",\"totalTimeAllowed\":\"108000s\"}}";
    private final MockWebServer api = PlayedServer.create();
    private final MockWebServer files = PlayedServer.create();
    private final Map<String, Deque<Fault>> faults = new ConcurrentHashMap<>();

    /** What goes wrong with one call. */
    @FunctionalInterface
    interface Fault {
        /** The answer to send instead of {@code real}, which carries the call out when it is asked for. */
        MockResponse answer(Real real);
    }

    /** The right answer. */
    @FunctionalInterface
    interface Real {
        MockResponse answer();
    }

    /** One notebook. */
    static final class Kernel {
        final JsonNode push;
        final int version;
        final Optional<SimulatedSession> session;
        final Map<String, String> planted = new LinkedHashMap<>();

        Kernel(JsonNode push, int version, Optional<SimulatedSession> session) {
            this.push = push;
            this.version = version;
            this.session = session;
        }

        Path working() {
            return session.orElseThrow().working;
        }
    }

    KaggleSimulator(Path root) throws IOException {
        this.root = Files.createDirectories(root);
        Path bin = Files.createDirectories(root.resolve("bin"));
        copyResource("nvidia-smi", bin.resolve("nvidia-smi"));
        copyResource("cells.py", root.resolve("cells.py"));
        bin.resolve("nvidia-smi").toFile().setExecutable(true);
        env.put("PATH", bin + ":" + System.getenv("PATH"));
        env.put("HOME", root.toString());
        env.put("LANG", "C.UTF-8");
        env.put("PYTHONDONTWRITEBYTECODE", "1");
        api.setDispatcher(dispatcher(this::api));
        files.setDispatcher(dispatcher(this::file));
        api.start(InetAddress.getLoopbackAddress(), 0);
        files.start(InetAddress.getLoopbackAddress(), 0);
    }

    private void copyResource(String name, Path to) throws IOException {
        try (var from = Objects.requireNonNull(getClass().getResourceAsStream(name))) {
            Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static Dispatcher dispatcher(java.util.function.Function<RecordedRequest, MockResponse> answers) {
        return new Dispatcher() {
            @Override
            public MockResponse dispatch(RecordedRequest request) {
                return answers.apply(request);
            }
        };
    }

    /** An account here, by its key. */
    KaggleTarget target() {
        return KaggleAccount.at(url(), USER, KEY);
    }

    String url() {
        return api.url("/").toString();
    }

    /** Makes the next call of {@code method} go wrong; several go wrong one after another. */
    KaggleSimulator fault(String method, Fault fault) {
        faults.computeIfAbsent(method, any -> new ArrayDeque<>()).add(fault);
        return this;
    }

    /** The call is carried out, and the connection breaks before the answer. */
    static Fault lostAnswer() {
        return real -> {
            real.answer();
            return new MockResponse.Builder()
                    .onResponseStart(new SocketEffect.CloseSocket())
                    .build();
        };
    }

    Kernel kernel(String slug) {
        return Objects.requireNonNull(kernels.get(slug), slug + " is not there");
    }

    private MockResponse api(RecordedRequest request) {
        List<String> path = request.getUrl().pathSegments();
        String method = path.get(path.size() - 1);
        boolean stream = path.contains("stream");
        String call = stream ? "stream" : method;
        calls.add(call);
        if (request.getHeaders().get("User-Agent") == null) {
            return Answers.html();
        }
        Real real = () -> !authorized(request)
                ? Answers.error(401, "Unauthenticated")
                : stream ? stream(method) : call(request, method);
        Deque<Fault> waiting = faults.getOrDefault(call, new ArrayDeque<>());
        Fault fault = waiting.poll();
        return fault == null ? real.answer() : fault.answer(real);
    }

    private static boolean authorized(RecordedRequest request) {
        String given = request.getHeaders().get("Authorization");
        return okhttp3.Credentials.basic(USER, KEY).equals(given) || ("Bearer " + TOKEN).equals(given);
    }

    private MockResponse call(RecordedRequest request, String method) {
        JsonNode body = Json.parse(Objects.requireNonNull(request.getBody()).string(StandardCharsets.UTF_8))
                .orElseThrow();
        boolean post = "POST".equals(request.getMethod());
        String service = request.getUrl().pathSegments().get(1);
        if (!post
                || !List.of("kernels.KernelsApiService", "security.OAuthService")
                        .contains(service)) {
            return Answers.error(404, "no such method");
        }
        return switch (method) {
            case "SaveKernel" -> push(body);
            case "GetKernelSessionStatus" -> known(body, this::status);
            case "GetKernel" -> known(body, kernel -> Answers.json(200, source(kernel)));
            case "ListKernels" -> Answers.json(200, list(body));
            case "ListKernelSessionOutput" -> known(body, kernel -> output(body, kernel));
            case "DeleteKernel" -> known(body, kernel -> delete(body));
            case "GetAcceleratorQuotaStatistics" -> Answers.json(200, quota);
            case "IntrospectToken" ->
                body.path("token").asText().equals(TOKEN)
                        ? Answers.json(200, "{\"active\":true,\"username\":\"" + USER + "\"}")
                        : Answers.error(403, "invalid token");
            default -> Answers.error(404, "no such method");
        };
    }

    private MockResponse known(JsonNode body, java.util.function.Function<Kernel, MockResponse> answer) {
        Kernel kernel = body.path("userName").asText().equals(USER)
                ? kernels.get(body.path("kernelSlug").asText())
                : null;
        return kernel == null ? Answers.error(403, REFUSED) : answer.apply(kernel);
    }

    private String list(JsonNode body) {
        List<String> refs = kernels.keySet().stream()
                .map(slug -> "{\"ref\":\"" + USER + "/" + slug + "\"}")
                .limit(body.path("pageSize").asLong())
                .toList();
        return "{\"kernels\":[" + String.join(",", refs) + "]}";
    }

    private synchronized MockResponse push(JsonNode body) {
        pushes.add(body);
        String slug = body.path("slug").asText().replaceFirst("^" + USER + "/", "");
        String title = body.path("newTitle")
                .asText()
                .toLowerCase(java.util.Locale.ROOT)
                .replace(' ', '-');
        if (title.length() < 5
                || title.length() > 50
                || !body.path("sessionTimeoutSeconds").isNumber()) {
            return Answers.error(400, "bad request");
        }
        if (body.path("text").asText().length() > 1_000_000) {
            return Answers.error(400, "source is too large");
        }
        int version = Optional.ofNullable(kernels.get(slug))
                        .map(kernel -> kernel.version)
                        .orElse(0)
                + 1;
        if (body.path("enableGpu").asBoolean() && busy() >= gpuSessions) {
            kernels.put(title, new Kernel(body, version, Optional.empty()));
            return Answers.json(200, "{\"error\":\"Maximum batch GPU session count of " + gpuSessions + " reached.\"}");
        }
        kernels.put(title, new Kernel(body, version, Optional.of(start(title, body, version))));
        return Answers.json(
                200,
                "{\"ref\":\"" + USER + "/" + title + "\",\"url\":\"https://www.kaggle.com/code/" + USER + "/" + title
                        + "\",\"versionNumber\":" + version + ",\"kernelId\":4711,\"invalidDatasetSources\":"
                        + unknown(body)
                        + "}");
    }

    private List<String> unknown(JsonNode body) {
        List<String> unknown = new ArrayList<>();
        body.path("datasetDataSources").forEach(name -> unknown.add(name.toString()));
        unknown.removeIf(name -> datasets.containsKey(name.replace("\"", "")));
        return unknown;
    }

    private long busy() {
        return kernels.values().stream()
                .filter(kernel -> kernel.push.path("enableGpu").asBoolean())
                .filter(kernel ->
                        kernel.session.filter(session -> !session.isOver()).isPresent())
                .count();
    }

    private SimulatedSession start(String slug, JsonNode body, int version) {
        Path home = root.resolve(slug + ".v" + version);
        Path kaggle = home.resolve("kaggle");
        Map<String, String> given = new TreeMap<>(env);
        String shown = String.valueOf(body.path("enableGpu").asBoolean() ? gpus : 0);
        given.put("SIM_GPUS", shown);
        try {
            Files.writeString(root.resolve("bin/nvidia-smi.gpus"), shown);
            mounts(body).mount(Files.createDirectories(kaggle.resolve("input")));
            String source = body.path("text").asText().replace("/kaggle/", kaggle + "/");
            Path notebook = Files.writeString(home.resolve("notebook.ipynb"), edit.apply(source));
            long limit = sessionLimit.orElse(body.path("sessionTimeoutSeconds").asLong());
            SimulatedSession session = new SimulatedSession(root.resolve("cells.py"), notebook, kaggle, given, limit);
            sessions.add(session);
            return session;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private SimulatedMounts mounts(JsonNode body) {
        Map<String, Path> data = new TreeMap<>();
        body.path("datasetDataSources")
                .forEach(name -> Optional.ofNullable(datasets.get(name.asText()))
                        .ifPresent(directory -> data.put(name.asText(), directory)));
        Map<String, Path> outputs = new TreeMap<>();
        for (JsonNode name : body.path("kernelDataSources")) {
            String before = name.asText().replaceFirst("^.*/", "");
            Optional.ofNullable(kernels.get(before))
                    .flatMap(kernel -> kernel.session)
                    .filter(session -> session.word().equals("COMPLETE"))
                    .ifPresent(session -> outputs.put(before, session.working));
        }
        return new SimulatedMounts(data, outputs);
    }

    private MockResponse status(Kernel kernel) {
        ObjectNode reply = Json.object();
        reply.put("status", kernel.session.map(SimulatedSession::word).orElse("ERROR"));
        kernel.session
                .map(SimulatedSession::failure)
                .filter(text -> !text.isEmpty())
                .ifPresent(text -> reply.put("failureMessage", text));
        return Answers.json(200, reply.toString());
    }

    private static String source(Kernel kernel) {
        ObjectNode reply = Json.object();
        reply.putObject("metadata").put("currentVersionNumber", kernel.version);
        reply.putObject("blob").put("source", kernel.push.path("text").asText());
        return reply.toString();
    }

    private MockResponse output(JsonNode body, Kernel kernel) {
        int from = Integer.parseInt("0" + body.path("pageToken").asText(""));
        int size = body.path("pageSize").asInt(20);
        ObjectNode reply = Json.object();
        SimulatedSession session = kernel.session.orElseThrow();
        Map<String, String> all = new LinkedHashMap<>(kernel.planted);
        if (session.word().equals("COMPLETE")) {
            String folder = "/" + body.path("kernelSlug").asText() + "/";
            for (String name : session.files()) {
                all.put(name, files.url(folder + encoded(name) + "?sig=abc").toString());
            }
        }
        List<String> names = List.copyOf(all.keySet());
        names.subList(Math.min(from, names.size()), Math.min(from + size, names.size()))
                .forEach(name -> reply.withArray("/files")
                        .addObject()
                        .put("fileName", name)
                        .put("url", all.get(name)));
        if (from + size < names.size()) {
            reply.put("nextPageToken", String.valueOf(from + size));
        }
        return Answers.json(200, reply.put("log", published(session)).toString());
    }

    private String published(SimulatedSession session) {
        return session.isOver() && logsWithheld == 0 ? session.log() : "";
    }

    private static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private MockResponse delete(JsonNode body) {
        Kernel gone = kernels.remove(body.path("kernelSlug").asText());
        Optional.ofNullable(gone).flatMap(kernel -> kernel.session).ifPresent(SimulatedSession::kill);
        return Answers.json(200, "{}");
    }

    private MockResponse stream(String slug) {
        Kernel kernel = kernels.get(slug);
        if (kernel == null || kernel.session.isEmpty()) {
            return Answers.error(403, REFUSED);
        }
        SimulatedSession session = kernel.session.get();
        if (session.isOver()) {
            String log = published(session);
            logsWithheld = Math.max(0, logsWithheld - 1);
            return Answers.json(200, log);
        }
        return new MockResponse.Builder()
                .setHeader("Content-Type", "text/event-stream")
                .body(new LiveLog(session))
                .onResponseEnd(SocketEffect.ShutdownConnection.INSTANCE)
                .build();
    }

    private MockResponse file(RecordedRequest request) {
        List<String> path = request.getUrl().pathSegments();
        if (request.getHeaders().get("Authorization") != null) {
            return Answers.error(400, "the signature does not match");
        }
        try {
            byte[] content = Files.readAllBytes(kernel(path.get(0)).working().resolve(path.get(1)));
            return new MockResponse.Builder().body(new Buffer().write(content)).build();
        } catch (IOException e) {
            return Answers.error(404, "no such file");
        }
    }

    @Override
    public void close() {
        sessions.forEach(SimulatedSession::kill);
        api.close();
        files.close();
    }
}
