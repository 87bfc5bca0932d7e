package io.jenkins.plugins.tao.jenkins.page;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import hudson.model.ModelObject;
import hudson.model.Run;
import java.io.IOException;
import lombok.Getter;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.StaplerRequest2;
import org.kohsuke.stapler.StaplerResponse2;

/** {@code tao/compare?with=N}: the jobs of a build beside those of build N of the same Jenkins job; without N the last one before it. */
public final class ComparePage implements ModelObject {
    private static final int FARTHEST = 100;
    private static final String NUMBER = "\\d{1,9}";

    @Getter
    private final Run<?, ?> run;

    ComparePage(Run<?, ?> run) {
        this.run = run;
    }

    @Override
    public String getDisplayName() {
        return Messages.Compare_displayName(run.getDisplayName());
    }

    /** The comparison with the build of this number; null where there is no such build. */
    public @Nullable BuildComparison of(@Nullable String with) {
        Run<?, ?> other = other(with == null ? "" : with.strip());
        return other == null ? null : new BuildComparison(other, run);
    }

    /** Why there is nothing side by side; empty where there is. */
    public String emptyBecause(@Nullable String with) {
        BuildComparison comparison = of(with);
        String number = with == null ? "" : with.strip().replace("#", "");
        if (comparison == null) {
            return !number.isEmpty() ? Messages.Compare_noBuild(number) : Messages.Compare_noneBefore();
        }
        return comparison.emptyBecause();
    }

    private @Nullable Run<?, ?> other(String with) {
        if (!with.isEmpty()) {
            return with.matches("#?" + NUMBER)
                    ? run.getParent().getBuildByNumber(Integer.parseInt(with.replace("#", "")))
                    : null;
        }
        int number = run.getNumber();
        for (int i = number - 1; i > 0 && i >= number - FARTHEST; i--) {
            Run<?, ?> earlier = run.getParent().getBuildByNumber(i);
            if (earlier != null && !TaoRunAction.of(earlier).getJobs().isEmpty()) {
                return earlier;
            }
        }
        return null;
    }

    /** {@code compare/state?with=N}: the same as JSON, the curves with it. */
    public void doState(StaplerRequest2 request, StaplerResponse2 response) throws IOException {
        BuildComparison comparison = of(request.getParameter("with"));
        if (comparison == null) {
            response.setStatus(404);
            response.setContentType("application/json");
            response.getWriter()
                    .print(JsonNodeFactory.instance
                            .objectNode()
                            .put("error", emptyBecause(request.getParameter("with")))
                            .toString());
            return;
        }
        ObjectNode state = comparison.json();
        new TaggedJson(state.toString()).answer(request, response);
    }
}
