package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.job.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import lombok.AccessLevel;
import lombok.Getter;
import lombok.RequiredArgsConstructor;

/** How the last search of one target for orphans went. Never changed. */
@RequiredArgsConstructor(access = AccessLevel.PACKAGE)
public final class TargetSearch {
    @Getter
    private final String target;

    @Getter
    private final Instant at;

    private final String problem;
    private final List<String> gaps;

    /** {@code 12s ago}. */
    public String getAge() {
        return Durations.words(Duration.between(at, TaoRuntime.ticker().now())) + " ago";
    }

    /** Whether all was read: only then does it show that there are no others. */
    public boolean isComplete() {
        return problem.isEmpty() && gaps.isEmpty();
    }

    /** What is not known, and why; empty when all is. */
    public String getUnknown() {
        return problem.isEmpty() ? String.join(" ", gaps) : problem;
    }
}
