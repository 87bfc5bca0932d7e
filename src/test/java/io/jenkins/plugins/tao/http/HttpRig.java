package io.jenkins.plugins.tao.http;

import io.jenkins.plugins.tao.PlayedServer;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.net.InetAddress;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;

/** A service on this machine that answers what a test tells it, and the client under test. */
final class HttpRig implements AutoCloseable {
    static final String TOKEN = "tok-9f8e7d6c5b4a";

    final MockWebServer server = PlayedServer.create();
    final HttpApi api;

    HttpRig(HttpSettings settings) throws IOException {
        server.start(InetAddress.getLoopbackAddress(), 0);
        api = new HttpApi(
                "Service 'test'",
                server.url("/api/v2/").toString(),
                HttpCredential.bearer(
                        "credential 'key-1'", Secret.of(TOKEN + "\n"), "Make a new token, then store it."),
                settings);
    }

    /** As in real life, but for the longest answer: a machine under load may take seconds for any answer. */
    static HttpRig usual() throws IOException {
        return new HttpRig(HttpSettings.defaults().maxBytes(1 << 20));
    }

    HttpRig answers(MockResponse.Builder... replies) {
        for (MockResponse.Builder reply : replies) {
            server.enqueue(reply.build());
        }
        return this;
    }

    static MockResponse.Builder json(int status, String body) {
        return new MockResponse.Builder()
                .code(status)
                .setHeader("Content-Type", "application/json")
                .body(body);
    }

    @Override
    public void close() {
        api.close();
        server.close();
    }
}
