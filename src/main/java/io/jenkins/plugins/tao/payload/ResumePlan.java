package io.jenkins.plugins.tao.payload;

import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.http.Json;
import io.jenkins.plugins.tao.spec.CheckpointPlace;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Tells the runner in a container where checkpoints of its job lie in S3, and how they are called. Pure. */
final class ResumePlan {
    private ResumePlan() {}

    /** Empty where the results outlive the container by themselves, and where no checkpoint proves itself whole. */
    static String of(Payload payload) throws Rejected {
        Optional<S3Address> from = payload.uploads().stream()
                .filter(upload -> upload.local().equals(payload.ownResults()) && !payload.keepsResults())
                .map(Transfer::remote)
                .findFirst();
        Optional<CheckpointPlace> place =
                payload.filled(UnaryOperator.identity()).checkpoints();
        return from.isEmpty() || place.isEmpty() ? "" : render(payload, from.get(), place.get());
    }

    private static String render(Payload payload, S3Address results, CheckpointPlace place) {
        Map<String, Object> plan = new LinkedHashMap<>();
        payload.storage().ifPresent(storage -> plan.put("region", storage.regionOrDefault()));
        plan.put("endpoint", payload.storage().flatMap(S3Settings::endpoint).orElse(""));
        plan.put("bucket", results.bucket());
        plan.put("key", results.key());
        plan.put("root", payload.ownResults());
        plan.put("train", place.train());
        plan.put("folders", place.folders());
        plan.put("names", place.names());
        plan.put("owner", payload.key().value());
        return Json.write(plan);
    }
}
