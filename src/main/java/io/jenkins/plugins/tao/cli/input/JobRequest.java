package io.jenkins.plugins.tao.cli.input;

import io.jenkins.plugins.tao.bind.SpecPaths;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.file.Value;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import lombok.AccessLevel;
import lombok.With;

/**
 * A job as a person asked for it, complete: the same request makes the same job again, from any directory and after the
 * job file has changed. Holds no secret, only where secrets are found.
 *
 * @param file the absolute path of the job file
 * @param text what the job file says
 * @param directory where relative paths begin
 * @param target the name given instead of the file's; empty for the file's own
 * @param targetsFile the targets file given; empty for the usual one
 * @param overrides what replaces values of the job file, in the order given
 * @param specText what the file of 'specFile' says; empty for none
 * @param code the id of its code as it was when the job was asked for; empty for none, or when it is not known yet
 */
public record JobRequest(
        String file,
        String text,
        String directory,
        @With(AccessLevel.PRIVATE) String target,
        String targetsFile,
        @With(AccessLevel.PRIVATE) List<Replacement> overrides,
        @With(AccessLevel.PRIVATE) String specText,
        @With String code) {
    private static final String SPEC = "spec";
    private static final String SPEC_FILE = "specFile";
    private static final String SET = "set";

    public JobRequest {
        overrides = List.copyOf(overrides);
        specText = Objects.requireNonNullElse(specText, ""); // as below
        code = Objects.requireNonNullElse(code, ""); // a record of an older version has none
    }

    /**
     * One value given on the command line.
     *
     * @param option as a person wrote it, for messages: {@code --set train.num_epochs}
     * @param path the key in the job file and the keys below it; of a spec, {@code spec} and one path with dots
     * @param value the value
     * @param yaml whether it is YAML, as {@code [1, 2]} is a list; else it is text as it stands
     */
    public record Replacement(String option, List<String> path, String value, boolean yaml) {
        public Replacement {
            path = List.copyOf(path);
        }

        private Value given() throws UsageException {
            return yaml ? YamlText.value(option, value) : new Value.Text(option, value, true);
        }
    }

    /** The name of the job file without its ending. */
    public String stem() {
        return String.valueOf(Path.of(file).getFileName()).replaceFirst("\\.[^.]*$", "");
    }

    /** The same with more that replaces values of the job file. */
    public JobRequest with(List<Replacement> more) {
        List<Replacement> all = new ArrayList<>(overrides);
        all.addAll(more);
        return withOverrides(all);
    }

    /** The same for the target called {@code name}, whatever the file says. */
    public JobRequest on(String name) {
        return withTarget(name);
    }

    /** The same with the file that {@code specFile} names, read; paths begin where the request was made. */
    JobRequest withSpecFile(Surroundings here) throws UsageException {
        Value.Keyed content = YamlText.parse(file, text);
        if (!(content.get(SPEC_FILE).orElse(null) instanceof Value.Text name)) {
            return this;
        }
        String read = YamlText.text(here.path(name.text()), "spec file");
        return withSpecText(read);
    }

    /** What the job file says with the overrides in place. */
    public Value.Keyed content() throws UsageException {
        Value.Keyed content = withSpec(YamlText.parse(file, text));
        Set<String> known = known(content);
        if (content.get(SET).orElse(null) instanceof Value.Keyed set) {
            for (Map.Entry<String, Value.Entry> value : set.entries().entrySet()) {
                List<String> path = inSpec(value.getValue().where(), value.getKey(), known);
                content = replaced(content, path, value.getValue().value());
            }
        }
        for (Replacement override : overrides) {
            content = replaced(content, path(override, known), override.given());
        }
        return content;
    }

    private static Value.Keyed replaced(Value.Keyed content, List<String> path, Value value) throws UsageException {
        return UsageException.of(() -> content.with(path, value));
    }

    private static List<String> path(Replacement override, Set<String> known) throws UsageException {
        List<String> path = override.path();
        return path.size() == 2 && path.get(0).equals(SPEC) ? inSpec(override.option(), path.get(1), known) : path;
    }

    private Value.Keyed withSpec(Value.Keyed content) throws UsageException {
        Optional<Value> name = content.get(SPEC_FILE);
        if (name.isEmpty()) {
            return content;
        }
        if (content.get(SPEC).isPresent()) {
            throw new UsageException(name.get().where()
                    + ": the job has a 'spec' and a 'specFile'. Keep one; 'set' changes single values of it.");
        }
        String source = name.get() instanceof Value.Text text ? text.text() : SPEC_FILE;
        return content.with(List.of(SPEC), YamlText.parse(source, specText));
    }

    private static List<String> inSpec(String where, String path, Set<String> known) throws UsageException {
        try {
            List<String> keys = new ArrayList<>(List.of(SPEC));
            keys.addAll(SpecPaths.keys(path, known));
            return keys;
        } catch (IllegalArgumentException e) {
            throw new UsageException(where + ": " + e.getMessage() + ".", e);
        }
    }

    /** All paths of the spec of a job file. */
    static Set<String> known(Value.Keyed content) {
        return content.get(SPEC).map(spec -> SpecPaths.known(groups(spec))).orElse(Set.of());
    }

    /** The keys of a spec; a value that has none is an empty text. */
    private static Map<String, Object> groups(Value value) {
        Map<String, Object> groups = new LinkedHashMap<>();
        if (value instanceof Value.Keyed keyed) {
            keyed.entries()
                    .forEach((key, entry) ->
                            groups.put(key, entry.value() instanceof Value.Keyed ? groups(entry.value()) : ""));
        }
        return groups;
    }
}
