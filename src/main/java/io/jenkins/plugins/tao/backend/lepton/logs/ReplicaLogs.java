package io.jenkins.plugins.tao.backend.lepton.logs;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.lepton.api.LeptonApi;
import io.jenkins.plugins.tao.backend.lepton.view.LeptonReplica;
import io.jenkins.plugins.tao.backend.lepton.view.LogCursor;
import io.jenkins.plugins.tao.backend.lepton.view.LogLine;
import io.jenkins.plugins.tao.backend.lepton.view.ReplicaCursor;
import io.jenkins.plugins.tao.job.JobHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import lombok.RequiredArgsConstructor;

/** The logs of a job's workers, each asked by itself: the way round a log store that refuses. For one round. */
@RequiredArgsConstructor
final class ReplicaLogs {
    private final LeptonApi api;
    private final Map<String, Map<Integer, List<String>>> round = new HashMap<>();

    Optional<Tail> read(JobHandle job, Stream stream, Position from) throws BackendException {
        ReplicaCursor cursor = ReplicaCursor.parse(from);
        byte[] earlier = new byte[0];
        if (from.byteOffset() < cursor.base()) {
            byte[] before = page(job, stream, upTo(job, cursor)).bytes();
            long wanted = Math.min(cursor.base() - from.byteOffset(), before.length);
            earlier = Arrays.copyOfRange(before, (int) (before.length - wanted), before.length);
        }
        ReplicaCursor next = cursor;
        List<LogLine> fresh = new ArrayList<>();
        for (Map.Entry<Integer, List<String>> own : workers(job).entrySet()) {
            List<String> lines = behind(cursor, own.getKey(), own.getValue());
            LogPage page = page(job, stream, numbered(own.getKey(), lines));
            LogCursor.Mark reached = page.reached().get(own.getKey());
            List<String> done = lines.subList(0, reached == null ? 0 : (int) reached.at());
            next = next.after(own.getKey(), done);
            fresh.addAll(numbered(own.getKey(), lines));
        }
        byte[] bytes = page(job, stream, fresh).bytes();
        if (bytes.length == 0 && earlier.length == 0 && next.equals(cursor)) {
            return Optional.empty();
        }
        byte[] all = Arrays.copyOf(earlier, earlier.length + bytes.length);
        System.arraycopy(bytes, 0, all, earlier.length, bytes.length);
        return Optional.of(new Tail(all, next.moved(bytes.length).position(), false, false));
    }

    /** All that the workers show now, one worker behind the other. */
    List<LogLine> lines(JobHandle job) throws BackendException {
        List<LogLine> all = new ArrayList<>();
        workers(job).forEach((worker, lines) -> all.addAll(numbered(worker, lines)));
        return all;
    }

    private List<LogLine> upTo(JobHandle job, ReplicaCursor cursor) throws BackendException {
        List<LogLine> all = new ArrayList<>();
        workers(job)
                .forEach((worker, lines) ->
                        all.addAll(numbered(worker, lines.subList(0, Math.max(0, cursor.resume(worker, lines))))));
        return all;
    }

    private static LogPage page(JobHandle job, Stream stream, List<LogLine> lines) {
        return LogPage.of(job.key(), stream, lines, LogCursor.NONE);
    }

    private static List<String> behind(ReplicaCursor cursor, int worker, List<String> lines) {
        int at = cursor.resume(worker, lines);
        if (at >= 0) {
            return lines.subList(at, lines.size());
        }
        List<String> marked = new ArrayList<>();
        marked.add("tao: some lines are missing here: the log store refuses, and the worker shows its last lines only");
        marked.addAll(lines);
        return marked;
    }

    /** Lines of a worker's own log have no times: their order is all that is known. */
    private static List<LogLine> numbered(int worker, List<String> lines) {
        List<LogLine> numbered = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            numbered.add(new LogLine(i + 1L, worker, lines.get(i)));
        }
        return numbered;
    }

    /** The whole lines of each worker. */
    private Map<Integer, List<String>> workers(JobHandle job) throws BackendException {
        Map<Integer, List<String>> known = round.get(job.nativeId());
        if (known != null) {
            return known;
        }
        List<LeptonReplica> replicas = api.replicas(job.nativeId());
        if (replicas.isEmpty()) {
            throw new Unreachable("Job '" + job.nativeId() + "' has no worker that shows a log.", "It is asked again.");
        }
        Map<Integer, List<String>> workers = new TreeMap<>();
        for (LeptonReplica replica : replicas) {
            String text = api.replicaLog(job.nativeId(), replica.id());
            String whole = text.substring(0, text.lastIndexOf('\n') + 1);
            workers.put(Math.max(0, replica.worker()), whole.lines().toList());
        }
        round.put(job.nativeId(), workers);
        return workers;
    }
}
