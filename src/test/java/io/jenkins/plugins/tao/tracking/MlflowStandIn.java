package io.jenkins.plugins.tao.tracking;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import mockwebserver3.SocketEffect;

/**
 * Plays the tracking server of MLflow with its refusals, each from where it is named: routes and messages from
 * {@code mlflow/protos/service.proto}, what a body must hold from {@code mlflow/server/handlers.py}, the limits from
 * {@code mlflow/utils/validation.py}, statuses from {@code ERROR_CODE_TO_HTTP_STATUS} in {@code mlflow/exceptions.py}. It keeps values as
 * the file store does: what is sent twice is there twice.
 */
public final class MlflowStandIn extends Dispatcher implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Pattern NAME = Pattern.compile("^[/\\w.\\- ]*$");
    private static final Pattern FILTER = Pattern.compile("tags\\.(\\w+) = '([^']*)'");
    private static final String INVALID = "INVALID_PARAMETER_VALUE";

    final MockWebServer server = new MockWebServer();
    final Map<String, String> experiments = new LinkedHashMap<>();
    final List<String> deleted = new ArrayList<>();
    /** The runs there are, as the server describes them. */
    public final List<ObjectNode> runs = new ArrayList<>();

    final List<String> calls = new ArrayList<>();
    final Deque<Fault> faults = new ArrayDeque<>();
    private final Map<String, Integer> refused = new LinkedHashMap<>();
    /** The header that is wanted; empty for none. */
    public String login = "";

    /** Something that goes wrong with the next call whose path ends so. */
    record Fault(String path, MockResponse answer, boolean carriedOut) {}

    /** A refusal. */
    private static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;
        final String code;

        Refused(String code, String message) {
            super(message);
            this.code = code;
        }
    }

    /** Starts one on this machine. */
    public static MlflowStandIn start() throws IOException {
        MlflowStandIn standIn = new MlflowStandIn();
        standIn.server.setDispatcher(standIn);
        standIn.server.start(InetAddress.getLoopbackAddress(), 0);
        return standIn;
    }

    /** What to configure. */
    public String address() {
        return server.url("/").toString();
    }

    /** The next call of {@code path} is carried out, and its answer lost. */
    void losesTheAnswerOf(String path) {
        faults.add(new Fault(
                path,
                new MockResponse.Builder()
                        .onResponseStart(new SocketEffect.CloseSocket())
                        .build(),
                true));
    }

    /** The next call of {@code path} is answered so and not carried out. */
    public void answers(String path, int status, String type, String body) {
        faults.add(new Fault(
                path,
                new MockResponse.Builder()
                        .code(status)
                        .setHeader("Content-Type", type)
                        .body(body)
                        .build(),
                false));
    }

    /** Whatever is asked of the run with this {@code tao_job} is answered with {@code status}, each time. */
    void refuses(String job, int status) {
        refused.put("tags.tao_job = '" + job + "'", status);
    }

    @Override
    public synchronized MockResponse dispatch(RecordedRequest request) {
        String path = Objects.requireNonNull(request.getUrl()).encodedPath().replaceFirst("^/api/2\\.0/mlflow/", "");
        calls.add(path);
        if (!login.isEmpty() && !login.equals(request.getHeaders().get("Authorization"))) {
            return answer(401, "You are not authenticated. Please see documentation."); // mlflow/server/auth
        }
        Fault fault = faults.peek();
        if (fault != null && path.endsWith(fault.path())) {
            faults.remove();
            if (fault.carriedOut()) {
                carriedOut(path, request);
            }
            return fault.answer();
        }
        return carriedOut(path, request);
    }

    private MockResponse carriedOut(String path, RecordedRequest request) {
        try {
            String text = request.getBody() == null ? "" : request.getBody().utf8();
            JsonNode body = text.isEmpty() ? JSON.createObjectNode() : JSON.readTree(text);
            return switch (request.getMethod() + " " + path) {
                case "GET experiments/get-by-name" ->
                    ok(byName(Objects.requireNonNull(request.getUrl().queryParameter("experiment_name"))));
                case "POST experiments/create" ->
                    ok(newExperiment(body.path("name").asText()));
                case "POST runs/search" -> ok(search(body));
                case "POST runs/create" -> ok(create(body));
                case "POST runs/log-batch" -> ok(log(body, text.length()));
                case "POST runs/update" -> ok(update(body));
                default -> answer(404, "Not Found");
            };
        } catch (Refused e) {
            int status =
                    switch (e.code) {
                        case "RESOURCE_DOES_NOT_EXIST" -> 404;
                        case "INTERNAL_ERROR" -> 500;
                        default -> 400;
                    };
            return answer(
                    status,
                    JSON.createObjectNode()
                            .put("error_code", e.code)
                            .put("message", e.getMessage())
                            .toString());
        } catch (IOException e) {
            return answer(400, "no JSON");
        }
    }

    private ObjectNode byName(String name) {
        String id = experiments.get(name);
        if (id == null) {
            throw new Refused("RESOURCE_DOES_NOT_EXIST", "Could not find experiment with name '" + name + "'");
        }
        ObjectNode answer = JSON.createObjectNode();
        answer.putObject("experiment")
                .put("experiment_id", id)
                .put("name", name)
                .put("lifecycle_stage", deleted.contains(name) ? "deleted" : "active");
        return answer;
    }

    private ObjectNode newExperiment(String name) {
        check(!name.isEmpty() && name.length() <= 500, "Invalid experiment name: '" + name + "'");
        if (experiments.containsKey(name)) {
            throw new Refused("RESOURCE_ALREADY_EXISTS", "Experiment '" + name + "' already exists.");
        }
        experiments.put(name, String.valueOf(experiments.size() + 1));
        return JSON.createObjectNode().put("experiment_id", experiments.get(name));
    }

    private ObjectNode search(JsonNode body) {
        check(body.path("experiment_ids").isArray() && body.path("max_results").isInt(), "Invalid value");
        Matcher filter = FILTER.matcher(body.path("filter").asText());
        Integer status = refused.get(filter.matches() ? filter.group() : "");
        if (status != null) {
            throw new Refused(status == 500 ? "INTERNAL_ERROR" : INVALID, "refused");
        }
        check(filter.matches(), "Invalid clause(s) in filter string: " + body.path("filter"));
        ObjectNode answer = JSON.createObjectNode();
        runs.stream()
                .filter(run -> body.path("experiment_ids")
                        .get(0)
                        .asText()
                        .equals(run.at("/info/experiment_id").asText()))
                .filter(run -> filter.group(2).equals(tag(run, filter.group(1))))
                .limit(body.path("max_results").asInt())
                .forEach(run -> answer.withArray("/runs").add(run.deepCopy()));
        return answer; // without any run there is no key "runs": proto leaves empty lists out
    }

    private ObjectNode create(JsonNode body) {
        String experiment = body.path("experiment_id").asText();
        check(experiments.containsValue(experiment), "No Experiment with id=" + experiment + " exists");
        ObjectNode run = JSON.createObjectNode();
        run.putObject("info")
                .put("run_id", "run" + (runs.size() + 1))
                .put("experiment_id", experiment)
                .put("run_name", body.path("run_name").asText())
                .put("status", "RUNNING")
                .put("start_time", body.path("start_time").asLong());
        ObjectNode data = run.putObject("data");
        data.putArray("metrics");
        data.putArray("params");
        data.putArray("tags");
        body.path("tags").forEach(tag -> setTag(run, tag));
        runs.add(run);
        ObjectNode answer = JSON.createObjectNode();
        answer.set("run", run.deepCopy());
        return answer;
    }

    private ObjectNode log(JsonNode body, int length) {
        check(length <= 1_000_000, "Batched logging API requests must be at most 1000000 bytes, got " + length);
        limit("metrics", 1000, body.path("metrics").size());
        limit("params", 100, body.path("params").size());
        limit("tags", 100, body.path("tags").size());
        limit(
                "metrics, params, and tags",
                1000,
                body.path("metrics").size()
                        + body.path("params").size()
                        + body.path("tags").size());
        ObjectNode run = run(body);
        body.path("params").forEach(param -> setParam(run, param));
        body.path("metrics").forEach(metric -> {
            name("metric", metric);
            check(
                    metric.path("timestamp").canConvertToLong()
                            && metric.path("timestamp").asLong() >= 0,
                    "timestamp");
            check(metric.path("step").isIntegralNumber(), "step");
            JsonNode value = metric.path("value");
            check(
                    value.isNumber() || List.of("NaN", "Infinity", "-Infinity").contains(value.asText()),
                    "Got invalid value " + value);
            ((ArrayNode) run.at("/data/metrics")).add(metric);
        });
        body.path("tags").forEach(tag -> setTag(run, tag));
        return JSON.createObjectNode();
    }

    private ObjectNode update(JsonNode body) {
        ObjectNode info = (ObjectNode) run(body).path("info");
        check(
                List.of("RUNNING", "SCHEDULED", "FINISHED", "FAILED", "KILLED")
                        .contains(body.path("status").asText()),
                "status");
        info.put("status", body.path("status").asText())
                .put("end_time", body.path("end_time").asLong());
        ObjectNode answer = JSON.createObjectNode();
        answer.set("run_info", info.deepCopy());
        return answer;
    }

    private ObjectNode run(JsonNode body) {
        String id = body.path("run_id").asText();
        return runs.stream()
                .filter(run -> run.at("/info/run_id").asText().equals(id))
                .findFirst()
                .orElseThrow(() -> new Refused("RESOURCE_DOES_NOT_EXIST", "Run with id=" + id + " not found"));
    }

    /** The value of a tag of a run; empty for none. */
    public static String tag(JsonNode run, String key) {
        for (JsonNode tag : run.at("/data/tags")) {
            if (tag.path("key").asText().equals(key)) {
                return tag.path("value").asText();
            }
        }
        return "";
    }

    static Map<String, String> params(JsonNode run) {
        Map<String, String> params = new LinkedHashMap<>();
        run.at("/data/params")
                .forEach(param -> params.put(
                        param.path("key").asText(), param.path("value").asText()));
        return params;
    }

    private static void setTag(ObjectNode run, JsonNode tag) {
        name("tag", tag);
        check(tag.path("value").asText().length() <= 5000, "Tag value had length");
        ArrayNode tags = (ArrayNode) run.at("/data/tags");
        for (JsonNode known : tags) {
            if (known.path("key").equals(tag.path("key"))) {
                ((ObjectNode) known).set("value", tag.path("value"));
                return;
            }
        }
        tags.add(tag.deepCopy());
    }

    private static void setParam(ObjectNode run, JsonNode param) {
        name("parameter", param);
        check(param.path("value").asText().length() <= 500, "Param value had length"); // 6000 since 2.8
        String key = param.path("key").asText();
        String known = params(run).get(key);
        check(
                known == null || known.equals(param.path("value").asText()),
                "Changing param values is not allowed. Param with key='" + key + "' was already logged");
        if (known == null) {
            ((ArrayNode) run.at("/data/params")).add(param.deepCopy());
        }
    }

    private static void name(String kind, JsonNode entry) {
        String name = entry.path("key").asText();
        String plain = "/" + name + "/";
        boolean path = plain.contains("//") || plain.contains("/./") || plain.contains("/../");
        check(NAME.matcher(name).matches() && !name.isEmpty() && !path, "Invalid " + kind + " name: '" + name + "'");
        check(name.length() <= 250, kind + " name had length " + name.length());
    }

    private static void limit(String what, int most, int size) {
        check(size <= most, "A batch logging request can contain at most " + most + " " + what + ". Got " + size);
    }

    private static void check(boolean right, String message) {
        if (!right) {
            throw new Refused(INVALID, message);
        }
    }

    private static MockResponse ok(ObjectNode body) {
        return answer(200, body.toString());
    }

    private static MockResponse answer(int status, String body) {
        return new MockResponse.Builder()
                .code(status)
                .setHeader("Content-Type", "application/json")
                .body(body)
                .build();
    }

    @Override
    public void close() {
        server.close();
    }
}
