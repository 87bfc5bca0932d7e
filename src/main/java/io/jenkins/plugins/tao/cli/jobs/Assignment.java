package io.jenkins.plugins.tao.cli.jobs;

import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.Carrying;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.bind.CommandOptions;
import io.jenkins.plugins.tao.bind.SpecPaths;
import io.jenkins.plugins.tao.cli.input.Accounting;
import io.jenkins.plugins.tao.cli.input.ArrayCells;
import io.jenkins.plugins.tao.cli.input.ArraySweep;
import io.jenkins.plugins.tao.cli.input.Gates;
import io.jenkins.plugins.tao.cli.input.JobChoice;
import io.jenkins.plugins.tao.cli.input.JobRequest;
import io.jenkins.plugins.tao.cli.input.Place;
import io.jenkins.plugins.tao.cli.input.Sweeping;
import io.jenkins.plugins.tao.cli.input.Targets;
import io.jenkins.plugins.tao.cli.records.JobEntry;
import io.jenkins.plugins.tao.cli.records.SecretValue;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.code.CodeFolder;
import io.jenkins.plugins.tao.file.GitSource;
import io.jenkins.plugins.tao.file.JobFile;
import io.jenkins.plugins.tao.file.SecretRef;
import io.jenkins.plugins.tao.file.SweepFile;
import io.jenkins.plugins.tao.file.Value;
import io.jenkins.plugins.tao.gate.criteria.SeedPlace;
import io.jenkins.plugins.tao.job.Checkpoints;
import io.jenkins.plugins.tao.job.CodeId;
import io.jenkins.plugins.tao.job.Hooks;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobOptions;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.job.RetryBudget;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.SpecFormat;
import io.jenkins.plugins.tao.monitor.EarlyEnd;
import io.jenkins.plugins.tao.placing.Inheritance;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import lombok.AccessLevel;
import lombok.With;

/**
 * A job file that has found its target.
 *
 * @param file what it says
 * @param request what a person asked for
 * @param target where it runs
 * @param targetsFile what describes the target; empty for none
 * @param accounting the prices and budgets of that file
 * @param spec what is asked for
 * @param key the job's id
 * @param code the files of its code, to be sent before it; empty for none, or when it was asked for by an earlier process
 * @param cell the cell of a sweep that it is; empty for another job
 * @param carries the cells that its members are; none for another job
 */
