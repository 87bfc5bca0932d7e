package io.jenkins.plugins.tao.jenkins.step;

import io.jenkins.plugins.tao.file.FileMistake;
import io.jenkins.plugins.tao.file.FileReader;
import io.jenkins.plugins.tao.file.GateKeys;
import io.jenkins.plugins.tao.file.GitSource;
import io.jenkins.plugins.tao.file.JobFile;
import io.jenkins.plugins.tao.file.SweepAxes;
import io.jenkins.plugins.tao.file.SweepFile;
import io.jenkins.plugins.tao.file.Value;
import io.jenkins.plugins.tao.file.ValueReader;
import io.jenkins.plugins.tao.jenkins.config.FileOptions;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.config.PipelineText;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.monitor.EarlyEnd;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A job file as the step that it describes, read as a terminal reads it. What the step says itself wins, as flags win there; a key that
 * means something in a terminal alone is refused with what to use in Jenkins.
 *
 * @param step a {@code taoRun}, or a {@code taoSweep} where the file has a matrix
 * @param gates what the job is judged by, each with its keys
 */
record FiledJob(RunStep step, List<Map<String, String>> gates) {
    private static final FileReader READER = new FileReader();
    /** Parameters that are called otherwise than the keys. */
    private static final Map<String, String> NAMES = Map.of("time", "timeLimit");
    /** Entries of the step join those of the file, and win one by one. */
    private static final Set<String> JOINED = Set.of("env", "set", "args", "secrets");
    /** What a step does not hold as a text, or not under this name. */
    private static final Set<String> APART = Set.of("options", "gates", "secrets", "command", "target");

    private static final String CODE = "code";

    /**
     * Reads {@code text}, the file of {@code asked}.
     *
     * @throws IllegalArgumentException saying where in the file something is wrong
     */
    static FiledJob read(RunStep asked, String text, BuildScope scope) {
        Value.Keyed content = ValueReader.parse(asked.getFile(), text);
        boolean sweep = content.get(SweepFile.MATRIX).isPresent();
        Value.Keyed job = withCommand(asked, own(asked, SweepFile.alone(content)));
        Map<String, Object> given = new LinkedHashMap<>();
        Optional<GitSource> git = GitSource.of(job);
        JobFile file = READER.bind(git.isPresent() ? job.without(CODE) : job, JobFile.class);
        refuseOfTerminals(asked, job, file);
        add(file, given);
        git.ifPresent(source -> given.put(CODE, commit(job, source)));
        given.put("endEarly", EarlyEnd.render(file.earlyEnds()));
        if (sweep) {
            add(SweepFile.of(content), given);
        }
        List<Map<String, String>> gates = GateKeys.of(file.gates());
        given.keySet().removeAll(APART);
        RunStep step = asked.filed(sweep, file.target().orElse(asked.getTarget()), file.command());
        if (step instanceof SweepStep whole && !says(asked, SweepFile.MATRIX)) {
            content.get(SweepFile.MATRIX).map(SweepAxes::of).ifPresent(whole::setFiled);
        }
        PipelineText.flatten(given).forEach((name, value) -> take(asked, step, name, String.valueOf(value)));
        String target = target(step, scope, job);
        if (job.get("options").isPresent()) {
            FileOptions options =
                    new FileOptions(asked.getFile(), text, scope.kind(target).name());
            var unused = options.toOptions(); // refused with its line, before anything is sent
            step.setOptions(options);
        }
        return new FiledJob(step, gates);
    }

    /** The file without the keys that the step says itself. */
    private static Value.Keyed own(RunStep asked, Value.Keyed job) {
        Value.Keyed rest = asked.getOptions() == null ? job : job.without("options");
        for (String key : READER.keys(JobFile.class)) {
            rest = !JOINED.contains(key) && says(asked, key) ? rest.without(key) : rest;
        }
        rest = says(asked, "spec") || says(asked, "specFile")
                ? rest.without("spec").without("specFile")
                : rest;
        return says(asked, "target") || says(asked, "targets")
                ? rest.without("target").without("targets")
                : rest;
    }

