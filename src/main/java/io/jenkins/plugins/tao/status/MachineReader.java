package io.jenkins.plugins.tao.status;

import io.jenkins.plugins.tao.job.GpuUse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what {@code gpus.sh} tells of a job's node; lines and values that it does not know pass by. */
public final class MachineReader {
    /** The facts, as a run record names them. */
    public static final String GPU_TYPE = "gpuType";

    private static final String DRIVER = "driver";
    private static final String CUDA = "cuda";
    private static final String DIGEST = "imageDigest";

    private static final Pattern GPU = Pattern.compile("gpu \\d{1,4}, ([^,]{1,100}), ([^,]{1,40}), (\\S{1,20})");
    private static final Pattern CUDA_VERSION = Pattern.compile("cuda (\\d{1,3}(\\.\\d{1,3}){0,2})");
    private static final Pattern IMAGE = Pattern.compile("image (sha256:[0-9a-f]{64})");
    private static final Pattern USE = Pattern.compile("use (\\d{9,11})((?: \\d{1,4},[^ ,]{1,20},[^ ,]{1,20}){1,64})");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}(\\.\\d{1,9})?");
    private static final int MOST_KINDS = 4;

    private final Set<String> kinds = new TreeSet<>();
    private final Map<String, String> facts = new LinkedHashMap<>();

    /** What some lines told: all facts so far where one is new, and the samples. */
    public record Told(Map<String, String> facts, List<GpuUse> samples) {}

    /** Takes whole lines. */
    public Told take(List<String> lines) {
        Map<String, String> before = Map.copyOf(facts);
        List<GpuUse> samples = new ArrayList<>();
        for (String line : lines) {
            if (line.startsWith("use ")) {
                sample(line).ifPresent(samples::add);
            } else {
                fact(line.strip());
            }
        }
        return new Told(facts.equals(before) ? Map.of() : Map.copyOf(facts), samples);
    }

    private void fact(String line) {
        Matcher gpu = GPU.matcher(line);
        Matcher cuda = CUDA_VERSION.matcher(line);
        Matcher image = IMAGE.matcher(line);
        if (line.startsWith("node ")) {
            kinds.clear(); // a new run, perhaps elsewhere
            List.of(GPU_TYPE, DRIVER, CUDA).forEach(facts::remove);
        } else if (gpu.matches()) {
            known(gpu.group(1)).filter(kind -> kinds.size() < MOST_KINDS).ifPresent(kinds::add);
            if (!kinds.isEmpty()) {
                facts.put(GPU_TYPE, String.join(", ", kinds));
            }
            known(gpu.group(2)).ifPresent(version -> facts.put(DRIVER, version));
        } else if (cuda.matches()) {
            facts.put(CUDA, cuda.group(1));
        } else if (image.matches()) {
            facts.put(DIGEST, image.group(1));
        }
    }

    /** nvidia-smi writes {@code [N/A]}, {@code [Not Supported]} and the like where it cannot tell. */
    private static Optional<String> known(String text) {
        String plain = text.strip();
        return plain.isEmpty() || plain.startsWith("[") ? Optional.empty() : Optional.of(plain);
    }

    private static Optional<GpuUse> sample(String line) {
        Matcher use = USE.matcher(line.strip());
        if (!use.matches()) {
            return Optional.empty();
        }
        List<GpuUse.Gpu> gpus = new ArrayList<>();
        for (String part : use.group(2).strip().split(" ", -1)) {
            String[] values = part.split(",", -1);
            OptionalDouble percent = number(values[1]);
            gpus.add(new GpuUse.Gpu(
                    Integer.parseInt(values[0]),
                    percent.isPresent() && percent.getAsDouble() > 100 ? OptionalDouble.empty() : percent,
                    number(values[2])));
        }
        return Optional.of(new GpuUse(Instant.ofEpochSecond(Long.parseLong(use.group(1))), gpus));
    }

    private static OptionalDouble number(String text) {
        return NUMBER.matcher(text).matches() ? OptionalDouble.of(Double.parseDouble(text)) : OptionalDouble.empty();
    }
}
