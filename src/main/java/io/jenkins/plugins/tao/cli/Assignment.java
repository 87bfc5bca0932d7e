package io.jenkins.plugins.tao.cli;

import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.bind.CommandOptions;
import io.jenkins.plugins.tao.code.CodeFolder;
import io.jenkins.plugins.tao.code.CodeLimits;
import io.jenkins.plugins.tao.job.CodeId;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobOptions;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.SpecFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A job file that has found its target.
 *
 * @param file what it says
 * @param request what a person asked for
 * @param target where it runs
 * @param targetsFile what describes the target; empty for none
 * @param accounting the prices and budgets of that file
 * @param spec what is wished
 * @param key the job's id
 * @param code the files of its code, to be sent before it; empty for none, or when it was asked for by an earlier process
 */
record Assignment(
        JobFile file,
        JobRequest request,
        Target target,
        Optional<Path> targetsFile,
        Accounting accounting,
        JobSpec spec,
        JobKey key,
        Optional<CodeFolder> code) {

    /** Reads a job with the values of its secrets. */
    static Assignment load(JobChoice choice, Surroundings here) throws UsageException {
        return new Loading(choice.request(here), choice.id, here).load(true);
    }

    /** Reads a job of {@code request} whose id is {@code id} again, with the values of its secrets. */
    static Assignment load(JobRequest request, Optional<String> id, Surroundings here) throws UsageException {
        return new Loading(request, id, here.in(Path.of(request.directory()))).load(true);
    }

    /** Reads a job for looking at it: none of its secrets is read. */
    static Assignment loadWithoutSecrets(JobChoice choice, Surroundings here) throws UsageException {
        return new Loading(choice.request(here), choice.id, here).load(false);
    }

    /** The values of {@code references}, read now. */
    static Map<String, Secret> reveal(Map<String, SecretRef> references, Surroundings here) throws UsageException {
        Map<String, Secret> secrets = new LinkedHashMap<>();
        for (Map.Entry<String, SecretRef> reference : references.entrySet()) {
            secrets.put(reference.getKey(), reference.getValue().resolve("secret " + reference.getKey(), here));
        }
        return secrets;
    }

    /** What a person calls the job: its name, else that of its file. */
    String name() {
        return file.name().orElseGet(() -> stem(request));
    }

    private static String stem(JobRequest request) {
        return String.valueOf(Path.of(request.file()).getFileName()).replaceFirst("\\.[^.]*$", "");
    }

    /** What this machine remembers of it once it is sent. */
    JobEntry entry(io.jenkins.plugins.tao.job.JobHandle handle) {
        return new JobEntry(
                handle,
                targetsFile.map(Path::toString),
                Optional.of(request.file()),
                file.archive(),
                file.secrets(),
                JobEntry.SUBMITTED,
                handle.submittedAt());
    }

    /** One file on its way to an assignment. */
    private record Loading(JobRequest request, Optional<String> id, Surroundings here) {
        Assignment load(boolean withSecrets) throws UsageException {
            Value.Keyed section = alone(request.content());
            JobFile file = new FileBinder(here).bind(section, JobFile.class, Map.of());
            checkCell(file);
            var unused = Gates.of(file.gates()); // refused before anything is sent, not when the job has ended
            Targets targets = Targets.find(given(request.targetsFile()), here);
            Place place = targets.named(targetName(file, section, targets));
            BackendType type = here.types().of(place.target());
            Map<String, Secret> secrets = withSecrets ? reveal(file.secrets(), here) : names(file.secrets());
            try {
                Optional<CodeFolder> code = code(file);
                String tree = code.map(CodeFolder::version).orElse(request.code());
                JobSpec spec = spec(file, secrets, options(file, place, type));
                return new Assignment(
                        file,
                        request.withCode(tree),
                        place.target(),
                        targets.file(),
                        targets.accounting(),
                        tree.isEmpty() ? spec : spec.withCode(new CodeId(tree)),
                        key(file),
                        code);
            } catch (IllegalArgumentException e) {
                throw new UsageException(request.file() + ": " + e.getMessage() + ".", e);
            }
        }

        /** What the file says of one job: a sweep is many. */
        private Value.Keyed alone(Value.Keyed content) throws UsageException {
            Optional<Value> matrix = content.get(Sweeping.KEY);
            if (matrix.isPresent() && !Sweeping.isCell(request)) {
                throw new UsageException(matrix.get().where()
                        + ": the file describes a sweep of several jobs. Send it with 'tao submit'.");
            }
            return content.without(Sweeping.KEY);
        }

        private void checkCell(JobFile file) throws UsageException {
            if (Sweeping.isCell(request)
                    && (file.resultsDir().isPresent() || file.spec().containsKey("results_dir"))) {
                throw new UsageException(request.file()
                        + ": the cells of a sweep cannot share one results directory. Leave out resultsDir and"
                        + " spec.results_dir: each cell gets its own.");
            }
        }

        /** Of a job that was asked for before, the code of that time is sent, or none: the directory may be another by now. */
        private Optional<CodeFolder> code(JobFile file) throws UsageException {
            if (file.code().isEmpty() || !request.code().isEmpty()) {
                return Optional.empty();
            }
            Path directory = here.path(file.code().get());
            try {
                return Optional.of(CodeFolder.read(directory, CodeLimits.defaults()));
            } catch (IOException e) {
                throw new UsageException(
                        request.file() + ": the code in " + directory + " cannot be sent: " + e.getMessage() + ".", e);
            }
        }

        private String targetName(JobFile file, Value.Keyed section, Targets targets) throws UsageException {
            Optional<String> name = given(request.target()).or(file::target);
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
            return Optional.of(new FileBinder(here).bind(new Value.Keyed(where, merged), type.optionsType(), Map.of()));
        }

        private JobSpec spec(JobFile file, Map<String, Secret> secrets, Optional<JobOptions> options) {
            return new JobSpec(
                    file.image(),
                    CommandOptions.added(file.command(), file.args()),
                    new Resources(file.nodes().orElse(1), file.gpus(), file.cpus(), file.time(), file.startWithin()),
                    file.env(),
                    secrets,
                    file.inputs(),
                    file.outputs(),
                    file.spec(),
                    file.specFormat().orElse(SpecFormat.YAML),
                    file.resultsDir(),
                    options,
                    Optional.empty());
        }

        private static Optional<String> given(String text) {
            return Optional.of(text).filter(name -> !name.isEmpty());
        }

        private JobKey key(JobFile file) {
            return id.map(JobKey::new)
                    .orElseGet(() -> JobKey.derive(
                            file.name().orElse(stem(request)),
                            java.util.UUID.randomUUID().toString()));
        }

        private static Map<String, Secret> names(Map<String, SecretRef> references) {
            Map<String, Secret> blank = new LinkedHashMap<>();
            references.keySet().forEach(name -> blank.put(name, Secret.of("***")));
            return blank;
        }
    }
}
