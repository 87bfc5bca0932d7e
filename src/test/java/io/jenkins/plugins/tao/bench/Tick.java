package io.jenkins.plugins.tao.bench;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.slurm.CountedSlurm.Count;
import io.jenkins.plugins.tao.dispatch.Dispatcher;
import io.jenkins.plugins.tao.job.JobHandle;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** One look at a thousand jobs: their states, and what is new in their three thousand files. */
final class Tick {
    private static final int ROUNDS = 5;
    private static final int CHANGED = 10;
    private static final int MOST_COMMANDS = 3;
    private static final String LAST_PID = "read -r a b c d pid < /proc/loadavg; echo $pid";

    private final Rig rig;
    private final HeldJobs jobs;
    private final Dispatcher dispatcher;
    private final Map<StreamRef, Position> positions = new HashMap<>();

    private Tick(Rig rig, HeldJobs jobs, Dispatcher dispatcher) {
        this.rig = rig;
        this.jobs = jobs;
        this.dispatcher = dispatcher;
        for (JobHandle job : jobs.handles()) {
            for (Stream stream : Stream.values()) {
                positions.put(new StreamRef(job, stream), Position.START);
            }
        }
    }

    static Figure run(Rig rig, HeldJobs jobs) throws Exception {
        try (Dispatcher dispatcher = rig.dispatcher()) {
            return new Tick(rig, jobs, dispatcher).figure();
        }
    }

    /** A tick as the monitor makes it, and what it cost. */
    private record Cost(double ms, Count count, long processes, long news) {}

    private Cost tick() throws BackendException {
        long first = lastPid();
        Count before = rig.slurm.count();
        long begin = System.nanoTime();
        Set<JobHandle> all = Set.copyOf(jobs.handles());
        if (dispatcher.poll(rig.target(), all).size() != HeldJobs.COUNT) {
            throw new IllegalStateException("some of the held jobs are gone");
        }
        long news = 0;
        Map<StreamRef, Position> from = new HashMap<>(positions);
        while (!from.isEmpty()) {
            Map<StreamRef, Tail> tails = dispatcher.read(rig.target(), from);
            from.clear();
            for (Map.Entry<StreamRef, Tail> entry : tails.entrySet()) {
                news += entry.getValue().bytes().length;
                positions.put(entry.getKey(), entry.getValue().next());
                if (entry.getValue().more()) {
                    from.put(entry.getKey(), entry.getValue().next());
                }
            }
        }
        double ms = (System.nanoTime() - begin) / 1e6;
        return new Cost(ms, rig.slurm.count().since(before), lastPid() - first, news);
    }

    private long lastPid() throws BackendException {
        return Long.parseLong(rig.shell(LAST_PID));
    }

    private Figure figure() throws Exception {
        Cost first = tick();
        Cost[] quiet = new Cost[ROUNDS];
        double[] squeue = new double[ROUNDS];
        String ids = jobs.handles().stream().map(JobHandle::nativeId).collect(Collectors.joining(","));
        long nothing = lastPid();
        nothing = lastPid() - nothing;
        for (int i = 0; i < ROUNDS; i++) {
            squeue[i] = Measure.millis(() -> rig.shell("squeue -h -o '%i %T %r' -j " + ids));
            quiet[i] = tick();
        }
        rig.shell("cd " + rig.base + "/slurm-logs && i=0; while [ $i -lt " + CHANGED
                + " ]; do for f in *-$i-*.out; do echo one more line >> \"$f\"; done; i=$((i + 1)); done");
        Cost changed = tick();
        return figure(first, quiet, changed, squeue, nothing);
    }

    private static Figure figure(Cost first, Cost[] quiet, Cost changed, double[] squeue, long nothing) {
        double ms = Measure.median(
                java.util.Arrays.stream(quiet).mapToDouble(Cost::ms).toArray());
        double yard = Measure.median(squeue);
        long processes =
                java.util.Arrays.stream(quiet).mapToLong(Cost::processes).min().orElseThrow() - nothing;
        Count count = quiet[ROUNDS - 1].count();
        Map<String, String> numbers = new LinkedHashMap<>();
        numbers.put("remote commands, nothing changed", Long.toString(count.commands()));
        numbers.put(
                "remote commands, " + CHANGED + " logs grew",
                Long.toString(changed.count().commands()));
        numbers.put("processes started on the login host, nothing changed", Long.toString(processes));
        numbers.put("time, nothing changed, median of " + ROUNDS, Measure.ms(ms));
        numbers.put("`squeue` of the same jobs alone", Measure.ms(yard));
        numbers.put("ratio", Measure.ratio(ms / yard));
        numbers.put("time, " + CHANGED + " logs grew", Measure.ms(changed.ms()));
        numbers.put("bytes of files, nothing changed", Measure.bytes(quiet[ROUNDS - 1].news()));
        numbers.put("bytes of files, " + CHANGED + " logs grew by 14 bytes", Measure.bytes(changed.news()));
        numbers.put(
                "bytes of all questions and answers, nothing changed",
                Measure.bytes(count.sent()) + " and " + Measure.bytes(count.received()));
        numbers.put(
                "first look, all 3,000 files new",
                Measure.ms(first.ms()) + ", " + first.count().commands() + " remote commands");
        return new Figure(
                "A tick over 1,000 watched jobs",
                "at most 3 remote commands, and bytes only for what changed",
                changed.count().commands() <= MOST_COMMANDS && quiet[0].news() == 0,
                "1,000 jobs wait in the queue, each with a log, an error log and a status.json, read as those of running"
                        + " jobs are. Processes are counted by the login host's own process ids; other users' are among them.",
                numbers);
    }
}
