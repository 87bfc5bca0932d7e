package io.jenkins.plugins.tao.backend.slurm.networks;

import io.jenkins.plugins.tao.job.JobSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Where a job says that it writes to a node's own disk, which is emptied when the job ends. */
public final class ScratchPaths {
    private static final Pattern WRITTEN =
            Pattern.compile("(?i).*(checkpoint|ckpt|result|output|save|export).*", Pattern.DOTALL);

    private final List<String> found = new ArrayList<>();

    private ScratchPaths() {}

    /** Each as {@code train.checkpoint_dir (/tmp/ckpt)}; keys of the spec and names of variables tell what is written. */
    public static List<String> of(JobSpec job) {
        ScratchPaths paths = new ScratchPaths();
        paths.search("", "", job.spec());
        paths.search("", "", job.env());
        return List.copyOf(paths.found);
    }

    private void search(String place, String key, Object value) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, item) -> {
                if (item != null) {
                    search(place + (place.isEmpty() ? "" : ".") + name, String.valueOf(name), item);
                }
            });
        } else if (value instanceof Iterable<?> list) {
            list.forEach(item -> search(place, key, item));
        } else if (value instanceof String text && WRITTEN.matcher(key).matches() && SlurmPaths.isNodeLocal(text)) {
            found.add(place + " (" + text + ")");
        }
    }
}
