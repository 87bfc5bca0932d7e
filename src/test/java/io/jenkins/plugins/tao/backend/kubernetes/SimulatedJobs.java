package io.jenkins.plugins.tao.backend.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.mockwebserver.dsl.HttpMethod;
import io.fabric8.mockwebserver.http.Buffer;
import io.fabric8.mockwebserver.http.Headers;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.Function;

/** What becomes of a Job's {@code backoffLimitPerIndex} on its way into the storage. */
final class SimulatedJobs {
    /** An older server leaves the field out without a word: its feature gate is closed. */
    private static final int LIMIT_PER_INDEX = 29;

    private static final JsonMapper JSON = new JsonMapper();

    private SimulatedJobs() {}

    /** The answer to a request that makes a Job with the field; empty for every other request. */
    static Optional<MockResponse> made(
            RecordedRequest request, int minor, Function<RecordedRequest, MockResponse> store) {
        String path = request.getPath();
        boolean create =
                request.getMethod().equals("POST") && path.matches("/apis/batch/v1/namespaces/[^/]+/jobs(\\?.*)?");
        String body = create ? new String(request.getBody().getBytes(), UTF_8) : "";
        if (!body.contains("backoffLimitPerIndex")) {
            return Optional.empty();
        }
        try {
            ObjectNode job = (ObjectNode) JSON.readTree(body);
            ObjectNode spec = (ObjectNode) job.path("spec");
            if (minor < LIMIT_PER_INDEX) {
                spec.remove("backoffLimitPerIndex");
                spec.put("backoffLimit", 6);
            } else if (!spec.path("completionMode").asText().equals("Indexed")) {
                return Optional.of(
                        refused("spec.backoffLimitPerIndex: Invalid value: requires indexed completion mode"));
            } else if (!spec.at("/template/spec/restartPolicy").asText().equals("Never")) {
                return Optional.of(
                        refused("spec.template.spec.restartPolicy: Unsupported value: supported values: Never"));
            } else if (!spec.has("backoffLimit")) {
                spec.put("backoffLimit", Integer.MAX_VALUE);
            }
            return path.contains("dryRun=All")
                    ? Optional.empty()
                    : Optional.of(store.apply(new RecordedRequest(
                            "HTTP/1.1",
                            HttpMethod.POST,
                            path,
                            Headers.builder()
                                    .add("Content-Type", "application/json")
                                    .build(),
                            new Buffer(JSON.writeValueAsBytes(job)))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static MockResponse refused(String why) {
        return SimulatedServer.status(422, "Invalid", "Job.batch is invalid: " + why);
    }
}
