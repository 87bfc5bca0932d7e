package io.jenkins.plugins.tao.backend.lepton.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonTarget;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonJob;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonRequest;
import io.jenkins.plugins.tao.backend.lepton.view.LeptonEvent;
import io.jenkins.plugins.tao.backend.lepton.view.LeptonGroup;
import io.jenkins.plugins.tao.backend.lepton.view.LeptonReplica;
import io.jenkins.plugins.tao.backend.lepton.view.LeptonShape;
import io.jenkins.plugins.tao.backend.lepton.view.LogQuery;
import io.jenkins.plugins.tao.http.HttpApi;
import io.jenkins.plugins.tao.http.HttpCredential;
import io.jenkins.plugins.tao.http.HttpReply;
import io.jenkins.plugins.tao.http.HttpRequest;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.http.HttpStream;
import io.jenkins.plugins.tao.job.Secret;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The calls of a workspace's interface; the only class of its package that talks. */
public final class LeptonApi implements AutoCloseable {
    private static final int PAGE = 500;
    private static final int SMALLER = 5;
    private static final int MOST_JOBS = 20_000;
    private static final String EVERYWHERE = "alive_and_archive";
    private static final Duration LOG = Duration.ofSeconds(20);
    /** A worker's log follows it without an end: what has come when nothing more does for this long is all there is. */
    private static final Duration REPLICA_QUIET = Duration.ofSeconds(2);

    private static final int REPLICA_BYTES = 12 << 20;
    private static final Duration LONG_WAIT = Duration.ofMinutes(15);
    private static final String RENEWAL =
            "A token of Lepton lives one day unless made for longer; one of another workspace"
                    + " or environment is refused too. Make a new one in the dashboard under Settings, Tokens, and put it where"
                    + " the target's token comes from.";

    private final HttpApi http;
    private final String origin;
    private volatile int pageSize = PAGE;
    private volatile Optional<Instant> serviceTime = Optional.empty();

    public LeptonApi(LeptonTarget target, HttpSettings settings) {
        HttpCredential token =
                HttpCredential.bearer("the token of target '" + target.name() + "'", target.token(), RENEWAL);
        http = new HttpApi(target.service(), target.baseUrl(), token, settings.proxy(target.proxy()));
        URI uri = URI.create(target.baseUrl());
        origin = uri.getScheme() + "://" + uri.getAuthority();
    }

    private HttpRequest with(HttpRequest request) {
        return request.header("Origin", origin);
    }

    /** Sends a request and keeps what the service's clock said. */
    private HttpReply exchange(HttpRequest request) throws BackendException {
        HttpReply reply = http.exchange(with(request));
        serviceTime = reply.date().or(() -> serviceTime);
        return reply;
    }

    private HttpReply send(HttpRequest request) throws BackendException {
        return exchange(request).orThrow();
    }

    private JsonNode get(String purpose, String... path) throws BackendException {
        return send(HttpRequest.get(purpose).path(path)).json();
    }

    /** The workspace itself, whatever the answer. */
    public HttpReply workspace() throws BackendException {
        return exchange(
                HttpRequest.get("asking for the workspace").path("workspace").within(Duration.ofSeconds(30)));
    }

    JsonNode tokens() throws BackendException {
        return get("listing tokens", "tokens");
    }

    /** The service's clock when it last told. */
    Optional<Instant> serviceTime() {
        return serviceTime;
    }

    public List<LeptonGroup> groups() throws BackendException {
        return LeptonGroup.read(get("listing node groups", "dedicated-node-groups"));
    }

    public JsonNode nodes(String group) throws BackendException {
        return get("listing nodes", "dedicated-node-groups", group, "nodes");
    }

    public JsonNode reservations(String group) throws BackendException {
        return get("listing reservations", "dedicated-node-groups", group, "reservations");
    }

    public List<LeptonShape> shapes(Optional<String> group) throws BackendException {
        HttpRequest request = HttpRequest.get("listing shapes").path("shapes").query("purpose", "job");
        group.ifPresent(id -> request.query("node_groups", id));
        return LeptonShape.read(send(request).json());
    }

