package io.jenkins.plugins.tao.backend.lepton;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.lepton.api.LeptonApi;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonJob;
import io.jenkins.plugins.tao.backend.lepton.view.LeptonReplica;
import io.jenkins.plugins.tao.http.PartFailures;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobStatus;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import lombok.RequiredArgsConstructor;

/**
 * Where live jobs were placed. Replicas are listed in turn, a few jobs a round, so that many waiting jobs do not make a
 * round long; a list that fails leaves the one before. Used by one thread at a time.
 */
@RequiredArgsConstructor
final class LeptonPlacement {
    private static final int LOOKS = 16;

    /** So often in a row a worker must be seen waiting on a bad node before the job is sent elsewhere. */
    private static final int STUCK = 3;

    private final LeptonApi api;
    private final PartFailures failures;
    private final Map<String, List<LeptonReplica>> replicas = new HashMap<>();
    private final Map<String, Integer> stuck = new HashMap<>();
    private final Deque<String> turn = new ArrayDeque<>();

    void lookAt(List<String> live) {
        live.stream().filter(id -> !turn.contains(id)).forEach(turn::addFirst);
        turn.retainAll(Set.copyOf(live));
        int looks = Math.min(LOOKS, turn.size());
        for (int i = 0; i < looks; i++) {
            String id = turn.removeFirst();
            turn.addLast(id);
            if (!lookAt(id)) {
                return;
            }
        }
    }

    /** Says whether the service may be asked for more now. */
    private boolean lookAt(String id) {
        try {
            List<LeptonReplica> now = api.replicas(id);
            failures.worked(id, LeptonBackend.REPLICAS);
            replicas.put(id, now);
            boolean bad = now.stream().anyMatch(LeptonReplica::nodeAtFault);
            stuck.merge(id, bad ? 1 : 0, (before, one) -> bad ? before + one : 0);
            return true;
        } catch (BackendException e) {
            failures.failed(id, LeptonBackend.REPLICAS, e);
            return !LeptonBackend.asksToWait(e);
        }
    }

    /** The replicas of a job as they were last listed. */
    List<LeptonReplica> of(String id) {
        return replicas.getOrDefault(id, List.of());
    }

    /**
     * The end of a waiting job whose node will not start it: it goes on as a further attempt on other nodes, or ends. It is
     * stopped in the workspace by what follows from that, never by a look.
     */
    Optional<JobStatus> stuck(LeptonJob job, JobStatus status) {
        if (stuck.getOrDefault(job.id(), 0) < STUCK) {
            return Optional.empty();
        }
        List<LeptonReplica> bad =
                of(job.id()).stream().filter(LeptonReplica::nodeAtFault).toList();
        String said =
                bad.isEmpty() ? "" : bad.get(0).reason() + ": " + bad.get(0).message();
        return Optional.of(JobStatus.ended(Ending.NODE_FAILURE, status.nativeState())
                .withNodes(nodes(bad))
                .withReason("it waits on a node that does not start it (" + said + ")"));
    }

    static List<String> nodes(List<LeptonReplica> replicas) {
        return replicas.stream()
                .map(LeptonReplica::node)
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
    }

    void forgetAllBut(Collection<String> ids) {
        replicas.keySet().retainAll(ids);
        stuck.keySet().retainAll(ids);
        turn.retainAll(ids);
    }
}
