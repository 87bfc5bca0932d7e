package io.jenkins.plugins.tao.backend.lepton;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.http.HttpApi;
import io.jenkins.plugins.tao.http.HttpCredential;
import io.jenkins.plugins.tao.http.HttpReply;
import io.jenkins.plugins.tao.http.HttpRequest;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.http.HttpStream;
import io.jenkins.plugins.tao.job.Secret;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The calls of a workspace's interface; the only class of its package that talks. */
final class LeptonApi implements AutoCloseable {
    private static final int PAGE = 500;
    private static final int MOST_PAGES = 40;
    private static final String EVERYWHERE = "alive_and_archive";
    private static final Duration LOG = Duration.ofSeconds(20);
    private static final Duration LONG_WAIT = Duration.ofMinutes(15);
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final String RENEWAL =
            "A token of Lepton lives one day unless made for longer; one of another workspace"
                    + " or environment is refused too. Make a new one in the dashboard under Settings, Tokens, and put it where"
                    + " the target's token comes from.";

    private final HttpApi http;
    private final String origin;
    private volatile Optional<Instant> serviceTime = Optional.empty();

    LeptonApi(LeptonTarget target, HttpSettings settings) {
        HttpCredential token =
                HttpCredential.bearer("the token of target '" + target.name() + "'", target.token(), RENEWAL);
        http = new HttpApi(target.service(), target.baseUrl(), token, settings.proxy(target.proxy()));
        URI uri = URI.create(target.baseUrl());
        origin = uri.getScheme() + "://" + uri.getAuthority();
    }

    private HttpRequest with(HttpRequest request) {
        return request.header("Origin", origin);
    }

    private JsonNode get(String purpose, String... path) throws BackendException {
        return http.send(with(HttpRequest.get(purpose).path(path))).json();
    }

    /** The workspace itself, whatever the answer. */
    HttpReply workspace() throws BackendException {
        return http.exchange(with(
                HttpRequest.get("asking for the workspace").path("workspace").within(Duration.ofSeconds(30))));
    }

    JsonNode tokens() throws BackendException {
        HttpReply reply = http.send(with(HttpRequest.get("listing tokens").path("tokens")));
        serviceTime = reply.date();
        return reply.json();
    }

    /** The service's clock when it last told. */
    Optional<Instant> serviceTime() {
        return serviceTime;
    }

    List<LeptonGroup> groups() throws BackendException {
        return LeptonGroup.read(get("listing node groups", "dedicated-node-groups"));
    }

    JsonNode nodes(String group) throws BackendException {
        return get("listing nodes", "dedicated-node-groups", group, "nodes");
    }

    List<LeptonShape> shapes(Optional<String> group) throws BackendException {
        HttpRequest request = HttpRequest.get("listing shapes").path("shapes").query("purpose", "job");
        group.ifPresent(id -> request.query("node_groups", id));
        return LeptonShape.read(http.send(with(request)).json());
    }

    JsonNode permissions(String volume, String group) throws BackendException {
        return http.send(with(HttpRequest.get("listing permissions of volume '" + volume + "'")
                        .path("storage-permission", volume)
                        .query("nodegroup_id", group)))
                .json();
    }

    /** Live jobs with a label; pages are walked to their end. */
    List<LeptonJob> alive(String label, String value) throws BackendException {
        return list("alive_only", "query", label + "=" + value);
    }

    /** Jobs of any age whose name contains {@code name}. */
    List<LeptonJob> called(String name) throws BackendException {
        return list(EVERYWHERE, "q", name);
    }

    private List<LeptonJob> list(String mode, String filter, String value) throws BackendException {
        List<LeptonJob> jobs = new ArrayList<>();
        Set<String> seen = new TreeSet<>();
        for (int page = 1; page <= MOST_PAGES; page++) {
            HttpReply reply = http.send(with(HttpRequest.get("listing jobs")
                    .path("jobs")
                    .query("job_query_mode", mode)
                    .query(filter, value)
                    .query("page", Integer.toString(page))
                    .query("page_size", Integer.toString(PAGE))));
            serviceTime = reply.date();
            List<LeptonJob> found = LeptonJob.readAll(reply.json());
            found.stream().filter(job -> seen.add(job.id())).forEach(jobs::add);
            if (found.size() < PAGE) {
                return jobs;
            }
        }
        return jobs;
    }

    /** How long a job has waited by the service's own clock, when that is long. */
    Optional<String> waitedLong(LeptonJob job) {
        Duration waited = job.createdAt()
                .flatMap(created -> serviceTime.map(now -> Duration.between(created, now)))
                .orElse(Duration.ZERO);
        return waited.compareTo(LONG_WAIT) < 0
                ? Optional.empty()
                : Optional.of("no machine for " + waited.toMinutes()
                        + " min: try another resourceShape or nodeGroup, or wait");
    }

