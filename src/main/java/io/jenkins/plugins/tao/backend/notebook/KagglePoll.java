package io.jenkins.plugins.tao.backend.notebook;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.http.PartFailures;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import lombok.RequiredArgsConstructor;

/**
 * Looks at jobs: one call for each, since Kaggle has none for several. How a run ended stands in the last line of its
 * log, which Kaggle shows up to minutes later; until then, for a number of looks, the run counts as not over.
 */
@RequiredArgsConstructor
final class KagglePoll {
    private static final int LOOKS_FOR_THE_LOG = 40;
    private static final int LOOKS_FOR_ITS_END = 8;

    static final String STATE = "Its state";
    static final String LOG = "Its log";

    private final KaggleApi api;
    private final PartFailures failures;
    private final Map<JobHandle, String> words = new ConcurrentHashMap<>();
    private final Map<JobHandle, JobStatus> ended = new ConcurrentHashMap<>();
    private final Map<JobHandle, Integer> looks = new ConcurrentHashMap<>();

    /** A cancelled job is over for us, whatever becomes of the notebook. */
    void left(JobHandle job, String word, String reason) {
        ended.putIfAbsent(job, JobStatus.ended(Ending.CANCELLED, word).withReason(reason));
    }

    boolean isOver(JobHandle job) {
        return ended.containsKey(job);
    }

    Map<JobHandle, JobStatus> poll(Set<JobHandle> jobs) throws BackendException {
        failures.retain(jobs.stream().map(JobHandle::nativeId).toList());
        words.keySet().retainAll(jobs);
        Round round = new Round();
        for (JobHandle job : jobs) {
            try {
                Optional<JobStatus> known = Optional.ofNullable(ended.get(job));
                Optional<JobStatus> now = known.isPresent() ? known : look(job);
                round.answered |= known.isEmpty() && now.isPresent();
                now.ifPresentOrElse(status -> round.found.put(job, status), () -> round.missing.add(job));
                failures.worked(job.nativeId(), STATE);
            } catch (BackendException e) {
                round.failed.put(job, e);
            }
        }
        if (!round.missing.isEmpty() && !round.answered) {
            proveFor(round);
        }
        return round.result();
    }

    /** Jobs that are not there are only missing when the credential is good, which an answer for any other job shows too. */
    private void proveFor(Round round) {
        try {
            api.proveCredential();
        } catch (BackendException e) {
            round.missing.forEach(job -> round.failed.put(job, e));
        }
    }

    /** What one round of questions brought. */
    private final class Round {
        final Map<JobHandle, JobStatus> found = new LinkedHashMap<>();
        final List<JobHandle> missing = new ArrayList<>();
        final Map<JobHandle, BackendException> failed = new LinkedHashMap<>();
        boolean answered;

        /** When no job could be asked after, it is Kaggle that does not answer. */
        Map<JobHandle, JobStatus> result() throws BackendException {
            if (found.isEmpty() && !failed.isEmpty()) {
                throw failed.values().iterator().next();
            }
            failed.forEach((job, why) -> {
                failures.failed(job.nativeId(), STATE, why);
                found.put(
                        job,
                        JobStatus.live(JobState.UNCLEAR, words.getOrDefault(job, "unknown"))
                                .withReason(String.valueOf(why.getMessage())));
            });
            found.replaceAll((job, status) -> {
                JobStatus told = status;
                for (String notice : failures.of(job.nativeId())) {
                    told = told.withNotice(notice);
                }
                return told;
            });
            return found;
        }
    }

    private Optional<JobStatus> look(JobHandle job) throws BackendException {
        Optional<JsonNode> reply = api.status(job.nativeId());
        if (reply.isEmpty()) {
            return Optional.empty();
        }
        String word = KaggleReply.word(reply.get());
        words.put(job, word);
        return Optional.of(
                KaggleReply.over(word) ? over(job, word, KaggleReply.failure(reply.get())) : KaggleReply.live(word));
    }

    private JobStatus over(JobHandle job, String word, String failure) {
        Optional<KaggleLog> log = log(job);
        Optional<NotebookEnd> end = log.flatMap(KaggleLog::end);
        int look = looks.merge(job, 1, Integer::sum);
        if (end.isEmpty() && look < (log.isPresent() ? LOOKS_FOR_ITS_END : LOOKS_FOR_THE_LOG)) {
            return JobStatus.live(JobState.RUNNING, word)
                    .withReason("Kaggle has not published the end of its log yet")
                    .withRuns(1);
        }
        JobStatus status = end.map(last -> last.status(word, word.equals("ERROR"), failure))
                .orElseGet(() -> KaggleReply.withoutEnd(word, failure));
        JobStatus known = ended.putIfAbsent(job, status);
        looks.remove(job);
        return known == null ? status : known;
    }

    private Optional<KaggleLog> log(JobHandle job) {
        try {
            return api.log(job);
        } catch (BackendException e) {
            failures.failed(job.nativeId(), LOG, e);
            return Optional.empty();
        }
    }
}