public record Assignment(
        JobFile file,
        @With(AccessLevel.PRIVATE) JobRequest request,
        Target target,
        Optional<Path> targetsFile,
        Accounting accounting,
        @With(AccessLevel.PRIVATE) JobSpec spec,
        JobKey key,
        Optional<CodeFolder> code,
        @With(AccessLevel.PRIVATE) Optional<Sweeping.Member> cell,
        @With(AccessLevel.PRIVATE) ArrayCells carries) {

    /** Reads a job with the values of its secrets. */
    public static Assignment load(JobChoice choice, Surroundings here) throws UsageException {
        return new Loading(choice.request(here), choice.id, here).load(true);
    }

    /** Reads a job of {@code request} whose id is {@code id} again, with the values of its secrets. */
    public static Assignment load(JobRequest request, Optional<String> id, Surroundings here) throws UsageException {
        return new Loading(request, id, here.in(Path.of(request.directory()))).load(true);
    }

    /** The same for one of several jobs that share what was read of their inputs. */
    public static Assignment load(JobRequest request, Optional<String> id, Surroundings here, SharedInputs shared)
            throws UsageException {
        return new Loading(request, id, here.in(Path.of(request.directory())), shared).load(true);
    }

    /** Reads a job for looking at it: none of its secrets is read. */
    public static Assignment loadWithoutSecrets(JobChoice choice, Surroundings here) throws UsageException {
        return new Loading(choice.request(here), choice.id, here).load(false);
    }

    /** The values of {@code references}, read now. */
    static Map<String, Secret> reveal(Map<String, SecretRef> references, Surroundings here) throws UsageException {
        Map<String, Secret> secrets = new LinkedHashMap<>();
        for (Map.Entry<String, SecretRef> reference : references.entrySet()) {
            secrets.put(reference.getKey(), SecretValue.of(reference.getValue(), "secret " + reference.getKey(), here));
        }
        return secrets;
    }

    /** The same job with what the placeholders of its parent stand for. */
    Assignment inheriting(Map<String, String> values) {
        return withSpec(Inheritance.filled(spec, values));
    }

    /** Warns of a file of the command that lies where tao was called, or beside the job file, and is not sent. */
    public List<Report.Check> unsent() {
        Path directory = Path.of(request.directory());
        Path beside = directory.resolve(request.file()).resolveSibling("").normalize();
        boolean pushed = file.options().flatMap(options -> options.get("code")).isPresent();
        return pushed
                ? List.of()
                : CodeFolder.unsent(spec, directory).or(() -> CodeFolder.unsent(spec, beside)).stream()
                        .toList();
    }

    /** What a person calls the job: its name, else that of its file. */
    public String name() {
        return file.name().orElseGet(() -> request.stem());
    }

    /** What this machine remembers of it once it is sent. */
    JobEntry entry(io.jenkins.plugins.tao.job.JobHandle handle) {
        return new JobEntry(
                handle,
                targetsFile.map(Path::toString),
                Optional.of(request.file()),
                file.archive(),
                file.secrets(),
                EarlyEnd.render(file.earlyEnds()),
                JobEntry.SUBMITTED,
                handle.submittedAt());
    }

    /** One file on its way to an assignment. */
    private record Loading(JobRequest request, Optional<String> id, Surroundings here, SharedInputs shared) {
        Loading(JobRequest request, Optional<String> id, Surroundings here) {
            this(request, id, here, new SharedInputs());
        }

        Assignment load(boolean withSecrets) throws UsageException {
            Optional<ArraySweep> array = Sweeping.carried(request);
            return array.isPresent() ? carrying(array.get(), withSecrets) : single(withSecrets);
        }

        /** All cells are checked as jobs of their own would be. */
        private Assignment carrying(ArraySweep array, boolean withSecrets) throws UsageException {
            List<JobSpec> each = new ArrayList<>();
            Optional<BackendType> type = Optional.empty();
            for (Sweeping.Part part : array.sweep().parts()) {
                Assignment cell = new Loading(part.request(), Optional.of("cell"), here, shared).single(false);
                type = Optional.of(here.types().of(cell.target()));
                each.add(cell.spec());
            }
            array.check(type.orElseThrow());
            Carrying kind = (Carrying) type.orElseThrow();
            Assignment whole = new Loading(array.whole(kind), id, here, shared).single(withSecrets);
            return whole.withRequest(request.withCode(whole.request().code()))
                    .withSpec(array.carried(whole.spec(), each, kind))
                    .withCell(Optional.empty())
                    .withCarries(ArrayCells.of(array));
        }

        private Assignment single(boolean withSecrets) throws UsageException {
            Value.Keyed whole = alone(request.content());
            Optional<GitSource> git = UsageException.of(() -> GitSource.of(whole));
            Value.Keyed section =
                    git.isPresent() ? UsageException.of(() -> git.get().out(whole)) : whole;
            JobFile file = shared.binder(here).bind(section, JobFile.class, Map.of());
            checkCell(file);
            checkGates(file, section);
            Optional<String> targetsFile = given(request.targetsFile());
            Targets targets = shared.targets(targetsFile, here);
            Place place = shared.place(targetsFile, targetName(file, section, targets), here);
            BackendType type = here.types().of(place.target());
            Map<String, Secret> secrets = withSecrets ? reveal(file.secrets(), here) : names(file.secrets());
            try {
                Optional<CodeFolder> code = code(file);
                String tree = code.map(CodeFolder::version).orElse(request.code());
                JobSpec.Builder spec = spec(file, secrets, options(file, place, type));
                git.ifPresent(found -> spec.gitCode(found.code()));
                if (!tree.isEmpty()) {
                    spec.code(new CodeId(tree));
                }
                return new Assignment(
                        file,
                        request.withCode(tree),
                        place.target(),
                        targets.file(),
                        targets.accounting(),
                        spec.build(),
                        key(file),
                        code,
                        Sweeping.member(request),
                        ArrayCells.none());
            } catch (IllegalArgumentException e) {
                throw new UsageException(
                        whole.placeOf(String.valueOf(e.getMessage())) + ": " + e.getMessage() + ".", e);
            }
        }

        /** What is wrong with them is refused before anything is sent, not when the job has ended. */
        private static void checkGates(JobFile file, Value.Keyed section) throws UsageException {
            Optional<SeedPlace> seed = Gates.of(file.gates()).confirm().filter(SeedPlace::isInSpec);
            try {
                seed.ifPresent(place -> SpecPaths.checkSeed(place.name(), file.spec()));
            } catch (IllegalArgumentException e) {
                throw new UsageException(section.placeOf("confirm") + ": " + e.getMessage() + ".", e);
            }
        }

        /** What the file says of one job: a sweep is many. */
        private Value.Keyed alone(Value.Keyed content) throws UsageException {
            Optional<Value> matrix = content.get(SweepFile.MATRIX);
            if (matrix.isPresent() && !Sweeping.isCell(request)) {
                throw new UsageException(matrix.get().where()
                        + ": the file describes a sweep of several jobs. Use 'tao run' or 'tao submit'.");
            }
            return UsageException.of(() -> SweepFile.alone(content));
        }

        private void checkCell(JobFile file) throws UsageException {
            boolean named = file.resultsDir().isPresent() || file.spec().containsKey("results_dir");
            if (Confirming.isOne(request) && named) {
                throw new UsageException(
                        request.file()
                                + ": a confirming run cannot share the results directory of the run that it confirms: it would"
                                + " resume from the checkpoints of that run. Leave out resultsDir and spec.results_dir: each run gets its own.");
            }
            if (Sweeping.isCell(request) && named) {
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
            String what = request.file() + ": the code in " + directory + " cannot be sent";
            return Optional.of(UsageException.reading(what, () -> shared.code(directory)));
        }

        private String targetName(JobFile file, Value.Keyed section, Targets targets) throws UsageException {
            Optional<String> name = given(request.target())
                    .or(file::target)
                    .or(() -> file.targets().stream().findFirst());
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
            return Optional.of(shared.binder(here).bind(new Value.Keyed(where, merged), type.optionsType(), Map.of()));
        }

        private JobSpec.Builder spec(JobFile file, Map<String, Secret> secrets, Optional<JobOptions> options) {
            JobSpec.Builder job = JobSpec.of(CommandOptions.added(file.command(), file.args()))
                    .resources(new Resources(
                            file.nodes().orElse(1),
                            file.gpus(),
                            file.cpus(),
                            file.time(),
                            file.startWithin(),
                            file.retryBudget().map(RetryBudget::new)))
                    .env(file.env())
                    .secrets(secrets)
                    .inputs(file.inputs())
                    .outputs(file.outputs())
                    .spec(file.spec())
                    .specFormat(file.specFormat().orElse(SpecFormat.YAML))
                    .checkpoints(Checkpoints.parse(
                            file.resume().orElse(""), file.keepCheckpoints().orElse("")))
                    .hooks(new Hooks(file.pre(), file.post()));
            file.image().ifPresent(job::image);
            file.resultsDir().ifPresent(job::resultsDirectory);
            options.ifPresent(job::options);
            return job.origin(here.env().getOrDefault("BUILD_URL", here.env().getOrDefault("CI_JOB_URL", "")));
        }

        private static Optional<String> given(String text) {
            return Optional.of(text).filter(name -> !name.isEmpty());
        }

        private JobKey key(JobFile file) {
            return id.map(JobKey::new)
                    .orElseGet(() -> JobKey.derive(
                            file.name().orElse(request.stem()),
                            java.util.UUID.randomUUID().toString()));
        }

        private static Map<String, Secret> names(Map<String, SecretRef> references) {
            Map<String, Secret> blank = new LinkedHashMap<>();
            references.keySet().forEach(name -> blank.put(name, Secret.of("***")));
            return blank;
        }
    }
}
