package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.dispatch.Dispatcher;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.jenkins.page.JobOwner;
import io.jenkins.plugins.tao.jenkins.page.JobRecord;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.monitor.JobObserver;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.monitor.WatchMemory;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import io.jenkins.plugins.tao.placing.Ask;
import io.jenkins.plugins.tao.placing.Door;
import io.jenkins.plugins.tao.placing.Inheritance;
import io.jenkins.plugins.tao.placing.Inherited;
import io.jenkins.plugins.tao.placing.Left;
import io.jenkins.plugins.tao.placing.Leg;
import io.jenkins.plugins.tao.placing.Limits;
import io.jenkins.plugins.tao.placing.Next;
import io.jenkins.plugins.tao.placing.Placing;
import io.jenkins.plugins.tao.placing.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** What a build does for a job that is being placed. */
final class BuildPlace implements Door {
    private static final WatchPlan PLAN = WatchPlan.defaults().withoutRetries();

    private final BuildScope scope;
    private final JobRequest request;
    private final SmallFile file;
    private final Optional<WorkspaceCode> code;
    private final Dispatcher dispatcher = TaoRuntime.dispatcher();
    private final Set<String> wanted;
    private final List<String> targets;
    private final Map<String, SubmitRun> submissions = new ConcurrentHashMap<>();

    BuildPlace(
            BuildScope scope, JobRequest request, SmallFile file, List<String> targets, Optional<WorkspaceCode> code) {
        this.targets = List.copyOf(targets);
        wanted = Inheritance.wanted(
                JobSpecs.of(request, Map.of()),
                FormText.text(request.getAfter()).isPresent());
        this.scope = scope;
        this.request = request;
        this.file = file;
        this.code = code;
    }

    @Override
    public void save(Placing placing) {
        file.write(placing.render());
    }

    @Override
    public CompletableFuture<JobHandle> send(Next.Send send, boolean resumed) {
        Leg leg = send.leg();
        SubmitRun.Trip trip = new SubmitRun.Trip(leg.id(), resumed, send.last());
        SubmitRun submission = new SubmitRun(scope, request.on(leg.target(), send.inherited()), trip, code);
        submissions.put(leg.key(), submission);
        return submission.result().thenApply(job -> {
            JobHandle handle = JobHandle.parse(job.getToken());
            TaoRuntime.turns().taken(leg.target(), leg.key(), handle);
            return handle;
        });
    }

    @Override
    public boolean mayBeThere(Leg leg) {
        SubmitRun submission = submissions.get(leg.key());
        return submission == null || submission.mayBeThere();
    }

    @Override
    public Turn turn(Leg leg) {
        Instant now = TaoRuntime.ticker().now();
        Limits limits = TaoGlobalConfiguration.get().limits(leg.target());
        if (limits.isEmpty()) {
            return Turn.none(now);
        }
        Resources asked = JobSpecs.shape(request).resources();
        int gpus = asked.nodes() * asked.gpusPerNode().orElse(1);
        return TaoRuntime.turns()
                .ask(
                        limits,
                        new Ask(leg.key(), gpus, folder()),
                        now,
                        jobs -> dispatcher.poll(scope.target(leg.target()), jobs));
    }

    /** The full name of the folder in which the project lies; empty for none. */
    private String folder() {
        String project = scope.run().getParent().getFullName();
        return project.substring(0, Math.max(0, project.lastIndexOf('/')));
    }

    @Override
    public void turnOver(Leg leg) {
        TaoRuntime.turns().over(leg.target(), leg.key());
        SubmitRun submission = submissions.get(leg.key());
        if (submission != null) {
            submission.cameToNothing();
        }
        scope.page()
                .update(
                        leg.key(),
                        job -> job.owner() == JobOwner.ENDED
                                ? job
                                : job.now("WITHDRAWN", "").ownedBy(JobOwner.ENDED));
    }

    @Override
    public boolean waitsWhenRefused(Leg leg) {
        return TaoGlobalConfiguration.get().limits(leg.target()).waitWhenRefused();
    }

    @Override
    public Optional<Duration> startWithin() {
        return JobSpecs.shape(request).resources().startWithin();
    }

    @Override
    public Watch watch(JobHandle job, JobObserver observer) {
        MemoryFile memory = new MemoryFile(scope.run(), job.key().value(), scope.log());
        return dispatcher.watch(scope.target(job.target()), job, PLAN.withoutLogs(), memory, observer);
    }

    @Override
    public Watch watchParent(JobHandle parent, JobObserver observer) {
        return dispatcher.watch(scope.target(parent.target()), parent, PLAN, WatchMemory.none(), observer);
    }

    @Override
    public JobHandle newest(JobHandle job) {
        return scope.page()
                .job(job.key().value())
                .flatMap(JobRecord::handle)
                .filter(handle -> handle.attempt() > job.attempt())
                .orElse(job);
    }

    @Override
    public Inherited inherit(JobHandle parent) {
        return Inheritance.of(parent, wanted, targets, left(parent));
    }

    private Left left(JobHandle parent) {
        Target target = scope.target(parent.target());
        return new Left(parent, path -> dispatcher.list(target, path), positions -> dispatcher.read(target, positions));
    }

    @Override
    public void say(String line) {
        scope.say(line);
    }

    /** Ends the job that may be on the target of {@code leg}. */
    CompletableFuture<Void> end(Leg leg, String by) {
        SubmitRun submission = submissions.get(leg.key());
        if (leg.state() == Leg.State.TAKEN) {
            scope.abandon(JobHandle.parse(leg.token()), by);
            return CompletableFuture.completedFuture(null);
        }
        if (submission != null) {
            return submission.abort(by);
        }
        SubmitRun.abandon(scope, request.on(leg.target(), Map.of()), leg.id(), by);
        return CompletableFuture.completedFuture(null);
    }
}
