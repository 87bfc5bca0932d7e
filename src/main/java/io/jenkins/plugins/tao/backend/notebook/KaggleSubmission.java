package io.jenkins.plugins.tao.backend.notebook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.OtherWork;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Work;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import lombok.RequiredArgsConstructor;

/**
 * Starts attempts, each once: the notebook's name follows from the job's key, so a push whose answer was lost is found by
 * looking for that name before any push. One at a time, for a push to a name that exists would run it twice.
 */
@RequiredArgsConstructor
final class KaggleSubmission {
    private final KaggleTarget target;
    private final KaggleApi api;
    private final Object turn = new Object();

    /**
     * A notebook that may be one of ours.
     *
     * @param there whether there is one of that name
     * @param run what it was told, if it is ours
     * @param date Kaggle's clock
     */
    record Found(boolean there, Optional<NotebookRun> run, Instant date) {}

    Found find(String slug) throws BackendException {
        KaggleApi.Look look = api.kernel(slug);
        Optional<NotebookRun> run = look.found()
                .flatMap(node ->
                        NotebookRun.ofSource(node.path("blob").path("source").asText()));
        return new Found(look.found().isPresent(), run, look.date());
    }

    JobHandle first(JobSpec spec, JobKey key) throws BackendException {
        new KaggleShape(target, spec).require();
        synchronized (turn) {
            String slug = KaggleSlug.of(key, 1);
            Found found = find(slug);
            if (!found.there()) {
                return push(NotebookRun.onKaggle(target, spec, key, found.date()), slug);
            }
            JobHandle handle = adopted(found, slug, key, 1);
            String runs = found.run().map(NotebookRun::work).orElse("");
            if (!runs.isEmpty() && !runs.equals(Work.of(spec))) {
                throw OtherWork.refused(target.name(), key);
            }
            return handle;
        }
    }

    JobHandle next(JobHandle previous) throws BackendException {
        synchronized (turn) {
            int attempt = previous.attempt() + 1;
            String slug = KaggleSlug.of(previous.key(), attempt);
            Found found = find(slug);
            if (found.there()) {
                return adopted(found, slug, previous.key(), attempt);
            }
            Optional<NotebookRun> last = find(previous.nativeId()).run();
            if (last.isEmpty()) {
                api.proveCredential();
                throw new Rejected(
                        "The notebook " + previous.nativeId() + " is gone, so no attempt can resume from it.",
                        "Submit the job again.");
            }
            return push(last.get().next(target.username(), found.date()), slug);
        }
    }

    private JobHandle adopted(Found found, String slug, JobKey key, int attempt) throws Rejected {
        NotebookRun run = found.run()
                .filter(ours -> ours.key().equals(key) && ours.attempt() == attempt)
                .orElseThrow(() -> new Rejected(
                        "There is a notebook " + target.username() + "/" + slug + " already that is not job '" + key
                                + "'.",
                        "Rename or delete it on kaggle.com, or give the job another id."));
        return handle(run, slug);
    }

    JobHandle handle(NotebookRun run, String slug) {
        return new JobHandle(
                target.name(),
                KaggleType.NAME,
                run.key(),
                run.attempt(),
                slug,
                KaggleShape.WORKING + "/tao-run",
                run.resultsDirectory(),
                run.submittedAt());
    }

    private JobHandle push(NotebookRun run, String slug) throws BackendException {
        ObjectNode request = KagglePush.request(run);
        JsonNode reply = api.push(request, slug);
        Optional<String> refusal = KaggleReply.refusal(reply);
        if (refusal.isPresent()) {
            takeBack(slug, KaggleRefusal.of(target.name(), slug, refusal.get()));
        }
        List<String> invalid = KaggleReply.invalidSources(reply, run.attempt() > 1 ? run.resume() : List.of());
        if (!invalid.isEmpty()) {
            takeBack(slug, KaggleRefusal.ofSources(target.name(), invalid));
        }
        String landed = reply.path("ref").asText(slug);
        if (!landed.substring(landed.lastIndexOf('/') + 1).equals(slug)) {
            throw new Rejected(
                    "Kaggle put the notebook at " + landed + " instead of " + slug + ", and it runs there.",
                    "Stop it on kaggle.com, and give the job another id.");
        }
        return handle(run, slug);
    }

    /** What this very push has made must not run on, or be taken for a job later; its run ends with it. */
    private void takeBack(String slug, BackendException why) throws BackendException {
        try {
            api.delete(slug);
        } catch (BackendException e) {
            throw new Rejected(
                    why.getMessage() + " What the push has made could not be deleted: " + e.getMessage(),
                    "Delete the notebook " + slug + " on kaggle.com, then submit again.");
        }
        throw why;
    }
}
