package io.jenkins.plugins.tao.jenkins.page;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kohsuke.stapler.StaplerRequest2;
import org.kohsuke.stapler.StaplerResponse2;

/** What a browser gets: status, headers, body. */
final class Answers implements StaplerResponse2 {
    private final Map<String, String> headers = new HashMap<>();
    private final StringWriter body = new StringWriter();
    private int status = 200;

    /** The answer to a browser that knows this tag; none where it is empty. */
    static Answers to(Page page, String knownTag) throws IOException {
        Answers answer = new Answers();
        page.answer(new Request(knownTag), answer);
        return answer;
    }

    int status() {
        return status;
    }

    String tag() {
        return headers.getOrDefault("ETag", "");
    }

    String body() {
        return body.toString();
    }

    @Override
    public void setHeader(String name, String value) {
        headers.put(name, value);
    }

    @Override
    public void setStatus(int sc) {
        status = sc;
    }

    @Override
    public void setContentType(String type) {
        headers.put("Content-Type", type);
    }

    @Override
    public void sendRedirect2(String url) {
        headers.put("Location", url);
    }

    @Override
    public PrintWriter getWriter() {
        return new PrintWriter(body, true) {
            @Override
            public void write(String text) {
                body.write(text);
            }
        };
    }

    /** What answers. */
    @FunctionalInterface
    interface Page {
        void answer(StaplerRequest2 request, StaplerResponse2 response) throws IOException;
    }

    /** What it asks with. */
    private record Request(String tag) implements StaplerRequest2 {
        @Override
        public String getParameter(String name) {
            return "";
        }

        @Override
        public String getHeader(String name) {
            return name.equals("If-None-Match") ? tag : "";
        }

        @Override
        public <T> List<T> bindJSONToList(Class<T> type, Object src) {
            return List.of();
        }
    }
}