    public JsonNode permissions(String volume, String group) throws BackendException {
        return send(HttpRequest.get("listing permissions of volume '" + volume + "'")
                        .path("storage-permission", volume)
                        .query("nodegroup_id", group))
                .json();
    }

    /** Live jobs with a label, without their commands; pages are walked to their end. */
    public List<LeptonJob> alive(String label, String value) throws BackendException {
        return list("alive_only", "query", label + "=" + value).stream()
                .map(LeptonJob::withoutCommand)
                .toList();
    }

    /** Jobs of any age whose name contains {@code name}. */
    public List<LeptonJob> called(String name) throws BackendException {
        return list(EVERYWHERE, "q", name);
    }

    /** An answer has each job's whole command, so how many fit into one follows from the jobs. */
    private List<LeptonJob> list(String mode, String filter, String value) throws BackendException {
        Filter wanted = new Filter(mode, filter, value);
        for (int size = pageSize; ; size = Math.max(1, size / SMALLER)) {
            try {
                return list(wanted, size);
            } catch (Unreadable e) {
                if (size == 1 || !HttpApi.isTooLong(e)) {
                    throw e;
                }
                pageSize = Math.max(1, size / SMALLER);
            }
        }
    }

    /** Which jobs to list. */
    private record Filter(String mode, String name, String value) {}

    private List<LeptonJob> list(Filter wanted, int size) throws BackendException {
        Map<String, LeptonJob> jobs = new LinkedHashMap<>();
        for (int page = 1; page * (long) size <= MOST_JOBS; page++) {
            HttpReply reply = send(HttpRequest.get("listing jobs")
                    .path("jobs")
                    .query("job_query_mode", wanted.mode())
                    .query(wanted.name(), wanted.value())
                    .query("page", Integer.toString(page))
                    .query("page_size", Integer.toString(size)));
            List<LeptonJob> found = LeptonJob.readAll(reply.json());
            found.forEach(job -> jobs.putIfAbsent(job.id(), job));
            if (found.size() < size) {
                break;
            }
        }
        return List.copyOf(jobs.values());
    }

    /** How long a job has waited by the service's own clock, when that is long. */
    public Optional<String> waitedLong(LeptonJob job) {
        Duration waited = job.createdAt()
                .flatMap(created -> serviceTime.map(now -> Duration.between(created, now)))
                .orElse(Duration.ZERO);
        return waited.compareTo(LONG_WAIT) < 0
                ? Optional.empty()
                : Optional.of("no machine for " + waited.toMinutes()
                        + " min: try another resourceShape or nodeGroup, or wait");
    }

    public Optional<LeptonJob> job(String id) throws BackendException {
        HttpReply reply = exchange(
                HttpRequest.get("asking for job '" + id + "'").path("jobs", id).query("job_query_mode", EVERYWHERE));
        if (reply.status() == HttpURLConnection.HTTP_NOT_FOUND) {
            return Optional.empty();
        }
        JsonNode json = reply.orThrow().json();
        return Optional.of(LeptonJob.read(json)
                .orElseThrow(
                        () -> new Unreadable("A job without an id came back", json.toString(), "It is asked again.")));
    }

    public LeptonJob create(JsonNode body, Collection<Secret> secrets) throws BackendException {
        JsonNode json = send(HttpRequest.post("making a job")
                        .path("jobs")
                        .json(body)
                        .hide(secrets))
                .json();
        return LeptonJob.read(json)
                .orElseThrow(() -> new BackendException.Unreachable(
                        "The answer to making a job names no job.", "It is looked for by its name."));
    }

    /** Ends a job and keeps its record and logs; one that is gone is fine. */
    public void stop(String id) throws BackendException {
        HttpReply reply = exchange(
                HttpRequest.patch("stopping job '" + id + "'").path("jobs", id).json(LeptonRequest.stop()));
        if (reply.status() != HttpURLConnection.HTTP_NOT_FOUND && reply.status() != HttpURLConnection.HTTP_CONFLICT) {
            reply.orThrow();
        }
    }

