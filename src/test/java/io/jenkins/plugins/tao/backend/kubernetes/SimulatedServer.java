package io.jenkins.plugins.tao.backend.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.okhttp.OkHttpClientFactory;
import io.fabric8.kubernetes.client.server.mock.KubernetesAttributesExtractor;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.dsl.HttpMethod;
import io.fabric8.mockwebserver.http.Buffer;
import io.fabric8.mockwebserver.http.Headers;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.jenkins.plugins.tao.TestPatience;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URLDecoder;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An API server: fabric8's own in its storing mode, and around it what that leaves out — credentials, permissions,
 * foreground deletion, logs, the {@code Date} of answers, and faults on request.
 */
public final class SimulatedServer extends KubernetesCrudDispatcher implements AutoCloseable {
    static final String TOKEN = "good-token";
    private static final Logger CHATTER = Logger.getLogger(MockWebServer.class.getName());
    /** It says with each request which selectors it ignores. */
    private static final Logger SELECTORS = Logger.getLogger(KubernetesAttributesExtractor.class.getName());

    private static final JsonMapper JSON = new JsonMapper();
    private static final Pattern SET = Pattern.compile(
            "(?:,|%2C)tao-run\\.jenkins\\.io(?:/|%2F)job(?:%20|\\+)in(?:%20|\\+)(?:\\(|%28)([^)&]*?)(?:\\)|%29)");
    private static final Pattern FIELD = Pattern.compile("fieldSelector=involvedObject\\.name(?:=|%3D)([^&]*)&?");
    private static final Pattern MARK = Pattern.compile("continue=part-(\\d+)");
    private static final String ADMIN = "Bearer admin";
    private static final Pattern LOG = Pattern.compile("/api/v1/namespaces/([^/]+)/pods/([^/]+)/log(\\?.*)?");
    private static final Pattern EXEC = Pattern.compile("/api/v1/namespaces/([^/]+)/pods/([^/]+)/exec\\?.*");
    private static final Pattern JOB = Pattern.compile("/apis/batch/v1/namespaces/([^/]+)/jobs/([^/?]+)(\\?.*)?");

    /** Answers the log of a pod. */
    interface Logs {
        MockResponse log(String namespace, String pod, Map<String, String> query);
    }

    private record Fault(Predicate<RecordedRequest> when, MockResponse answer, boolean carriedOut) {}

    private final String minor;
    private final KubernetesMockServer server;
    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
    private final List<Fault> faults = Collections.synchronizedList(new ArrayList<>());
    private final Set<String> denied = ConcurrentHashMap.newKeySet();
    private final KubernetesClient admin;
    private volatile Logs logs = (namespace, pod, query) -> status(404, "NotFound", "pods \"" + pod + "\" not found");
    private volatile long aheadSeconds;
    private volatile Optional<String> warning = Optional.empty();
    private volatile Optional<Set<String>> permitted = Optional.empty();
    private volatile String token = TOKEN;
    private volatile SimulatedExec.Cut cut = SimulatedExec.Cut.NEVER;
    private volatile int chunk = Integer.MAX_VALUE;

    SimulatedServer(String minor) {
        CHATTER.setLevel(Level.WARNING);
        SELECTORS.setLevel(Level.SEVERE);
        this.minor = minor;
        server = new KubernetesMockServer(new Context(), new MockWebServer(), new HashMap<>(), this, false);
        server.init(InetAddress.getLoopbackAddress(), 0);
        Config config = Config.empty(); // a second "create" would find what the first one made: it asks once
        config.setMasterUrl(address());
        config.setOauthToken("admin");
        config.setRequestTimeout((int) TestPatience.LONGEST.toMillis());
        config.setRequestRetryBackoffLimit(0);
        admin = new KubernetesClientBuilder()
                .withHttpClientFactory(new OkHttpClientFactory())
                .withConfig(config)
                .withKubernetesSerialization(KubernetesText.FORM)
                .build();
    }

    String address() {
        return "http://127.0.0.1:" + server.getPort();
    }

    KubernetesClient admin() {
        return admin;
    }

    void logs(Logs answers) {
        logs = answers;
    }

    /** Lets the server's clock run ahead of this machine's. */
    public void ahead(long seconds) {
        aheadSeconds = seconds;
    }

    Instant now() {
        return Instant.now().plusSeconds(aheadSeconds);
    }

    /** Loses the connection of programs in pods after so many bytes. */
    public void cutAfter(long bytes) {
        cutAfter(bytes, () -> {});
    }

    /** The same, and lets something happen then. */
    public void cutAfter(long bytes, Runnable then) {
        cut = new SimulatedExec.Cut(bytes, then);
    }

    /** Takes away one permission: {@code verb group/resource/subresource}. */
    public void deny(String permission) {
        denied.add(permission);
    }

    /** Gives it back. */
    public void allow(String permission) {
        denied.remove(permission);
    }

    /** Takes this token from now on and no other. */
    void takeOnly(String accepted) {
        token = accepted;
    }

