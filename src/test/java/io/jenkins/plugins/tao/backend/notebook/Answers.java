package io.jenkins.plugins.tao.backend.notebook;

import mockwebserver3.MockResponse;

/** Answers as Kaggle gives them, and as the way to it gives them sometimes. */
final class Answers {
    private Answers() {}

    static MockResponse json(int status, String body) {
        return new MockResponse.Builder()
                .code(status)
                .setHeader("Content-Type", "application/json")
                .setHeader("Date", "Sat, 21 Nov 2026 12:00:00 GMT")
                .body(body)
                .build();
    }

    static MockResponse html() {
        return new MockResponse.Builder()
                .setHeader("Content-Type", "text/html")
                .body("<html><title>Checking your browser</title></html>")
                .build();
    }

    static MockResponse error(int status, String message) {
        return json(status, "{\"error\":{\"code\":" + status + ",\"message\":\"" + message + "\"}}");
    }
}
