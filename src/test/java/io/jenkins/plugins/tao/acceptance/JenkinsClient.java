package io.jenkins.plugins.tao.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** What a test asks of a running Jenkins, over HTTP. */
final class JenkinsClient {
    private static final Duration ANSWER = Duration.ofMinutes(3);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI root;
    private final Path home;

    JenkinsClient(int port, Path home) {
        root = URI.create("http://127.0.0.1:" + port + "/");
        this.home = home;
    }

    /** The address of a page. */
    String address(String path) {
        return root.resolve(path).toString();
    }

    Path home() {
        return home;
    }

    /** Whether Jenkins has started, with all its plugins. */
    boolean isReady() {
        try {
            return send(HttpRequest.newBuilder(root.resolve("api/json"))).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /** The body of a page that must be there. */
    String get(String path) throws IOException {
        HttpResponse<String> reply = reply(path);
        assertThat(reply.statusCode()).as(path).isEqualTo(200);
        return reply.body();
    }

    /** The body of a page; empty where there is none. */
    String find(String path) throws IOException {
        HttpResponse<String> reply = reply(path);
        return reply.statusCode() == 404 ? "" : reply.body();
    }

    /** The status and the body of a page. */
    HttpResponse<String> reply(String path) throws IOException {
        return send(HttpRequest.newBuilder(root.resolve(path)));
    }

    /** Runs Groovy on the controller, and returns what it prints. */
    String groovy(String script) throws IOException {
        return post(
                "scriptText",
                "application/x-www-form-urlencoded",
                "script=" + URLEncoder.encode(script, StandardCharsets.UTF_8));
    }

    /** Makes {@code local} the one target, whose jobs are processes of this machine below {@code base}. */
    void target(Path base) throws IOException {
        targets("new io.jenkins.plugins.tao.jenkins.config.LocalTargetConfiguration('local', '" + base + "')");
    }

    /** Sets all targets, as Groovy makes them. */
    void targets(String expressions) throws IOException {
        groovy("io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration.get().targets = [" + expressions + "]");
    }

    /** Makes a sandboxed Pipeline job anew, and starts its first build. */
    Build start(String job, String script) throws IOException {
        String definition =
                "<flow-definition><definition class='org.jenkinsci.plugins.workflow.cps.CpsFlowDefinition'><script>"
                        + script.replace("&", "&amp;").replace("<", "&lt;")
                        + "</script><sandbox>true</sandbox></definition></flow-definition>";
        post("createItem?name=" + job, "application/xml", definition);
        post("job/" + job + "/build?delay=0sec", "text/plain", "");
        return new Build(this, job);
    }

    /** Sends the file of a plugin as the form does, whose second field is for an address in place of a file. */
    void upload(String path, Path file) throws IOException {
        byte[] head = ("--part\r\nContent-Disposition: form-data; name=\"name\"; filename=\"" + file.getFileName()
                        + "\"\r\nContent-Type: application/octet-stream\r\n\r\n")
                .getBytes(StandardCharsets.UTF_8);
        byte[] end = "\r\n--part\r\nContent-Disposition: form-data; name=\"pluginUrl\"\r\n\r\n\r\n--part--\r\n"
                .getBytes(StandardCharsets.UTF_8);
        post(
                path,
                "multipart/form-data; boundary=part",
                BodyPublishers.ofByteArrays(List.of(head, Files.readAllBytes(file), end)));
    }

    String post(String path, String type, String body) throws IOException {
        return post(path, type + ";charset=utf-8", BodyPublishers.ofString(body));
    }

    private String post(String path, String type, BodyPublisher body) throws IOException {
        HttpResponse<String> reply = send(HttpRequest.newBuilder(root.resolve(path))
                .header("Content-Type", type)
                .POST(body));
        assertThat(reply.statusCode()).as("%s: %s", path, reply.body()).isBetween(200, 399);
        return reply.body();
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
        try {
            return http.send(request.timeout(ANSWER).build(), BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
