package io.jenkins.plugins.tao.jenkins.page;

import io.jenkins.plugins.tao.report.FailureCard;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Why a job failed, as its pages show it. Never changed. */
public final class JobCard {
    private final String id;
    private final String text;
    private final Optional<FailureCard> parts;
    private final String tail;

    JobCard(String id, String text, Optional<FailureCard> parts, String tail) {
        this.id = id;
        this.text = text;
        this.parts = parts;
        this.tail = tail;
    }

    /** Of the job. */
    public String getId() {
        return id;
    }

    /** The text of the log and of the artifact. */
    public String getText() {
        return text;
    }

    /** The same in its parts; null where no record can be read. */
    public @Nullable FailureCard getParts() {
        return parts.orElse(null);
    }

    /** The last lines of the log; empty where none were kept. */
    public String getTail() {
        return tail;
    }
}
