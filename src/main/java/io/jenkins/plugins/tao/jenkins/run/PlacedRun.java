package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.jenkins.page.BuildFolder;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.placing.Inheritance;
import io.jenkins.plugins.tao.placing.Leg;
import io.jenkins.plugins.tao.placing.Order;
import io.jenkins.plugins.tao.placing.Placer;
import io.jenkins.plugins.tao.placing.Placing;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One job of a build that names several targets or a job to run after, or whose target has limits. How far it is lies in the folder of
 * the build before each step, so that it goes on after a restart of Jenkins.
 */
public final class PlacedRun implements Departing {
    private final BuildScope scope;
    private final BuildPlace door;
    private final Placer placer;
    private final CompletableFuture<TaoJob> result;

    private PlacedRun(
            BuildScope scope, JobRequest request, Placing placing, boolean resumed, Optional<WorkspaceCode> code) {
        this.scope = scope;
        JobKey key = placing.legs().get(0).id();
        door = new BuildPlace(
                scope,
                request,
                file(scope, key),
                placing.legs().stream().map(Leg::target).toList(),
                code);
        placer = Placer.start(door, placing, resumed, TaoRuntime.ticker(), TaoRuntime.calls());
        result = placer.result().thenApply(job -> {
            if (!job.key().equals(key)) {
                scope.say(key + " stays on " + job.target() + " as " + job.key());
            }
            return new TaoJob(job.token());
        });
    }

    /**
     * Starts a job, by way of a placing where it needs one. Looks up credentials, so it may block for a while.
     *
     * @param resumed whether an earlier process may have begun
     * @throws IllegalArgumentException if the request, a target or a credential is wrong
     */
    public static Departing start(
            BuildScope scope, JobRequest request, SubmissionId id, boolean resumed, Optional<WorkspaceCode> code) {
        JobKey key = id.key(request);
        Optional<Placing> known = resumed ? read(scope, key) : Optional.empty();
        if (known.isPresent()) {
            return new PlacedRun(scope, request, known.get(), true, code);
        }
        var unused = Inheritance.wanted(
                JobSpecs.of(request, Map.of()),
                FormText.text(request.getAfter()).isPresent());
        if (!wants(request) || (resumed && !severalOrAfter(request))) {
            return SubmitRun.start(scope, request, id, resumed, code);
        }
        return new PlacedRun(scope, request, first(scope, request, key), false, code);
    }

    /** Gives up a placing that cannot go on after a restart: a job that a target took before it is cancelled. */
    public static void abandon(BuildScope scope, JobRequest request, SubmissionId id, String by) {
        Optional<Placing> known = read(scope, id.key(request));
        if (known.isEmpty()) {
            SubmitRun.abandon(scope, request, id.key(request), by);
            return;
        }
        Optional<Leg> leg = known.get().current();
        leg.ifPresent(one ->
                SubmitRun.abandon(scope, request.on(one.target(), known.get().inherited()), one.id(), by));
    }

    private static boolean severalOrAfter(JobRequest request) {
        return targets(request).size() > 1 || FormText.text(request.getAfter()).isPresent();
    }

    private static boolean wants(JobRequest request) {
        return severalOrAfter(request)
                || targets(request).stream()
                        .anyMatch(name ->
                                !TaoGlobalConfiguration.get().limits(name).isEmpty());
    }

    private static List<String> targets(JobRequest request) {
        List<String> several = FormText.list(request.getTargets());
        if (several.isEmpty()) {
            return List.of(request.getTarget());
        }
        Optional<String> one = FormText.text(request.getTarget()); // a form cannot leave it out
        if (one.isPresent() && !several.contains(one.get())) {
            throw new IllegalArgumentException("the job has the target '" + one.get()
                    + "', which is not among its targets " + String.join(", ", several) + "; keep one of the two");
        }
        return several;
    }

    private static Placing first(BuildScope scope, JobRequest request, JobKey key) {
        Optional<JobHandle> parent = FormText.text(request.getAfter()).map(JobHandle::parse);
        parent.ifPresent(scope::target);
        List<String> targets = targets(request);
        targets.forEach(scope::usableTarget); // what is wrong with one of them is known before anything is sent
        Order order = FormText.constant("targetOrder", request.getTargetOrder(), Order.class)
                .orElse(Order.GIVEN);
        List<String> ordered = order.of(
                targets,
                target -> new BuildBudget(scope.run(), target, key, JobSpecs.shape(request)).expectedSeconds());
        return Placing.begin(key, ordered, parent);
    }

    private static Optional<Placing> read(BuildScope scope, JobKey key) {
        return file(scope, key).read().map(Placing::parse);
    }

    private static SmallFile file(BuildScope scope, JobKey key) {
        return new SmallFile(() -> BuildFolder.of(scope.run()).resolve(key.value() + ".placing"));
    }

    @Override
    public CompletableFuture<TaoJob> result() {
        return result;
    }

    @Override
    public CompletableFuture<Void> abort(String by) {
        Optional<Leg> leg = placer.stop(by);
        if (leg.isEmpty()) {
            scope.say("the job was not sent");
            return CompletableFuture.completedFuture(null);
        }
        return door.end(leg.get(), by);
    }
}
