package io.jenkins.plugins.tao.bench;

import io.jenkins.plugins.tao.dispatch.Dispatcher;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A thousand watches: taken up again by a new process, and the connections they hold. */
final class Restart {
    private static final double TARGET_MS = 10_000;
    private static final Pattern SOCKET = Pattern.compile("socket:\\[(\\d+)\\]");
    private static final Set<String> PORTS = Set.of("08AE", "08AF");

    private final Rig rig;
    private final HeldJobs jobs;
    private final List<Memory> memories = new ArrayList<>();
    private double tookMs;
    private long least = Long.MAX_VALUE;
    private long most;
    private long afterwards;

    Restart(Rig rig, HeldJobs jobs) {
        this.rig = rig;
        this.jobs = jobs;
        jobs.handles().forEach(job -> memories.add(new Memory()));
    }

    /** The figures of restart and of connections, in this order. */
    List<Figure> run() throws Exception {
        rig.host.close(); // else our own yardsticks' connection would be counted
        try (Dispatcher dispatcher = rig.dispatcher()) {
            watchAll(dispatcher);
            Awaitility.await()
                    .until(() ->
                            memories.stream().allMatch(memory -> memory.load().isPresent()));
        }
        // A state that the jobs are not in, so that the first look at each is told.
        memories.forEach(memory ->
                memory.save(memory.load().orElseThrow().replace("\"word\":\"PENDING\"", "\"word\":\"CONFIGURING\"")));
        try (Dispatcher dispatcher = rig.dispatcher()) {
            long begin = System.nanoTime();
            List<Watch> watches = watchAll(dispatcher);
            tookMs = (System.nanoTime() - begin) / 1e6;
            countConnections();
            watches.forEach(Watch::detach);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> connections() == 0);
            afterwards = connections();
        }
        return List.of(restart(), connected());
    }

    private Figure restart() {
        Map<String, String> numbers = new LinkedHashMap<>();
        numbers.put("from the new process's first call to the first status of the last job", Measure.ms(tookMs));
        return new Figure(
                "1,000 waits taken up again",
                "within 10 s of a restart",
                tookMs <= TARGET_MS,
                "A dispatcher watches 1,000 jobs in the queue and is closed; another one takes the saved records, logs in,"
                        + " and reports each watch's first status. The start of the JVM is not in it.",
                numbers);
    }

    private Figure connected() {
        Map<String, String> numbers = new LinkedHashMap<>();
        numbers.put(
                "connections of this process, 1,000 jobs watched, 20 samples in 10 s",
                least == most ? Long.toString(most) : least + " to " + most);
        numbers.put("the same when nothing is watched any more", Long.toString(afterwards));
        return new Figure(
                "Connections",
                "one for a target in steady state, none when nothing is watched",
                least == 1 && most == 1 && afterwards == 0,
                "This process's own TCP connections to the login hosts, as /proc shows. The last one closes 30 s after the"
                        + " last watch.",
                numbers);
    }

    private List<Watch> watchAll(Dispatcher dispatcher) throws InterruptedException {
        CountDownLatch told = new CountDownLatch(HeldJobs.COUNT);
        List<Watch> watches = new ArrayList<>();
        for (int i = 0; i < HeldJobs.COUNT; i++) {
            watches.add(dispatcher.watch(
                    rig.target(), jobs.handles().get(i), WatchPlan.defaults(), memories.get(i), event -> {
                        if (event instanceof JobEvent.StatusChanged) {
                            told.countDown();
                        }
                    }));
        }
        if (!told.await(2, TimeUnit.MINUTES)) {
            throw new IllegalStateException(told.getCount() + " watches heard nothing");
        }
        return watches;
    }

    private void countConnections() throws InterruptedException, IOException {
        CountDownLatch never = new CountDownLatch(1);
        for (int i = 0; i < 20; i++) {
            least = Math.min(least, connections());
            most = Math.max(most, connections());
            if (never.await(500, TimeUnit.MILLISECONDS)) {
                return;
            }
        }
    }

    private static long connections() throws IOException {
        Set<String> ours;
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            ours = files.map(Restart::socket).collect(Collectors.toSet());
        }
        long count = 0;
        for (String table : List.of("/proc/self/net/tcp", "/proc/self/net/tcp6")) {
            count += Files.readAllLines(Path.of(table)).stream()
                    .map(line -> line.strip().split("\\s+"))
                    .filter(field -> field.length > 9 && ours.contains(field[9]))
                    .filter(field -> PORTS.contains(field[2].substring(field[2].indexOf(':') + 1)))
                    .count();
        }
        return count;
    }

    private static String socket(Path descriptor) {
        try {
            Matcher match = SOCKET.matcher(Files.readSymbolicLink(descriptor).toString());
            return match.matches() ? match.group(1) : "";
        } catch (IOException e) {
            return ""; // closed meanwhile
        }
    }
}