    Optional<LeptonJob> job(String id) throws BackendException {
        HttpReply reply = http.exchange(with(
                HttpRequest.get("asking for job '" + id + "'").path("jobs", id).query("job_query_mode", EVERYWHERE)));
        if (reply.status() == NOT_FOUND) {
            return Optional.empty();
        }
        JsonNode json = reply.orThrow().json();
        return Optional.of(LeptonJob.read(json)
                .orElseThrow(
                        () -> new Unreadable("A job without an id came back", json.toString(), "It is asked again.")));
    }

    LeptonJob create(JsonNode body, Collection<Secret> secrets) throws BackendException {
        JsonNode json = http.send(with(
                        HttpRequest.post("making a job").path("jobs").json(body).hide(secrets)))
                .json();
        return LeptonJob.read(json)
                .orElseThrow(() -> new BackendException.Unreachable(
                        "The answer to making a job names no job.", "It is looked for by its name."));
    }

    /** Ends a job and keeps its record and logs; one that is gone is fine. */
    void stop(String id) throws BackendException {
        HttpReply reply = http.exchange(with(
                HttpRequest.patch("stopping job '" + id + "'").path("jobs", id).json(LeptonRequest.stop())));
        if (reply.status() != NOT_FOUND && reply.status() != CONFLICT) {
            reply.orThrow();
        }
    }

    List<LeptonReplica> replicas(String id) throws BackendException {
        HttpReply reply = http.exchange(with(HttpRequest.get("listing replicas of job '" + id + "'")
                .path("jobs", id, "replicas")
                .query("job_query_mode", EVERYWHERE)));
        return reply.status() == NOT_FOUND
                ? List.of()
                : LeptonReplica.read(id, reply.orThrow().json());
    }

    List<LeptonEvent> events(String id) throws BackendException {
        HttpReply reply = http.exchange(
                with(HttpRequest.get("listing events of job '" + id + "'").path("jobs", id, "events")));
        return reply.status() == NOT_FOUND
                ? List.of()
                : LeptonEvent.read(reply.orThrow().json());
    }

    /** The service's own analysis at a path that a target names; empty when it has none. */
    Optional<JsonNode> analysis(String path, String id) throws BackendException {
        HttpReply reply = http.exchange(with(HttpRequest.get("asking for the failure analysis of job '" + id + "'")
                .path(path.replace("{job}", id).split("/", -1))));
        return reply.ok() ? Optional.of(reply.json()) : Optional.empty();
    }

    /** Lines of the log store; a text that follows a running job instead is not taken. */
    JsonNode logs(LogQuery query) throws BackendException {
        HttpRequest request = HttpRequest.get("reading the log of job '" + query.job() + "'")
                .path("logs")
                .query("job", query.job())
                .query("job_query_mode", EVERYWHERE)
                .query("q", query.text())
                .query("direction", query.backward() ? "backward" : "forward")
                .query("limit", Integer.toString(query.limit()));
        query.start().ifPresent(ns -> request.query("start", Long.toString(ns)));
        query.end().ifPresent(ns -> request.query("end", Long.toString(ns)));
        try (HttpStream stream = http.open(with(request.within(LOG)))) {
            if (stream.contentType().equals("text/plain")) {
                throw new Unreadable(
                        "The log of job '" + query.job() + "' came as a stream that follows it, not as its history",
                        "text/plain",
                        "It is asked again.");
            }
            return stream.json();
        }
    }

    JsonNode pullSecrets() throws BackendException {
        return get("listing pull secrets", "imagepullsecrets");
    }

    /** Makes a pull secret; one that is there already holds the same key, for its name says so. */
    void createPullSecret(String name, Secret ngcKey) throws BackendException {
        HttpReply reply = http.exchange(with(HttpRequest.post("making pull secret '" + name + "'")
                .path("imagepullsecrets")
                .json(LeptonRequest.pullSecret(name, ngcKey))
                .hide(List.of(ngcKey))));
        if (reply.status() != CONFLICT) {
            reply.orThrow();
        }
    }

    JsonNode userSecrets() throws BackendException {
        return get("listing secrets", "usersecrets");
    }

    void createUserSecret(String name, Secret value) throws BackendException {
        HttpReply reply = http.exchange(with(HttpRequest.post("making secret '" + name + "'")
                .path("usersecrets")
                .json(LeptonRequest.userSecret(name, value))
                .hide(List.of(value))));
        if (reply.status() != CONFLICT) {
            reply.orThrow();
        }
    }

    void deleteUserSecret(String name) throws BackendException {
        HttpReply reply = http.exchange(
                with(HttpRequest.delete("removing secret '" + name + "'").path("usersecrets", name)));
        if (reply.status() != NOT_FOUND) {
            reply.orThrow();
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
