package io.jenkins.plugins.tao.backend.lepton;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.backend.lepton.view.LeptonReplica;
import io.jenkins.plugins.tao.backend.lepton.view.LogLine;
import io.jenkins.plugins.tao.http.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import okhttp3.HttpUrl;

/** The log store of the {@link LeptonSimulator}: groups by replica, each newest first when asked backward. */
final class SimulatedLogs {
    private final Map<String, SimulatedJob> jobs;

    SimulatedLogs(Map<String, SimulatedJob> jobs) {
        this.jobs = jobs;
    }

    MockResponse.Builder answer(RecordedRequest request) {
        HttpUrl url = Objects.requireNonNull(request.getUrl());
        SimulatedJob job = jobs.get(Objects.requireNonNull(url.queryParameter("job")));
        if (job == null) {
            return LeptonSimulator.json(200, "{\"data\":{\"result\":[]}}");
        }
        if (url.queryParameter("q") == null) {
            return live(job, job.replica(0));
        }
        if (url.queryParameter("start") == null
                || url.queryParameter("end") == null
                || number(url, "limit", 5000) > 10_000) {
            return LeptonSimulator.json(
                    400, "{\"code\":\"InvalidRequest\",\"message\":\"start and end are required\"}");
        }
        List<LogLine> lines = new ArrayList<>(job.log);
        long start = number(url, "start", 0);
        long end = number(url, "end", Long.MAX_VALUE);
        String part = Optional.ofNullable(url.queryParameter("q")).orElse("");
        lines.removeIf(
                line -> line.at() < start || line.at() >= end || !line.text().contains(part));
        boolean backward = !"forward".equals(url.queryParameter("direction"));
        if (backward) {
            Collections.reverse(lines);
        }
        int limit = (int) number(url, "limit", 5000);
        List<LogLine> page = lines.subList(0, Math.min(limit, lines.size()));
        return LeptonSimulator.json(200, loki(job, page));
    }

    private static long number(HttpUrl url, String name, long otherwise) {
        return Optional.ofNullable(url.queryParameter(name))
                .map(Long::parseLong)
                .orElse(otherwise);
    }

    private static String loki(SimulatedJob job, List<LogLine> page) {
        Map<Integer, ArrayNode> groups = new TreeMap<>(Collections.reverseOrder());
        ObjectNode answer = Json.object();
        ArrayNode result = answer.putObject("data").putArray("result");
        for (LogLine line : page) {
            ArrayNode values = groups.computeIfAbsent(line.worker(), worker -> {
                ObjectNode group = result.addObject();
                group.putObject("stream").put("replica", job.replica(worker)).put("level", "info");
                return group.putArray("values");
            });
            values.addArray().add(Long.toString(line.at())).add(line.text());
        }
        return answer.toString();
    }

    /** The last 10,000 lines of one worker. */
    static MockResponse.Builder live(SimulatedJob job, String replica) {
        int worker = LeptonReplica.worker(job.id, replica);
        List<String> own = job.log.stream()
                .filter(line -> line.worker() == worker)
                .map(LogLine::text)
                .toList();
        String text = own.stream()
                .skip(Math.max(0, own.size() - job.shownLines))
                .map(line -> line + "\n")
                .collect(Collectors.joining());
        return new MockResponse.Builder()
                .setHeader("Content-Type", "text/plain")
                .chunkedBody(text, 7);
    }
}
