package io.jenkins.plugins.tao.backend.notebook;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Looks at jobs: one call for each, since Kaggle has none for several. How a run ended stands in the last line of its
 * log, which Kaggle shows up to minutes later; until then, for a number of looks, the run counts as not over.
 */
final class KagglePoll {
    private static final int LOOKS_FOR_THE_LOG = 40;
    private static final int LOOKS_FOR_ITS_END = 8;

    private final KaggleApi api;
    private final Map<JobHandle, JobStatus> ended = new ConcurrentHashMap<>();
    private final Map<JobHandle, Integer> looks = new ConcurrentHashMap<>();

    KagglePoll(KaggleApi api) {
        this.api = api;
    }

    /** A cancelled job is over for us, whatever becomes of the notebook. */
    void left(JobHandle job, String word, String reason) {
        ended.putIfAbsent(job, JobStatus.ended(Ending.CANCELLED, word).withReason(reason));
    }

    boolean isOver(JobHandle job) {
        return ended.containsKey(job);
    }

    Map<JobHandle, JobStatus> poll(Set<JobHandle> jobs) throws BackendException {
        Map<JobHandle, JobStatus> found = new LinkedHashMap<>();
        boolean missing = false;
        for (JobHandle job : jobs) {
            JobStatus known = ended.get(job);
            Optional<JobStatus> now = known == null ? look(job) : Optional.of(known);
            now.ifPresent(status -> found.put(job, status));
            missing |= now.isEmpty();
        }
        if (missing) {
            api.proveCredential();
        }
        return found;
    }

    private Optional<JobStatus> look(JobHandle job) throws BackendException {
        Optional<JsonNode> reply = api.status(job.nativeId());
        if (reply.isEmpty()) {
            return Optional.empty();
        }
        String word = KaggleReply.word(reply.get());
        return Optional.of(
                KaggleReply.over(word) ? over(job, word, KaggleReply.failure(reply.get())) : KaggleReply.live(word));
    }

    private JobStatus over(JobHandle job, String word, String failure) throws BackendException {
        Optional<KaggleLog> log = api.log(job);
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
}
