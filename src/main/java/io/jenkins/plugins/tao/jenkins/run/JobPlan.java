package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.gate.Changes;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.journal.Journal;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** A job that is not started: its checks and what it would send, with the credentials of the build. */
public final class JobPlan {
    private static final Logger LOGGER = Logger.getLogger(JobPlan.class.getName());

    private final BuildScope scope;
    private final JobRequest request;
    private final Target target;
    private final JobSpec spec;

    /**
     * Reads the request. Looks up credentials, so it may block for a while.
     *
     * @throws IllegalArgumentException if the request, the target or a credential is wrong
     */
    public JobPlan(BuildScope scope, JobRequest request) {
        this.request = request;
        target = scope.usableTarget(request.getTarget());
        Map<String, Secret> secrets = scope.secrets(JobSpecs.credentialIds(request));
        this.scope = scope.hiding(request.getTarget(), secrets.values());
        spec = JobSpecs.of(request, secrets);
    }

    /**
     * Makes all checks and writes them to the build log; blocks on the network, starts nothing.
     *
     * @return {@code target}, {@code passed} and {@code checks}
     */
    public Map<String, Object> preflight() throws BackendException {
        Report report = TaoRuntime.dispatcher().preflight(target, spec);
        scope.show(target.name(), report);
        ArrayList<Map<String, String>> checks = new ArrayList<>();
        for (Report.Check check : report.checks()) {
            Map<String, String> entry = new LinkedHashMap<>();
            entry.put("name", check.name());
            entry.put("verdict", check.verdict().name());
            entry.put("detail", scope.mask().apply(check.detail()));
            entry.put("remedy", scope.mask().apply(check.remedy()));
            checks.add(entry);
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("target", target.name());
        answer.put("passed", !report.failed());
        answer.put("checks", checks);
        return answer;
    }

    /**
     * What a submission would send, and what is different from the last good run of the same name or network; sends nothing.
     *
     * @return {@code target}, {@code id}, {@code parts}, {@code since}, {@code changes} and, where the request of that run is known,
     *     {@code script}
     */
    public Map<String, Object> preview() throws BackendException, IOException {
        JobKey key = SubmissionId.fresh(scope.run()).key(request);
        ArrayList<Map<String, String>> parts = new ArrayList<>();
        Preview sent = masked(TaoRuntime.dispatcher().preview(target, spec, key));
        for (Preview.Part part : sent.parts()) {
            Map<String, String> entry = new LinkedHashMap<>();
            entry.put("name", part.name());
            entry.put("text", part.text());
            parts.add(entry);
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("target", target.name());
        answer.put("id", key.value());
        answer.put("parts", parts);
        compare(key, sent, answer);
        return answer;
    }

    private void compare(JobKey key, Preview sent, Map<String, Object> answer) throws IOException {
        RunRecord planned = Journal.planned(spec, key, target.name(), BuildOrigin.of(scope.run()), scope.mask()::apply);
        Optional<RunRecord> good = lastGood(planned);
        ArrayList<Map<String, String>> changes = new ArrayList<>();
        good.ifPresent(before -> {
            for (Changes.Change change : new Changes(before, planned).ofRequest()) {
                Map<String, String> entry = new LinkedHashMap<>();
                entry.put("what", change.what());
                entry.put("before", change.before());
                entry.put("now", change.now());
                changes.add(entry);
            }
        });
        answer.put("since", good.map(RunRecord::label).orElse(""));
        answer.put("changes", changes);
        scope.say(good.map(before ->
                        "compared with " + before.label() + ", the last good run: " + changes.size() + " changes")
                .orElse("this job has no good run to compare with"));
        changes.forEach(this::say);
        Optional<Preview> before = good.flatMap(run -> sentFor(new JobKey(run.id()), key));
        List<Map<String, String>> script =
                before.map(old -> ScriptChanges.between(old, sent)).orElse(List.of());
        before.ifPresent(known -> {
            answer.put("script", new ArrayList<>(script)); // absent where it is not known what was asked for then
            scope.say("lines that would be sent otherwise: " + script.size());
        });
        script.forEach(this::say);
    }

    private void say(Map<String, String> change) {
        scope.say("  " + change.get("what") + ": " + change.get("before") + " -> " + change.get("now"));
    }

    /** What the request of an earlier job would send today under the same key; empty where that request is gone or no more allowed. */
    private Optional<Preview> sentFor(JobKey earlier, JobKey key) {
        try {
            JobRequest before = JobRequests.of(scope.run(), earlier);
            JobSpec then = JobSpecs.of(before, scope.secrets(JobSpecs.credentialIds(before)));
            return Optional.of(
                    masked(TaoRuntime.dispatcher().preview(scope.usableTarget(before.getTarget()), then, key)));
        } catch (BackendException | IOException | IllegalArgumentException e) {
            LOGGER.log(Level.FINE, e, () -> "what was sent for " + earlier + " is not known");
            return Optional.empty();
        }
    }

    private Preview masked(Preview preview) {
        return new Preview(preview.parts().stream()
                .map(part -> new Preview.Part(part.name(), scope.mask().apply(part.text())))
                .toList());
    }

    /** The newest good run that has most in common: name and command, name and network, name alone, network alone. */
    private Optional<RunRecord> lastGood(RunRecord planned) throws IOException {
        List<RunRecord> good = JobHistory.of(scope.run().getParent()).read().records().stream()
                .filter(RunRecord::succeeded)
                .toList();
        Predicate<RunRecord> name = run -> stem(run.id()).equals(stem(planned.id()));
        Predicate<RunRecord> command = run -> run.text("work/commandHash").equals(planned.text("work/commandHash"));
        Predicate<RunRecord> network = run -> planned.text("work/network").isPresent()
                && run.text("work/network").equals(planned.text("work/network"))
                && run.text("work/action").equals(planned.text("work/action"));
        return Stream.of(name.and(command), name.and(network), name, network)
                .flatMap(fits -> newest(good, fits).stream())
                .findFirst();
    }

    private static Optional<RunRecord> newest(List<RunRecord> runs, Predicate<RunRecord> fits) {
        return runs.stream().filter(fits).reduce((earlier, later) -> later);
    }

    /** The name within an id, which ends with digits of its own. */
    private static String stem(String id) {
        int end = id.lastIndexOf('-');
        return end < 0 ? id : id.substring(0, end);
    }
}
