package io.jenkins.plugins.tao.backend.notebook;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.LiveJobs.Found;
import io.jenkins.plugins.tao.backend.LiveJobs.Look;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The notebooks of the account that ran last, by their names; whose they are Kaggle does not tell. Each is asked after by
 * itself, so only so many are.
 */
record KaggleLive(KaggleApi api, KaggleSubmission submission) {
    /** An account runs few notebooks at once, and Kaggle lists those that ran last first. */
    static final int MOST = 20;

    Look look() throws BackendException {
        List<Found> jobs = new ArrayList<>();
        List<String> gaps = new ArrayList<>();
        List<String> slugs = api.newest(MOST);
        for (String slug : slugs) {
            if (!slug.startsWith(KaggleSlug.PREFIX)) {
                continue;
            }
            Optional<String> word = api.status(slug).map(KaggleReply::word);
            if (word.isPresent() && !KaggleReply.over(word.get())) {
                Optional<NotebookRun> run = submission.find(slug).run();
                run.ifPresentOrElse(
                        ours -> jobs.add(new Found(submission.handle(ours, slug), word.get(), Optional.empty())),
                        () -> gaps.add("The notebook " + slug + " runs and is not readable as one of tao-run."));
            }
        }
        if (slugs.size() >= MOST) {
            gaps.add("Only the " + MOST + " notebooks that ran last were looked at.");
        }
        return new Look(jobs, gaps);
    }
}
