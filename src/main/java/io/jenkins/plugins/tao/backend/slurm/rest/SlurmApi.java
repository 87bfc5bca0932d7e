package io.jenkins.plugins.tao.backend.slurm.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmRest;
import io.jenkins.plugins.tao.backend.slurm.reply.SlurmRefusal;
import io.jenkins.plugins.tao.http.HttpApi;
import io.jenkins.plugins.tao.http.HttpCredential;
import io.jenkins.plugins.tao.http.HttpReply;
import io.jenkins.plugins.tao.http.HttpRequest;
import io.jenkins.plugins.tao.http.HttpSettings;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A cluster's {@code slurmrestd}; the only class that talks to it. Nothing that it does not say for certain is taken for an answer:
 * an error beside a list, an empty list of a daemon whose controller is away, a broken connection are {@link Unreachable}.
 */
public final class SlurmApi implements AutoCloseable {
    private static final String WAIT = "Jobs are not affected; this will be tried again.";
    private static final long MAX_BYTES = 128L << 20;
    private static final int NOT_FOUND = 404;

    private final String target;
    private final String service;
    private final SlurmRest rest;
    private final HttpApi http;
    private volatile @Nullable RestVersion version;

    public SlurmApi(String target, SlurmRest rest) {
        this.target = target;
        this.rest = rest;
        this.service = "slurmrestd of target '" + target + "'";
        this.http = new HttpApi(
                service,
                rest.url(),
                HttpCredential.ofRequests("the token of user '" + rest.user() + "'", RestToken.renewal(rest.user())),
                HttpSettings.defaults().maxBytes(MAX_BYTES));
    }

    String user() {
        return rest.user();
    }

    /** The version in which this daemon is asked, and whose Slurm it is, for people. */
    String about() throws BackendException {
        JsonNode meta = got("asking for its version", "ping").path("meta");
        String newer = meta.path("slurm").path("release").asText("?");
        return version() + " of Slurm " + meta.path("Slurm").path("release").asText(newer);
    }

    /** The jobs of the controller that are {@code wanted}. */
    JsonNode queue(Predicate<JsonNode> wanted) throws BackendException {
        String purpose = "listing jobs";
        RestAnswer answer =
                checked(ask(HttpRequest.get(purpose).path("slurm", version().toString(), "jobs"), wanted), purpose);
        if (answer.listed() == 0 && !isUp()) {
            throw away(purpose, "it lists no job at all, and its controller is not up");
        }
        return answer.jobs();
    }

    private boolean isUp() throws BackendException {
        for (JsonNode ping : got("asking for the controller", "ping").path("pings")) {
            String word = ping.path("ping").asText(ping.path("pinged").asText(""));
            if (word.equals("UP") || ping.path("responding").asBoolean(false)) {
                return true;
            }
        }
        return false;
    }

    private JsonNode got(String purpose, String path) throws BackendException {
        return checked(slurm("GET", purpose, path), purpose).body();
    }

    /** The controller's records of one job, of an array those of its members; empty when it answers that it knows none. */
    Optional<JsonNode> job(String id) throws BackendException {
        String purpose = "asking for job " + id;
        RestAnswer answer = slurm("GET", purpose, "job", id);
        if (answer.errors().isUnknownJob()) {
            return Optional.empty();
        }
        JsonNode jobs = checked(answer, purpose).jobs();
        if (jobs.isEmpty()) { // neither known nor unknown
            throw away(purpose, "it gives neither the job nor an error");
        }
        return Optional.of(jobs);
    }

    /** What accounting has of a job; empty when there is no accounting, an empty list when it knows none. */
    public Optional<JsonNode> past(String id) throws BackendException {
        String purpose = "asking accounting for job " + id;
        return accounted(HttpRequest.get(purpose).path("slurmdb", version().toString(), "job", id), purpose);
    }

    /** The same of all jobs of this name since then. */
    Optional<JsonNode> pastNamed(String name, Instant since) throws BackendException {
        String purpose = "asking accounting for jobs named " + name;
        HttpRequest request = HttpRequest.get(purpose)
                .path("slurmdb", version().toString(), "jobs")
                .query("job_name", name)
                .query("start_time", version().time(since))
                .query("skip_steps", "true");
        return accounted(request, purpose);
    }

    private Optional<JsonNode> accounted(HttpRequest request, String purpose) throws BackendException {
        RestAnswer answer = ask(request, any -> true);
        if (answer.errors().isNothingFound()) {
            return Optional.of(answer.jobs());
        }
        return answer.errors().isWithoutAccounting()
                ? Optional.empty()
                : Optional.of(checked(answer, purpose).jobs());
    }

    /** The partitions, as the daemon tells them. */
    JsonNode partitions() throws BackendException {
        return got("listing partitions", "partitions").path("partitions");
    }

    /** The nodes, as the daemon tells them. */
    JsonNode nodes() throws BackendException {
        return got("listing nodes", "nodes").path("nodes");
    }

