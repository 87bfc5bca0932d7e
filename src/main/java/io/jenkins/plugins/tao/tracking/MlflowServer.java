package io.jenkins.plugins.tao.tracking;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.backend.BackendException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** One MLflow server. A run is told once, however often it is tried: it is found again by its tag, and goes on where it broke off. */
public record MlflowServer(MlflowApi api, ExperimentName experiments) implements AutoCloseable {
    /**
     * Tells of one run.
     *
     * @param goOn asked before each batch of values
     * @return the address of its page there
     * @throws BackendException if the server has not all of it; it may be told again
     */
    String tell(MlflowRun run, BooleanSupplier goOn) throws BackendException {
        String experiment = api.experiment(experiments.of(run.record()));
        Optional<JsonNode> known = api.find(experiment, run.id());
        String id = known.isPresent() ? api.runId(known.get()) : api.create(run.create(experiment));
        List<ObjectNode> batches = run.batches(known.map(MlflowServer::params).orElse(Set.of()));
        for (ObjectNode batch :
                batches.subList(known.map(there -> sent(there, batches.size())).orElse(0), batches.size())) {
            if (!goOn.getAsBoolean()) {
                throw new BackendException.Unreachable(
                        "The values of run " + run.id() + " are many, and written in parts.",
                        "Writing continues the next time.");
            }
            api.log(id, batch);
        }
        api.end(id, run.status(), run.endedAt());
        return api.page(experiment, id);
    }

    private static Set<String> params(JsonNode run) {
        Set<String> names = new HashSet<>();
        run.path("data")
                .path("params")
                .forEach(param -> names.add(param.path("key").asText()));
        return names;
    }

    /** How many batches are there already: servers that keep files would have their values twice. */
    private static int sent(JsonNode run, int all) {
        for (JsonNode tag : run.path("data").path("tags")) {
            String value = tag.path("value").asText();
            if (tag.path("key").asText().equals(MlflowRun.SENT_TAG) && value.matches("\\d{1,6}/" + all)) {
                return Math.min(all, Integer.parseInt(value.substring(0, value.indexOf('/'))));
            }
        }
        return 0;
    }

    @Override
    public void close() {
        api.close();
    }
}
