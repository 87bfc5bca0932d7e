package io.jenkins.plugins.tao.backend.notebook;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.http.Json;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The call that saves a notebook and runs it, {@code SaveKernel}, as Kaggle's own client of January 2026 writes it:
 * camel case, nothing for an empty list. Accelerator and internet are always said, because a push does not take over
 * what the editor shows. Pure.
 */
final class KagglePush {
    private KagglePush() {}

    /** What the settings of a run keep of the push, so that a further attempt asks for the same. */
    static ObjectNode options(KaggleShape shape) {
        KaggleOptions options = shape.options();
        ObjectNode push = Json.object();
        list(push, "datasetDataSources", datasets(options));
        list(push, "competitionDataSources", options.competitions());
        list(push, "kernelDataSources", options.kernels());
        list(push, "modelDataSources", options.models());
        push.put("enableGpu", shape.accelerator().isPresent()).put("enableInternet", shape.internet());
        shape.accelerator().ifPresent(machine -> push.put("machineShape", machine));
        options.dockerImage().ifPresent(image -> push.put("dockerImage", image));
        return push;
    }

    private static List<String> datasets(KaggleOptions options) {
        List<String> all = new ArrayList<>(options.datasets());
        options.codeDataset().ifPresent(all::add);
        options.secretsDataset().ifPresent(all::add);
        return all;
    }

    /** The body of the call. */
    static ObjectNode request(NotebookRun run) {
        String slug = run.slug();
        ObjectNode body = Json.object();
        body.put("slug", slug)
                .put("newTitle", KaggleSlug.title(slug.substring(slug.indexOf('/') + 1)))
                .put("text", NotebookText.kaggle(run))
                .put("language", "python")
                .put("kernelType", "notebook")
                .put("isPrivate", true)
                .put("enableTpu", false);
        body.setAll((ObjectNode) run.push().deepCopy());
        list(body, "kernelDataSources", kernels(run));
        return body.put("sessionTimeoutSeconds", run.sessionSeconds()).put("kernelExecutionType", "SAVE_AND_RUN_ALL");
    }

    private static List<String> kernels(NotebookRun run) {
        List<String> all = new ArrayList<>();
        run.push().path("kernelDataSources").forEach(kernel -> all.add(kernel.asText()));
        all.addAll(run.resume());
        return all;
    }

    private static void list(ObjectNode body, String field, List<String> entries) {
        Set<String> once = new LinkedHashSet<>(entries);
        if (!once.isEmpty()) {
            ArrayNode list = body.putArray(field);
            once.forEach(list::add);
        }
    }
}