    /**
     * Hands a job over.
     *
     * @return its id
     * @throws BackendException.Rejected if Slurm refused it
     * @throws Unreachable if it is unknown whether Slurm took it
     */
    String submit(ObjectNode job) throws BackendException {
        RestAnswer answer = ask(
                HttpRequest.post("submitting a job")
                        .path("slurm", version().toString(), "job", "submit")
                        .json(job),
                any -> true);
        long id = answer.body().path("job_id").asLong(0);
        if (id > 0) { // beside errors too: those are warnings such as a wait for the partition
            return Long.toString(id);
        }
        RestErrors errors = answer.errors();
        if (errors.isToken() || errors.isAway() || errors.isUnclear()) {
            checkToken();
            boolean ofPlugin = errors.isUnclear() && !errors.isEmpty() && isUp();
            if (!ofPlugin) {
                throw away("submitting a job", errors.text());
            }
        }
        String site = answer.body()
                .path("job_submit_user_msg")
                .asText("")
                .lines()
                .map(line -> "\nsbatch: error: " + line) // where sbatch prints it
                .collect(Collectors.joining());
        throw SlurmRefusal.refused(target, errors.text() + site + choice(errors.text()));
    }

    /** The partitions there are, as {@link SlurmRefusal} reads them; nothing where another thing was refused, or they cannot be read. */
    private String choice(String said) {
        try {
            return said.contains("partition")
                    ? "\ntao-partitions "
                            + String.join(" ", RestRows.all(partitions(), each -> RestRows.text(each.path("name"))))
                    : "";
        } catch (BackendException e) {
            return "";
        }
    }

    /** Asks the controller to end a job; one that it does not know, or that has ended, is as good as ended. */
    void cancel(String id) throws BackendException {
        String purpose = "cancelling job " + id;
        RestAnswer answer = slurm("DELETE", purpose, "job", id);
        boolean over = answer.errors().isUnknownJob()
                || answer.errors().words().stream().anyMatch(text -> text.contains("already complet"));
        if (!over) {
            checked(answer, purpose);
        }
    }

    private RestAnswer slurm(String method, String purpose, String... path) throws BackendException {
        HttpRequest request = method.equals("GET") ? HttpRequest.get(purpose) : HttpRequest.delete(purpose);
        return ask(request.path("slurm", version().toString()).path(path), any -> true);
    }

    /** Throws what the errors of an answer mean, if it has any. */
    private RestAnswer checked(RestAnswer answer, String purpose) throws BackendException {
        RestErrors errors = answer.errors();
        if (errors.isEmpty()) {
            return answer;
        }
        checkToken();
        if (errors.isDenied()) {
            throw new Denied(
                    service + " refused user '" + rest.user() + "' while " + purpose + ": " + clause(errors.text())
                            + ".",
                    "Let the token be of a user that may do it.");
        }
        throw away(purpose, errors.text());
    }

    private static String clause(String said) {
        return said.replaceAll("\\.+$", "");
    }

    private Unreachable away(String purpose, String said) {
        return Unreachable.schedulerAlone(
                service + " gave no whole answer while " + purpose + ": " + clause(said) + ".", WAIT);
    }

    /**
     * Throws when it is the token that is wrong. Slurm 22.05 answers alike when its controller is away and when it does not take
     * the token; its accounting tells the two apart.
     */
    private void checkToken() throws BackendException {
        HttpRequest request = HttpRequest.get("looking whether the token is taken")
                .path("slurmdb", version().toString(), "job", "1");
        RestErrors errors = ask(request, any -> false).errors();
        if (errors.isToken()) {
            throw token().refused(service, rest.user(), clause(errors.text()));
        }
    }

    private RestToken token() throws BackendException {
        try {
            return RestToken.parse(service, rest.token().read(), rest.user());
        } catch (IllegalArgumentException e) { // its file or credential is gone
            throw new Denied(
                    service + " has no token to be asked with: " + clause(String.valueOf(e.getMessage())) + ".",
                    RestToken.renewal(rest.user()),
                    e);
        }
    }

    private RestAnswer ask(HttpRequest request, Predicate<JsonNode> wanted) throws BackendException {
        HttpReply reply = exchange(request);
        Optional<RestAnswer> answer = RestAnswer.parse(reply.bytes(), wanted);
        if (answer.isPresent() && (reply.ok() || !answer.get().errors().isEmpty())) {
            return answer.get();
        }
        if (reply.status() == NOT_FOUND) {
            version = null; // Slurm was upgraded: its versions are asked for again
            throw Unreachable.schedulerAlone(service + " no longer knows the address asked for, HTTP 404.", WAIT);
        }
        reply.orThrow();
        throw new Unreadable(service + " sent something that is not whole JSON", reply.message(), WAIT);
    }

    private HttpReply exchange(HttpRequest request) throws BackendException {
        RestToken token = token();
        HttpReply reply;
        try {
            reply = http.exchange(request.header("X-SLURM-USER-NAME", rest.user())
                    .header("X-SLURM-USER-TOKEN", token.secret().reveal())
                    .header("Accept", "application/json")
                    .hide(List.of(token.secret())));
        } catch (Unreachable e) { // the files lie elsewhere
            throw Unreachable.schedulerAlone(String.valueOf(e.getMessage()), e.remedy());
        }
        if (reply.status() == 401 || reply.status() == 403) {
            throw token.refused(service, rest.user(), "HTTP " + reply.status() + ", " + clause(reply.message()));
        }
        return reply;
    }

    /** The version in which the daemon is asked. */
    RestVersion version() throws BackendException {
        RestVersion known = version;
        if (known == null) {
            HttpReply reply =
                    exchange(HttpRequest.get("asking for its versions").path("openapi", "v3"));
            HttpReply told = reply.status() == NOT_FOUND
                    ? exchange(HttpRequest.get("asking for its versions").path("openapi"))
                    : reply;
            known = RestVersion.newest(service, told.orThrow().json());
            version = known;
        }
        return known;
    }

    @Override
    public void close() {
        http.close();
    }
}
