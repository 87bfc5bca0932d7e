package io.jenkins.plugins.tao.jenkins.config;

import io.jenkins.plugins.tao.job.JobOptions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Options that a Pipeline gave in no form that there is: refused when they are read, where a failure is one line and not a trace. */
public final class WrongOptions extends JobOptionsConfiguration {
    private static final long serialVersionUID = 1L;

    private final String given;

    private WrongOptions(String given) {
        this.given = given;
    }

    /** The arguments of a step, with what stands in {@code options} and is none put so that it is refused later. */
    public static Map<String, Object> marked(Map<String, Object> arguments) {
        Object options = arguments.get("options");
        boolean text = options instanceof CharSequence || options instanceof Number || options instanceof Boolean;
        boolean map = options instanceof Map<?, ?> fields && !fields.containsKey("$class");
        if (!text && !map && !(options instanceof Iterable)) {
            return arguments;
        }
        Map<String, Object> marked = new LinkedHashMap<>(arguments);
        marked.put("options", new WrongOptions(String.valueOf(options)));
        return marked;
    }

    @Override
    public Optional<JobOptions> toOptions() {
        throw new IllegalArgumentException(
                "options must be those of a backend, as in options: slurm(partition: 'batch'),"
                        + " kubernetes(…), lepton(…), kaggle(…) or ssh(…), was '" + given + "'");
    }
}
