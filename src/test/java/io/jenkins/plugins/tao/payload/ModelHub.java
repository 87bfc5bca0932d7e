package io.jenkins.plugins.tao.payload;

import io.jenkins.plugins.tao.PlayedServer;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;

/** A hub of models on loopback that keeps what it was asked and knows one token. */
public final class ModelHub implements AutoCloseable {
    /** Whom the hub knows. */
    public static final String TOKEN = "hf_test_only";

    private final MockWebServer server = PlayedServer.create();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    /** One request: for what, and with which header Authorization, {@code null} as a word without one. */
    public record Asked(String path, String authorization) {
        /** Whether it came with {@link #TOKEN}. */
        public boolean isKnown() {
            return authorization.equals("Bearer " + TOKEN);
        }
    }

    /** Answers from now on. */
    public ModelHub(Function<Asked, MockResponse.Builder> answers) throws IOException {
        server.setDispatcher(new Dispatcher() {
            @Override
            public MockResponse dispatch(RecordedRequest request) {
                String authorization = String.valueOf(request.getHeaders().get("Authorization"));
                requests.add(request.getTarget() + " " + authorization);
                return answers.apply(new Asked(request.getTarget(), authorization))
                        .build();
            }
        });
        server.start(InetAddress.getLoopbackAddress(), 0);
    }

    /** Of the machine, without a slash at the end. */
    public String address() {
        return "http://127.0.0.1:" + port();
    }

    int port() {
        return server.getPort();
    }

    /** Path and header Authorization of each request, with a space between them. */
    public List<String> requests() {
        return requests;
    }

    @Override
    public void close() {
        server.close();
    }
}
