package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.job.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import lombok.Getter;

/** How the last search of one target for orphans went. Never changed. */
public final class TargetSearch {
    @Getter
    private final String target;

    @Getter
    private final Instant at;

    private final String problem;
    private final List<String> gaps;

    TargetSearch(String target, Instant at, String problem, List<String> gaps) {
        this.target = target;
        this.at = at;
        this.problem = problem;
        this.gaps = List.copyOf(gaps);
    }

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
