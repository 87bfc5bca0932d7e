package io.jenkins.plugins.tao.backend.lepton.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A size of machine that jobs can ask for.
 *
 * @param id opaque, such as {@code gpu.8xh100-sxm}
 * @param accelerator the GPU's name; empty without one
 * @param forJobs whether it is offered for jobs
 */
public record LeptonShape(
        String id,
        String accelerator,
        double gpus,
        double cpus,
        long memoryMb,
        long gpuMemoryMb,
        String nodeGroup,
        boolean forJobs) {
    private static final List<String> CPU_ORDER = List.of("cpu.medium", "cpu.large", "cpu.small");

    public static List<LeptonShape> read(JsonNode list) {
        List<LeptonShape> shapes = new ArrayList<>();
        for (JsonNode node : list) {
            JsonNode spec = node.path("spec");
            String id =
                    node.path("metadata").path("id").asText(spec.path("name").asText(""));
            if (!id.isEmpty()) {
                shapes.add(new LeptonShape(
                        id,
                        spec.path("accelerator_type").asText(""),
                        spec.path("accelerator_num").asDouble(),
                        spec.path("cpu").asDouble(),
                        spec.path("memory_in_mb").asLong(),
                        spec.path("accelerator_memory_in_mb").asLong(),
                        spec.path("node_group_id").asText(""),
                        offeredForJobs(spec.path("listable_in"))));
            }
        }
        return shapes;
    }

    private static boolean offeredForJobs(JsonNode list) {
        boolean offered = list.isMissingNode() || list.isNull();
        for (JsonNode word : list) {
            offered |= word.asText().equals("job");
        }
        return offered;
    }

    /**
     * The one shape with {@code gpus} GPUs, or the usual one without any.
     *
     * @throws Rejected with the candidates when there is none, or more than one
     */
    public static LeptonShape forGpus(int gpus, List<LeptonShape> shapes, String service) throws Rejected {
        List<LeptonShape> fitting = shapes.stream()
                .filter(shape -> shape.forJobs()
                        && shape.gpus() == gpus
                        && (gpus == 0 || !shape.accelerator().isEmpty()))
                .toList();
        if (gpus == 0) {
            Optional<LeptonShape> usual = CPU_ORDER.stream()
                    .flatMap(id -> fitting.stream().filter(shape -> shape.id().equals(id)))
                    .findFirst();
            if (usual.isPresent()) {
                return usual.get();
            }
        }
        if (fitting.size() == 1) {
            return fitting.get(0);
        }
        String what = fitting.isEmpty() ? "no shape" : "more than one shape";
        throw new Rejected(
                service + " offers " + what + " with " + gpus + " GPUs for jobs.",
                "Name one as resourceShape: "
                        + names(
                                fitting.isEmpty()
                                        ? shapes.stream()
                                                .filter(LeptonShape::forJobs)
                                                .toList()
                                        : fitting)
                        + ".");
    }

    public static String names(List<LeptonShape> shapes) {
        return shapes.stream().map(LeptonShape::words).distinct().collect(Collectors.joining(", "));
    }

    public String words() {
        return accelerator.isEmpty() ? id : String.format(Locale.ROOT, "%s (%.0f × %s)", id, gpus, accelerator);
    }
}