    /** Gives lists in parts of so many items, as servers and proxies may. */
    void chunk(int items) {
        chunk = items;
    }

    /** Permits these and nothing else. */
    public void permitOnly(Set<String> permissions) {
        permitted = Optional.of(Set.copyOf(permissions));
    }

    private boolean isDenied(String permission) {
        return denied.contains(permission)
                || permitted.map(all -> !all.contains(permission)).orElse(false);
    }

    /** Answers the next matching request with {@code code}; {@code carriedOut} loses only the answer. */
    public void fault(Predicate<RecordedRequest> when, MockResponse answer, boolean carriedOut) {
        faults.add(new Fault(when, answer, carriedOut));
    }

    /** Drops the faults that no request has met. */
    void forgetFaults() {
        faults.clear();
    }

    public void faultOnce(String method, String path, int code) {
        fault(
                request ->
                        request.getMethod().equals(method) && request.getPath().contains(path),
                status(code, "Fault", "made by the test"),
                false);
    }

    /** Requests of the backend since the last call, as {@code METHOD path}. */
    public List<String> requests() {
        List<String> all = List.copyOf(requests);
        requests.clear();
        return all;
    }

    public static MockResponse status(int code, String reason, String message) {
        return new MockResponse()
                .setResponseCode(code)
                .setHeader("Content-Type", "application/json")
                .setBody("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\""
                        + message.replace("\"", "\\\"") + "\",\"reason\":\"" + reason + "\",\"code\":" + code + "}");
    }

    /** A pod out of the store itself: an answer must not ask over the network what this server is to answer. */
    Optional<Pod> pod(String namespace, String name) {
        MockResponse found = handleGet("/api/v1/namespaces/" + namespace + "/pods/" + name);
        return found.code() == 200
                ? Optional.of(
                        KubernetesText.FORM.unmarshal(new String(found.getBody().getBytes(), UTF_8), Pod.class))
                : Optional.empty();
    }

    @Override
    public MockResponse dispatch(RecordedRequest request) {
        MockResponse answer =
                ADMIN.equals(request.getHeader("Authorization")) ? super.dispatch(request) : guarded(request);
        return answer.setHeader("Date", DateTimeFormatter.RFC_1123_DATE_TIME.format(now().atOffset(ZoneOffset.UTC)));
    }

    private MockResponse guarded(RecordedRequest request) {
        requests.add(request.getMethod() + " " + URLDecoder.decode(request.getPath(), UTF_8));
        Optional<Fault> fault;
        synchronized (faults) {
            fault = faults.stream().filter(each -> each.when().test(request)).findFirst();
            fault.ifPresent(faults::remove);
        }
        if (fault.isPresent()) {
            if (fault.get().carriedOut()) {
                permitted(request);
            }
            return fault.get().answer();
        }
        if (request.getPath().startsWith("/version")) { // which answers without any credential
            return new MockResponse()
                    .setResponseCode(200)
                    .setHeader("Content-Type", "application/json")
                    .setBody("{\"major\":\"1\",\"minor\":\"" + minor + "\",\"gitVersion\":\"v1." + minor + ".0\"}");
        }
        if (!("Bearer " + token).equals(request.getHeader("Authorization"))) {
            return status(401, "Unauthorized", "Unauthorized");
        }
        return permitted(request);
    }

    private MockResponse permitted(RecordedRequest request) {
        if (request.getPath().contains("selfsubjectaccessreviews")) {
            return review(request.getUtf8Body());
        }
        String permission = Permissions.of(request.getMethod(), request.getPath());
        if (request.getPath().contains("watch=true")) {
            permission = permission.replaceFirst("^list", "watch");
        }
        if (isDenied(permission)) {
            return status(
                    403,
                    "Forbidden",
                    permission + " is forbidden: User \"system:serviceaccount:tao-jobs:jenkins-tao\"");
        }
        Matcher log = LOG.matcher(request.getPath());
        if (log.matches()) {
            return logs.log(log.group(1), log.group(2), query(log.group(3)));
        }
        Matcher exec = EXEC.matcher(request.getPath());
        if (exec.matches()) {
            return pod(exec.group(1), exec.group(2)).isPresent()
                    ? SimulatedExec.answer(request.getPath(), cut)
                    : status(404, "NotFound", "pods \"" + exec.group(2) + "\" not found");
        }
        return changed(request, permission);
    }

    private MockResponse changed(RecordedRequest request, String permission) {
        Matcher job = JOB.matcher(request.getPath());
        if (request.getMethod().equals("DELETE") && job.matches()) {
            return foreground(job.group(1), job.group(2), request);
        }
        Optional<MockResponse> made = SimulatedJobs.made(request, Integer.parseInt(minor), super::dispatch);
        if (made.isPresent()) {
            return made.get();
        }
        if (request.getPath().contains("dryRun=All")) {
            return dryRun(request);
        }
        boolean chosen = SET.matcher(request.getPath()).find()
                || FIELD.matcher(request.getPath()).find();
        return permission.startsWith("list ") && (chosen || chunk < Integer.MAX_VALUE)
                ? part(request)
                : super.dispatch(request);
    }

