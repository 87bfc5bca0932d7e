package io.jenkins.plugins.tao.tracking;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.http.HttpApi;
import io.jenkins.plugins.tao.http.HttpCredential;
import io.jenkins.plugins.tao.http.HttpReply;
import io.jenkins.plugins.tao.http.HttpRequest;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.http.Json;
import java.util.Optional;

/**
 * The calls of MLflow's REST API 2.0.
 *
 * @see <a href="https://github.com/mlflow/mlflow/blob/master/mlflow/protos/service.proto">service.proto</a>
 */
final class MlflowApi implements AutoCloseable {
    private static final String NOT_THERE = "RESOURCE_DOES_NOT_EXIST";
    private static final String THERE_ALREADY = "RESOURCE_ALREADY_EXISTS";

    private final HttpApi http;
    private final String address;

    MlflowApi(String address, HttpCredential credential, HttpSettings settings) {
        this.address = address;
        http = new HttpApi("MLflow at " + address, address, credential, settings);
    }

    /** The page of a run. */
    String page(String experiment, String run) {
        return address + "/#/experiments/" + experiment + "/runs/" + run;
    }

    /** The experiment of this name, made where there is none. */
    String experiment(String name) throws BackendException {
        Optional<String> known = byName(name);
        if (known.isPresent()) {
            return known.get();
        }
        HttpReply reply = http.exchange(post(
                "create",
                "making experiment '" + name + "'",
                "experiments",
                Json.object().put("name", name)));
        if (code(reply).equals(THERE_ALREADY)) { // made by another in between
            return byName(name).orElseThrow(reply::error);
        }
        return id(reply.orThrow().json().path("experiment_id"), "the id of a new experiment");
    }

    private Optional<String> byName(String name) throws BackendException {
        HttpReply reply = http.exchange(HttpRequest.get("looking for experiment '" + name + "'")
                .path("api", "2.0", "mlflow", "experiments", "get-by-name")
                .query("experiment_name", name));
        if (code(reply).equals(NOT_THERE)) {
            return Optional.empty();
        }
        JsonNode experiment = reply.orThrow().json().path("experiment");
        if (experiment.path("lifecycle_stage").asText().equals("deleted")) {
            throw new BackendException.Rejected(
                    "Experiment '" + name + "' of MLflow at " + address + " is deleted.",
                    "Restore it there, or give the mlflow section another experiment.");
        }
        return Optional.of(id(experiment.path("experiment_id"), "the id of experiment '" + name + "'"));
    }

    /** The newest run that has this value of {@link MlflowRun#ID_TAG}. */
    Optional<JsonNode> find(String experiment, String id) throws BackendException {
        ObjectNode body = Json.object().put("filter", "tags." + MlflowRun.ID_TAG + " = '" + id + "'");
        body.put("run_view_type", "ACTIVE_ONLY").put("max_results", 1);
        body.putArray("experiment_ids").add(experiment);
        body.putArray("order_by").add("attribute.start_time DESC");
        JsonNode found =
                http.send(post("search", "looking for run " + id, "runs", body)).json();
        if (!found.isObject()) {
            throw unreadable("the list of runs", found);
        }
        return Optional.ofNullable(found.path("runs").get(0));
    }

    /** Makes a run and gives its id. */
    String create(ObjectNode body) throws BackendException {
        JsonNode made = http.send(post("create", "making a run", "runs", body)).json();
        return runId(made.path("run"));
    }

    /** The id of a run as the server describes it. */
    String runId(JsonNode run) throws BackendException {
        JsonNode info = run.path("info");
        return id(info.has("run_id") ? info.path("run_id") : info.path("run_uuid"), "the id of a run");
    }

    void log(String run, ObjectNode batch) throws BackendException {
        http.send(post("log-batch", "writing metrics of run " + run, "runs", batch.put("run_id", run)));
    }

    void end(String run, String status, long endedAt) throws BackendException {
        ObjectNode body = Json.object().put("run_id", run).put("status", status).put("end_time", endedAt);
        JsonNode answer =
                http.send(post("update", "ending run " + run, "runs", body)).json();
        if (!answer.isObject()) {
            throw unreadable("an answer", answer);
        }
    }

    private static HttpRequest post(String verb, String purpose, String what, ObjectNode body) {
        return HttpRequest.post(purpose)
                .path("api", "2.0", "mlflow", what, verb)
                .json(body);
    }

    private static String code(HttpReply reply) {
        return Json.parse(reply.text())
                .map(body -> body.path("error_code").asText())
                .orElse("");
    }

    private String id(JsonNode id, String what) throws BackendException {
        String text = id.asText();
        if (text.isBlank()) {
            throw unreadable(what, id);
        }
        return text;
    }

    private BackendException unreadable(String what, JsonNode found) {
        return new BackendException.Unreadable(
                "MLflow at " + address + " sent something else than " + what,
                found.toString(),
                "See that the address is that of an MLflow server, and which version it has.");
    }

    @Override
    public void close() {
        http.close();
    }
}
