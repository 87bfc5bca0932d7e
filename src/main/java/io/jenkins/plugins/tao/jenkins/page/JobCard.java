package io.jenkins.plugins.tao.jenkins.page;

import io.jenkins.plugins.tao.report.FailureCard;
import java.util.Optional;
import lombok.AccessLevel;
import lombok.Getter;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

/** Why a job failed, as its pages show it: its id, the text of the log and of the artifact, its parts, the last lines of its log. */
@Getter
@RequiredArgsConstructor(access = AccessLevel.PACKAGE)
public final class JobCard {
    private final String id;
    private final String text;
    private final Optional<FailureCard> parts;
    private final String tail;

    /** The text in its parts; null where no record can be read. */
    public @Nullable FailureCard getParts() {
        return parts.orElse(null);
    }
}
