package io.jenkins.plugins.tao.cli.verbs;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.cli.input.JobOverrides;
import io.jenkins.plugins.tao.cli.input.JobRequest;
import io.jenkins.plugins.tao.cli.input.Sweeping;
import io.jenkins.plugins.tao.cli.jobs.Assignment;
import io.jenkins.plugins.tao.cli.jobs.CodeVersion;
import io.jenkins.plugins.tao.cli.jobs.Sending;
import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.jobs.SharedInputs;
import io.jenkins.plugins.tao.cli.jobs.Submitting;
import io.jenkins.plugins.tao.cli.jobs.Waiting;
import io.jenkins.plugins.tao.cli.output.JobOutput;
import io.jenkins.plugins.tao.cli.output.PlainOutput;
import io.jenkins.plugins.tao.cli.sweep.SweepPlan;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.cli.terminal.Verbosity;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.journal.EventJson;
import io.jenkins.plugins.tao.record.RunOrigin;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "submit",
        description = "Checks and submits jobs, and prints a token for each, in the order of the files. Messages go to"
                + " standard error.")
final class SubmitVerb extends Verb {
    @Parameters(arity = "1..*", paramLabel = "JOB_FILE", description = "The jobs, a YAML file each.")
    List<String> files = new ArrayList<>();

    @Mixin
    JobOverrides overrides = new JobOverrides();

    @Option(
            names = "--id",
            paramLabel = "ID",
            description = "The id of a single job, instead of a new one: the same id is never started twice.")
    Optional<String> id = Optional.empty();

    @Option(names = "--json", description = "One JSON object a job instead of the token alone.")
    boolean json;

    @Option(
            names = {"-q", "--quiet"},
            description = "Nothing on standard error unless something goes wrong.")
    boolean quiet;

    /** All files are read and checked before the first job is sent; then all are on their way at once. */
    @Override
    ExitCode run(Session session) throws UsageException, BackendException, InterruptedException {
        List<Assignment> jobs = assignments(session);
        List<Submitting> sendings = new ArrayList<>();
        RunOrigin any = CodeVersion.origin(session.here());
        for (Assignment job : jobs) {
            JobOutput output = new PlainOutput(session.err(), job.key().value(), new Verbosity(quiet, false));
            sendings.add(Submitting.start(session, output, job, CodeVersion.origin(session.here(), job, any)));
        }
        ExitCode code = ExitCode.SUCCEEDED;
        for (int i = 0; i < sendings.size(); i++) {
            ExitCode of = answer(session, sendings.get(i), jobs.get(i), jobs.size() == 1);
            if (of == ExitCode.DETACHED) {
                return of;
            }
            code = of == ExitCode.SUCCEEDED ? code : of;
        }
        return code;
    }

    private List<Assignment> assignments(Session session) throws UsageException {
        if (id.isPresent() && files.size() > 1) {
            throw new UsageException("--id names one job, and " + files.size() + " files are given. Leave out --id.");
        }
        List<Assignment> jobs = new ArrayList<>();
        List<SweepPlan> sweeps = new ArrayList<>();
        SharedInputs shared = new SharedInputs();
        for (String file : files) {
            JobRequest request = overrides.request(file, session.here());
            Optional<Sweeping> sweep = Sweeping.of(request);
            if (sweep.isEmpty()) {
                jobs.add(Assignment.load(request, id, session.here(), shared));
            } else {
                SweepPlan plan = SweepPlan.asked(request, sweep.get(), id, session);
                sweeps.add(plan);
                jobs.addAll(plan.first(session));
            }
        }
        for (SweepPlan plan : sweeps) {
            tell(session.here(), plan);
        }
        return jobs;
    }

    private void tell(Surroundings here, SweepPlan plan) {
        if (quiet) {
            return;
        }
        plan.jobs().forEach((cell, job) -> here.err().println("[tao] " + job.key() + " is the cell " + cell.label()));
        int all = plan.jobs().size();
        if (plan.sweep().terms().isBounded(all)) {
            here.err()
                    .println("[tao] at most " + plan.sweep().terms().maxParallel() + " of the " + all
                            + " cells run at a time: the others are sent by 'tao wait "
                            + plan.state().id() + "', as those before them end");
        } else {
            here.err().println("[tao] to wait for all: tao wait " + plan.state().id());
        }
    }

    /** One job that is refused does not keep the others from their tokens. */
    private ExitCode answer(Session session, Submitting sending, Assignment job, boolean alone)
            throws UsageException, BackendException, InterruptedException {
        try {
            Optional<Sending.Sent> sent = sending.await();
            sent.ifPresent(known -> print(session, known.entry().handle()));
            return sent.isPresent() ? ExitCode.SUCCEEDED : ExitCode.DETACHED;
        } catch (Waiting.Failed e) {
            if (alone || !(e.getCause() instanceof BackendException refused)) {
                throw e;
            }
            session.err().println("tao: " + job.request().file() + ": " + refused.explain());
            return ExitCode.ofRefusal(refused);
        }
    }

    private void print(Session session, JobHandle handle) {
        session.out().println(json ? EventJson.submitted(handle).toString() : handle.token());
    }
}
