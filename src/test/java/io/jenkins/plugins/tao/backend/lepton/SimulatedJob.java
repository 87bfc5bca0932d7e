package io.jenkins.plugins.tao.backend.lepton;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.BashWords;
import io.jenkins.plugins.tao.ProcessTree;
import io.jenkins.plugins.tao.QuickSleep;
import io.jenkins.plugins.tao.backend.lepton.view.LogLine;
import io.jenkins.plugins.tao.http.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** One job of the {@link LeptonSimulator}: each worker is a real process on this machine. */
public final class SimulatedJob {
    final String id;
    public final ObjectNode body;
    final long createdAt;
    public final List<LogLine> log = new CopyOnWriteArrayList<>();
    public final ArrayNode events = Json.list();
    public final Map<Integer, JsonNode> issues = new TreeMap<>();
    public final List<Process> workers = new CopyOnWriteArrayList<>();
    public volatile String forced = "";
    public volatile boolean placed = true;
    public volatile int shownLines = 10_000;
    private final List<Thread> readers = new ArrayList<>();

    SimulatedJob(String id, ObjectNode body, long createdAt) {
        this.id = id;
        this.body = body;
        this.createdAt = createdAt;
    }

    void start(Path directory, Map<String, String> secrets) {
        int count = body.path("spec").path("completions").asInt(1);
        for (int worker = 0; worker < count; worker++) {
            ProcessBuilder builder = new ProcessBuilder(command());
            builder.directory(directory.toFile()).redirectErrorStream(true);
            builder.environment().keySet().removeIf(name -> !name.equals("PATH"));
            builder.environment().computeIfPresent("PATH", (name, path) -> QuickSleep.before(path));
            variables(secrets).forEach(builder.environment()::put);
            builder.environment().putAll(told(worker, count));
            try {
                Process process = builder.start();
                process.getOutputStream().close();
                workers.add(process);
                follow(process, worker);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private List<String> command() {
        List<String> words = new ArrayList<>();
        body.path("spec").path("container").path("command").forEach(word -> words.add(word.asText()));
        return words;
    }

    private Map<String, String> variables(Map<String, String> secrets) {
        Map<String, String> variables = new TreeMap<>();
        for (JsonNode variable : body.path("spec").path("envs")) {
            String secret = variable.path("value_from").path("secret_name_ref").asText("");
            variables.put(
                    variable.path("name").asText(),
                    secret.isEmpty() ? variable.path("value").asText() : secrets.getOrDefault(secret, ""));
        }
        return variables;
    }

    private Map<String, String> told(int worker, int count) {
        return Map.of(
                "LEPTON_JOB_NAME",
                id,
                "LEPTON_JOB_WORKER_INDEX",
                Integer.toString(worker),
                "LEPTON_JOB_TOTAL_WORKERS",
                Integer.toString(count),
                "LEPTON_JOB_WORKER_PREFIX",
                "worker",
                "LEPTON_SUBDOMAIN",
                id + "-job-svc");
    }

    private void follow(Process process, int worker) {
        Thread reader = new Thread(() -> {
            try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (!BashWords.without(line + "\n").isEmpty()) {
                        write(worker, line);
                    }
                }
            } catch (IOException e) {
                // the process was killed; what it wrote until then is kept
            }
        });
        reader.setDaemon(true);
        reader.start();
        readers.add(reader);
    }

    synchronized void write(int worker, String line) {
        log.add(new LogLine(createdAt * 1_000_000L + log.size() + 1, worker, line));
    }

    void stop() {
        forced = "Stopped";
        kill();
    }

    /** Ends it without the signals that its programs could answer: its workspace is gone. */
    void drop() {
        for (Process process : workers) {
            ProcessTree.kill(process);
        }
    }

    void kill() {
        for (Process process : workers) {
            List<ProcessHandle> started = process.descendants().toList();
            process.destroy();
            try {
                if (!process.waitFor(10, TimeUnit.SECONDS)) {
                    ProcessTree.kill(process);
                }
                started.forEach(ProcessHandle::destroyForcibly); // a container takes along what its first process left
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public String state() {
        if (!forced.isEmpty()) {
            return forced;
        }
        boolean running =
                workers.stream().anyMatch(Process::isAlive) || readers.stream().anyMatch(Thread::isAlive);
        if (running) {
            return "Running";
        }
        return failed() == 0 ? "Completed" : "Failed";
    }

    private long failed() {
        return workers.stream()
                .filter(each -> !each.isAlive() && each.exitValue() != 0)
                .count();
    }

    String replica(int worker) {
        return id + "-" + worker + "-58efa";
    }

    ObjectNode json() {
        ObjectNode json = body.deepCopy();
        String name = json.path("metadata").path("id").asText();
        json.withObject("/metadata").put("id", id).put("name", name).put("created_at", createdAt);
        ObjectNode status = json.withObject("/status");
        long alive = workers.stream().filter(Process::isAlive).count();
        status.put("state", state()).put("active", alive).put("ready", alive);
        status.put("failed", failed()).put("succeeded", workers.size() - alive - failed());
        status.put("creation_time", createdAt / 1000);
        return json;
    }

    ArrayNode replicas() {
        ArrayNode list = Json.list();
        for (int worker = 0; worker < Math.max(1, workers.size()); worker++) {
            ObjectNode replica = list.addObject();
            replica.putObject("metadata").put("id", replica(worker));
            ObjectNode status = replica.putObject("status");
            status.put("cpu", 24).put("memory_in_mb", 225_000);
            if (placed) {
                String node = "node-" + (char) ('a' + worker);
                status.putObject("node").put("name", node).put("node_group_id", "my-h100-pool-abcd");
            }
            if (issues.containsKey(worker)) {
                status.set("readiness_issue", issues.get(worker));
            }
        }
        return list;
    }
}