    public List<LeptonReplica> replicas(String id) throws BackendException {
        HttpReply reply = exchange(HttpRequest.get("listing replicas of job '" + id + "'")
                .path("jobs", id, "replicas")
                .query("job_query_mode", EVERYWHERE));
        return reply.status() == HttpURLConnection.HTTP_NOT_FOUND
                ? List.of()
                : LeptonReplica.read(id, reply.orThrow().json());
    }

    public List<LeptonEvent> events(String id) throws BackendException {
        HttpReply reply =
                exchange(HttpRequest.get("listing events of job '" + id + "'").path("jobs", id, "events"));
        return reply.status() == HttpURLConnection.HTTP_NOT_FOUND
                ? List.of()
                : LeptonEvent.read(reply.orThrow().json());
    }

    /** The service's own analysis at a path that a target names; empty when it has none. */
    public Optional<JsonNode> analysis(String path, String id) throws BackendException {
        HttpReply reply = exchange(HttpRequest.get("asking for the failure analysis of job '" + id + "'")
                .path(path.replace("{job}", id).split("/", -1)));
        return reply.ok() ? Optional.of(reply.json()) : Optional.empty();
    }

    /**
     * Lines of the log store, asked with all that Lepton's own client sends: it refuses a start without an end. A text
     * that follows a running job instead is not taken.
     */
    public JsonNode logs(LogQuery query) throws BackendException {
        HttpRequest request = HttpRequest.get("reading the log of job '" + query.job() + "'")
                .path("logs")
                .query("job", query.job())
                .query("job_query_mode", EVERYWHERE)
                .query("q", query.text())
                .query("start", Long.toString(query.start()))
                .query("end", Long.toString(query.end()))
                .query("limit", Integer.toString(query.limit()))
                .query("direction", "backward")
                .query("timestamps", "True");
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

    /** What a worker's own log shows now, its last 10,000 lines at most. */
    public String replicaLog(String job, String replica) throws BackendException {
        HttpRequest request = HttpRequest.get("reading the log of replica '" + replica + "'")
                .path("jobs", job, "replicas", replica, "log")
                .header("Accept-Encoding", "identity")
                .quietFor(REPLICA_QUIET)
                .within(LOG);
        try (HttpStream stream = http.open(with(request))) {
            return new String(stream.takeUntilQuiet(REPLICA_BYTES), StandardCharsets.UTF_8);
        }
    }

    /** The service's clock; asked for when no answer has told it yet. */
    public Instant now(Instant otherwise) throws BackendException {
        if (serviceTime.isEmpty()) {
            workspace();
        }
        return serviceTime.orElse(otherwise);
    }

    public JsonNode pullSecrets() throws BackendException {
        return get("listing pull secrets", "imagepullsecrets");
    }

    /** Makes a pull secret; one that is there already holds the same key, for its name says so. */
    public void createPullSecret(String name, Secret ngcKey) throws BackendException {
        HttpReply reply = exchange(HttpRequest.post("making pull secret '" + name + "'")
                .path("imagepullsecrets")
                .json(LeptonRequest.pullSecret(name, ngcKey))
                .hide(List.of(ngcKey)));
        if (reply.status() != HttpURLConnection.HTTP_CONFLICT) {
            reply.orThrow();
        }
    }

    public JsonNode userSecrets() throws BackendException {
        return get("listing secrets", "usersecrets");
    }

    void createUserSecret(String name, Secret value) throws BackendException {
        HttpReply reply = exchange(HttpRequest.post("making secret '" + name + "'")
                .path("usersecrets")
                .json(LeptonRequest.userSecret(name, value))
                .hide(List.of(value)));
        if (reply.status() != HttpURLConnection.HTTP_CONFLICT) {
            reply.orThrow();
        }
    }

    void deleteUserSecret(String name) throws BackendException {
        HttpReply reply =
                exchange(HttpRequest.delete("removing secret '" + name + "'").path("usersecrets", name));
        if (reply.status() != HttpURLConnection.HTTP_NOT_FOUND) {
            reply.orThrow();
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
