package io.jenkins.plugins.tao.jenkins.page;

import io.jenkins.plugins.tao.job.text.Fingerprint;
import java.io.IOException;
import org.kohsuke.stapler.StaplerRequest2;
import org.kohsuke.stapler.StaplerResponse2;

/** A JSON text and its tag. A browser that has it already gets 304, no body, and costs no more than comparing the tag. */
public final class TaggedJson {
    private static final int DIGITS = 20;
    private static final int NOT_MODIFIED = 304;

    private final String text;
    private final String tag;

    /** Answers with {@code text}. */
    public TaggedJson(String text) {
        this.text = text;
        tag = Fingerprint.of(text, DIGITS);
    }

    /** Sends it to a browser. */
    public void answer(StaplerRequest2 request, StaplerResponse2 response) throws IOException {
        response.setHeader("Cache-Control", "private, no-cache");
        response.setHeader("ETag", '"' + tag + '"');
        String known = request.getHeader("If-None-Match");
        if (known != null && known.contains(tag)) { // what compresses an answer may add to the tag
            response.setStatus(NOT_MODIFIED);
            return;
        }
        response.setContentType("application/json;charset=UTF-8");
        response.getWriter().write(text);
    }

    @Override
    public String toString() {
        return text;
    }
}
