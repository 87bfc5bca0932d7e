package io.jenkins.plugins.tao.backend.box;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.box.options.BoxNetwork;
import io.jenkins.plugins.tao.backend.box.options.BoxPlaces;
import io.jenkins.plugins.tao.job.CheckpointInterval;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The variables of a job. Pure. */
final class BoxEnvironment {
    private BoxEnvironment() {}

    /** What the box adds to a job's own variables. */
    static Map<String, String> of(BoxPlace place, JobSpec spec, JobKey key) {
        Map<String, String> variables = new LinkedHashMap<>();
        places(place, spec, key, variables);
        checkpoints(place, spec)
                .ifPresent(interval -> variables.put(
                        "TAO_CHECKPOINT_SECONDS",
                        String.valueOf(interval.length().toSeconds())));
        return variables;
    }

    private static void places(BoxPlace place, JobSpec spec, JobKey key, Map<String, String> variables) {
        BoxPlaces places = place.settings().places();
        BoxNetwork network = place.settings().network();
        // a directory that jobs share has no place for what Python compiles, also where a user may write everywhere
        spec.code().ifPresent(id -> variables.put("PYTHONDONTWRITEBYTECODE", "1"));
        variables.put("DATA_DIR", place.data());
        variables.put("DURABLE_DIR", place.durable());
        places.scratchDirectory().ifPresent(path -> variables.put("SCRATCH", path + "/" + key));
        places.hfHome().ifPresent(path -> variables.put("HF_HOME", path));
        network.hfEndpoint().ifPresent(address -> variables.put("HF_ENDPOINT", address));
        network.hfTransfer().ifPresent(fast -> variables.put("HF_HUB_ENABLE_HF_TRANSFER", fast ? "1" : "0"));
    }

    static Optional<CheckpointInterval> checkpoints(BoxPlace place, JobSpec spec) {
        return BoxFiles.options(spec)
                .preparation()
                .checkpointCost()
                .flatMap(cost -> place.settings().rules().meanUptime().map(mean -> new CheckpointInterval(cost, mean)));
    }

    static String render(Map<String, String> variables, JobSpec spec) {
        StringBuilder text = new StringBuilder();
        variables.forEach((name, value) -> text.append(export(name, value)));
        spec.secrets()
                .keySet()
                .forEach(name -> text.append("# secret, by standard input: ")
                        .append(name)
                        .append('\n'));
        return text.toString();
    }

    /** A line of shell that sets a variable. */
    static String export(String name, String value) {
        return "export " + name + "=" + quote(value) + "\n";
    }
}