    private static boolean says(RunStep asked, String key) {
        return !Parameters.text(asked, NAMES.getOrDefault(key, key)).isBlank();
    }

    private static Value.Keyed withCommand(RunStep asked, Value.Keyed job) {
        return asked.getCommand().isEmpty()
                ? job
                : job.with(List.of("command"), new Value.Text(job.where(), asked.getCommand(), true));
    }

    private static void refuseOfTerminals(RunStep asked, Value.Keyed job, JobFile file) {
        Map<String, String> credentials = FormText.texts("secrets", asked.getSecrets());
        file.secrets().keySet().stream()
                .filter(name -> !credentials.containsKey(name))
                .findFirst()
                .ifPresent(name -> refuse(
                        job,
                        "secrets",
                        "the secret '" + name + "' is found in a terminal alone. In Jenkins name a credential for it:"
                                + " secrets: [" + name + ": 'CREDENTIALS-ID'] in the step"));
        file.after()
                .filter(id -> !id.startsWith("tao1:"))
                .ifPresent(id -> refuse(
                        job,
                        "after",
                        "'" + id + "' is known in a terminal alone. In Jenkins name the job by its token, or by what"
                                + " taoSubmit returned: after: job in the step"));
    }

    private static void refuse(Value.Keyed job, String key, String why) {
        throw new FileMistake(job.get(key).map(Value::where).orElse(job.where()) + ": '" + key + "': " + why + ".");
    }

    private static Map<String, String> commit(Value.Keyed job, GitSource source) {
        if (source.credential().isPresent()) {
            refuse(
                    job,
                    CODE,
                    "its credential is found in a terminal alone. In Jenkins give the commit in the step: code: [git:"
                            + " '…', commit: '…', credentialsId: '…']");
        }
        return Map.of("git", source.git(), "commit", source.commit());
    }

    private static void take(RunStep asked, RunStep step, String name, String text) {
        String own = Parameters.text(asked, name);
        if (own.isBlank()) {
            Parameters.set(step, name, text);
        } else if (JOINED.contains(name)) {
            Map<String, Object> all = new LinkedHashMap<>(map(name, text));
            all.putAll(map(name, own));
            Parameters.set(step, name, FormText.yaml(all));
        }
    }

    /** Variables are texts as they are written. */
    private static Map<String, ?> map(String name, String text) {
        return name.equals("env") ? FormText.texts(name, text) : FormText.map(name, text);
    }

    private static String target(RunStep step, BuildScope scope, Value.Keyed job) {
        List<String> several = FormText.list(step.getTargets());
        String target = several.isEmpty() ? step.in(scope.run().getParent()).getTarget() : several.get(0);
        if (target.isEmpty()) {
            throw new FileMistake(
                    job.where() + ": the job names no target. Add 'target: NAME' here, or target: 'NAME' in the step.");
        }
        return target;
    }

    /** What the keys of a record hold, as a Pipeline would give it; keys without a value are left out. */
    private static void add(Record file, Map<String, Object> given) {
        for (RecordComponent key : file.getClass().getRecordComponents()) {
            try {
                plain(key.getAccessor().invoke(file))
                        .ifPresent(value -> given.put(NAMES.getOrDefault(key.getName(), key.getName()), value));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static Optional<Object> plain(Object value) {
        if (value instanceof Optional<?> maybe) {
            return maybe.flatMap(FiledJob::plain);
        }
        if (value instanceof OptionalInt number) {
            return number.isPresent() ? Optional.of(number.getAsInt()) : Optional.empty();
        }
        if (value instanceof Duration time) {
            return Optional.of(time.toSeconds() + "s");
        }
        if (value instanceof Enum<?> word) {
            return Optional.of(word.name().toLowerCase(Locale.ROOT));
        }
        if (value instanceof Collection<?> list && list.stream().anyMatch(Value.Keyed.class::isInstance)) {
            return Optional.of(
                    GateKeys.of(list.stream().map(Value.Keyed.class::cast).toList()));
        }
        boolean none = (value instanceof Map<?, ?> map && map.isEmpty())
                || (value instanceof Collection<?> list && list.isEmpty());
        return none ? Optional.empty() : Optional.of(value);
    }
}
