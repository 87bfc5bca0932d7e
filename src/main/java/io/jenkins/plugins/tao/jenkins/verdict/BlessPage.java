package io.jenkins.plugins.tao.jenkins.verdict;

import hudson.model.Action;
import hudson.model.Failure;
import hudson.model.Run;
import hudson.model.User;
import io.jenkins.plugins.tao.gate.criteria.Blessed;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.run.JobHistory;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import lombok.Getter;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.HttpRedirect;
import org.kohsuke.stapler.HttpResponse;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.interceptor.RequirePOST;

/** Page of a build where a user with the permission Run/Update calls its runs good: who, when, why. */
public final class BlessPage implements Action {
    /** The build. */
    @Getter
    private final Run<?, ?> run;

    BlessPage(Run<?, ?> run) {
        this.run = run;
    }

    /** What was blessed of this job, the newest first, for people. */
    public List<String> getBlessings() throws IOException {
        List<String> lines = new java.util.ArrayList<>();
        for (Blessed blessed : JobHistory.baselines(run.getParent()).read().all()) {
            lines.add(
                    0,
                    blessed.name() + ": " + blessed.record().label() + " ("
                            + blessed.record().id() + "), by " + blessed.by() + " at " + blessed.at() + ": "
                            + blessed.why());
        }
        return lines;
    }

    /** Blesses the runs of the build, or one of them. */
    @RequirePOST
    public HttpResponse doBless(
            @QueryParameter @Nullable String name,
            @QueryParameter @Nullable String why,
            @QueryParameter @Nullable String id)
            throws IOException {
        run.checkPermission(Run.UPDATE);
        try {
            String by = Optional.ofNullable(User.current())
                    .map(User::getDisplayName)
                    .orElse("someone without a name");
            BuildBless bless = new BuildBless(run);
            bless.keep(bless.blessings(new BuildBless.Asked(
                    FormText.kept(id).lines().toList(), FormText.kept(name), by, FormText.kept(why))));
        } catch (IllegalArgumentException e) {
            throw new Failure(String.valueOf(e.getMessage()));
        }
        return new HttpRedirect(".");
    }

    /** The link is shown to those who may bless. */
    @Override
    public @Nullable String getIconFileName() {
        return run.hasPermission(Run.UPDATE) ? "symbol-ribbon" : null;
    }

    @Override
    public String getDisplayName() {
        return "Bless this build";
    }

    @Override
    public String getUrlName() {
        return "tao-bless";
    }
}