    private static boolean isChosen(JsonNode item, Set<String> names, String about) {
        String name =
                item.path("metadata").path("labels").path(KubernetesNames.JOB).asText();
        String object = item.path("involvedObject").path("name").asText();
        return (names.isEmpty() || names.contains(name)) && (about.isEmpty() || about.equals(object));
    }

    /** What the store leaves out of lists: selectors of sets and fields, and parts with the mark where the next begins. */
    private MockResponse part(RecordedRequest request) {
        String path = request.getPath();
        Matcher mark = MARK.matcher(path);
        int from = mark.find() ? Integer.parseInt(mark.group(1)) : 0;
        Matcher set = SET.matcher(path);
        Set<String> names =
                set.find() ? Set.of(URLDecoder.decode(set.group(1), UTF_8).split(",")) : Set.of();
        Matcher field = FIELD.matcher(path);
        String about = field.find() ? field.group(1) : "";
        String whole = path.replaceAll(SET.pattern(), "")
                .replaceAll(FIELD.pattern(), "")
                .replaceAll("&?continue=part-\\d+", "")
                .replace("?&", "?")
                .replaceAll("\\?$", "");
        MockResponse answer = super.dispatch(new RecordedRequest(
                "HTTP/1.1", HttpMethod.GET, whole, Headers.builder().build(), new Buffer()));
        try {
            ObjectNode list = (ObjectNode) JSON.readTree(answer.getBody().getBytes());
            List<JsonNode> items = new ArrayList<>();
            list.withArray("items").forEach(item -> {
                if (isChosen(item, names, about)) {
                    items.add(item);
                }
            });
            int to = chunk < items.size() - from ? from + chunk : items.size();
            ArrayNode some = JSON.createArrayNode().addAll(items.subList(from, to));
            if (to < items.size()) {
                list.withObject("metadata").put("continue", "part-" + to);
            }
            list.set("items", some);
            return new MockResponse()
                    .setResponseCode(200)
                    .setHeader("Content-Type", "application/json")
                    .setBody(list.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Checked and not stored. */
    private MockResponse dryRun(RecordedRequest request) {
        MockResponse answer = new MockResponse()
                .setResponseCode(201)
                .setHeader("Content-Type", "application/json")
                .setBody(request.getUtf8Body());
        return warning.map(text -> answer.addHeader("Warning", "299 - \"" + text.replace("\"", "\\\"") + "\""))
                .orElse(answer);
    }

    /** Warns of each object that is tried out. */
    void warn(String text) {
        warning = Optional.of(text);
    }

    private MockResponse review(String body) {
        var attributes = KubernetesText.FORM
                .unmarshal(body, io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview.class)
                .getSpec()
                .getResourceAttributes();
        String group = attributes.getGroup() == null ? "" : attributes.getGroup();
        String sub = attributes.getSubresource() == null ? "" : "/" + attributes.getSubresource();
        boolean allowed = !isDenied(attributes.getVerb() + " " + group + "/" + attributes.getResource() + sub);
        return new MockResponse()
                .setResponseCode(201)
                .setHeader("Content-Type", "application/json")
                .setBody("{\"kind\":\"SelfSubjectAccessReview\",\"apiVersion\":\"authorization.k8s.io/v1\",\"spec\":{},"
                        + "\"status\":{\"allowed\":" + allowed + "}}");
    }

    /** Without a policy the pods of a Job are orphaned; in the foreground it stays until they are gone. */
    private MockResponse foreground(String namespace, String name, RecordedRequest request) {
        String path = "/apis/batch/v1/namespaces/" + namespace + "/jobs/" + name;
        if (handleGet(path).code() == 404) {
            return status(404, "NotFound", "jobs.batch \"" + name + "\" not found");
        }
        boolean foreground = request.getUtf8Body().contains("Foreground")
                || request.getPath().contains("Foreground");
        if (!foreground) {
            return super.dispatch(request);
        }
        Buffer patch = new Buffer("{\"metadata\":{\"finalizers\":[\"foregroundDeletion\"]}}".getBytes(UTF_8));
        Headers merge = Headers.builder()
                .add("Content-Type", "application/merge-patch+json")
                .build();
        super.dispatch(new RecordedRequest("HTTP/1.1", HttpMethod.PATCH, path, merge, patch));
        return super.dispatch(request);
    }

    private static Map<String, String> query(String text) {
        Map<String, String> query = new HashMap<>();
        if (text != null) {
            for (String pair : text.substring(1).split("&", -1)) {
                int equals = pair.indexOf('=');
                query.put(pair.substring(0, equals), URLDecoder.decode(pair.substring(equals + 1), UTF_8));
            }
        }
        return query;
    }

    @Override
    public void close() {
        admin.close();
        server.destroy();
    }
}
