package io.jenkins.plugins.tao.cli;

import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobOptions;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.SpecFormat;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A job file that has found its target.
 *
 * @param file what it says
 * @param path where it lies
 * @param target where it runs
 * @param targetsFile what describes the target; empty for none
 * @param spec what is wished
 * @param key the job's id
 */
record Assignment(JobFile file, Path path, Target target, Optional<Path> targetsFile, JobSpec spec, JobKey key) {

    /** Reads a job with the values of its secrets. */
    static Assignment load(JobChoice choice, Surroundings here) throws UsageException {
        return new Loading(choice, here).load(true);
    }

    /** Reads a job for looking at it: none of its secrets is read. */
    static Assignment loadWithoutSecrets(JobChoice choice, Surroundings here) throws UsageException {
        return new Loading(choice, here).load(false);
    }

    /** The values of {@code references}, read now. */
    static Map<String, Secret> reveal(Map<String, SecretRef> references, Surroundings here) throws UsageException {
        Map<String, Secret> secrets = new LinkedHashMap<>();
        for (Map.Entry<String, SecretRef> reference : references.entrySet()) {
            secrets.put(reference.getKey(), reference.getValue().resolve("secret " + reference.getKey(), here));
        }
        return secrets;
    }

    /** What this machine remembers of it once it is sent. */
    JobEntry entry(io.jenkins.plugins.tao.job.JobHandle handle) {
        return new JobEntry(
                handle,
                targetsFile.map(Path::toString),
                Optional.of(path.toString()),
                file.archive(),
                file.secrets(),
                JobEntry.SUBMITTED,
                handle.submittedAt());
    }

    /** One file on its way to an assignment. */
    private record Loading(JobChoice choice, Surroundings here) {
        Assignment load(boolean withSecrets) throws UsageException {
            Path path = here.path(choice.file);
            Value.Keyed section = YamlText.read(path, "job file");
            JobFile file = new Binder(here).bind(section, JobFile.class, Map.of());
            Targets targets = Targets.find(choice.targets.targets, here);
            Place place = targets.named(targetName(file, section, targets));
            BackendType type = here.types().of(place.target());
            Map<String, Secret> secrets = withSecrets ? reveal(file.secrets(), here) : names(file.secrets());
            try {
                JobSpec spec = spec(file, secrets, options(file, place, type));
                return new Assignment(file, path, place.target(), targets.file(), spec, key(file, path));
            } catch (IllegalArgumentException e) {
                throw new UsageException(path + ": " + e.getMessage() + ".", e);
            }
        }

        private String targetName(JobFile file, Value.Keyed section, Targets targets) throws UsageException {
            Optional<String> name = choice.target.or(file::target);
            if (name.isEmpty()) {
                throw new UsageException(section.where()
                        + ": the job names no target. Add 'target: NAME' or give --target NAME. Known targets: "
                        + String.join(", ", targets.names()) + ".");
            }
            return name.get();
        }

        private Optional<JobOptions> options(JobFile file, Place place, BackendType type) throws UsageException {
            Map<String, Value.Entry> merged =
                    new LinkedHashMap<>(place.options().entries());
            file.options().ifPresent(own -> merged.putAll(own.entries()));
            if (merged.isEmpty()) {
                return Optional.empty();
            }
            String where = file.options()
                    .map(Value.Keyed::where)
                    .orElse(place.options().where());
            return Optional.of(new Binder(here).bind(new Value.Keyed(where, merged), type.optionsType(), Map.of()));
        }

        private JobSpec spec(JobFile file, Map<String, Secret> secrets, Optional<JobOptions> options) {
            return new JobSpec(
                    choice.image.or(file::image),
                    file.command(),
                    new Resources(file.nodes().orElse(1), file.gpus(), file.cpus(), file.time()),
                    file.env(),
                    secrets,
                    file.inputs(),
                    file.outputs(),
                    file.spec(),
                    file.specFormat().orElse(SpecFormat.YAML),
                    file.resultsDir(),
                    options);
        }

        private JobKey key(JobFile file, Path path) {
            String stem = String.valueOf(path.getFileName()).replaceFirst("\\.[^.]*$", "");
            return choice.id
                    .map(JobKey::new)
                    .orElseGet(() -> JobKey.derive(
                            file.name().orElse(stem),
                            java.util.UUID.randomUUID().toString()));
        }

        private static Map<String, Secret> names(Map<String, SecretRef> references) {
            Map<String, Secret> blank = new LinkedHashMap<>();
            references.keySet().forEach(name -> blank.put(name, Secret.of("***")));
            return blank;
        }
    }
}
