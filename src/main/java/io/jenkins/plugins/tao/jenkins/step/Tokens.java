package io.jenkins.plugins.tao.jenkins.step;

import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.config.PipelineText;
import io.jenkins.plugins.tao.jenkins.run.TaoJob;
import io.jenkins.plugins.tao.jenkins.run.TaoResult;
import io.jenkins.plugins.tao.job.JobHandle;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Jobs as steps take them: the value of {@code taoSubmit}, a token, or a list of these. */
final class Tokens {
    private Tokens() {}

    /** The token of a job or of a result; anything else is left as it is. */
    static Object of(Object value) {
        if (value instanceof TaoResult result) {
            return result.getToken();
        }
        return value instanceof TaoJob job ? job.getToken() : value;
    }

    /** The arguments of a step whose answer is a list where it is given a list of jobs. */
    static Map<String, Object> arguments(Map<String, Object> given) {
        Map<String, Object> flat = PipelineText.flatten(given, Tokens::of);
        if (given.get("job") instanceof List) {
            flat.put("list", "true");
        }
        return flat;
    }

    /**
     * Reads tokens, one a line.
     *
     * @throws IllegalArgumentException if there is none, or one is damaged
     */
    static List<JobHandle> parse(String lines) {
        List<JobHandle> jobs =
                FormText.lines(lines).stream().map(JobHandle::parse).toList();
        if (jobs.isEmpty()) {
            throw new IllegalArgumentException("Give a job, as taoSubmit returned it, or its token.");
        }
        return jobs;
    }

    /** What a step was given, for the graph; nothing where Jenkins has not kept it. */
    static @Nullable String named(@Nullable Object given) {
        if (given instanceof Collection<?> several) {
            List<String> names = several.stream()
                    .map(Tokens::named)
                    .filter(Objects::nonNull)
                    .map(String::valueOf)
                    .toList();
            return names.isEmpty() ? null : String.join(", ", names);
        }
        Object token = given == null ? null : of(given);
        return token instanceof CharSequence text
                ? FormText.text(text.toString()).map(Tokens::shortNames).orElse(null)
                : null;
    }

    /** {@code dgx/4711, dgx/4712}, or the text itself where it holds no tokens. */
    static String shortNames(String lines) {
        try {
            return parse(lines).stream().map(JobHandle::shortName).collect(Collectors.joining(", "));
        } catch (IllegalArgumentException e) {
            return lines;
        }
    }
}
