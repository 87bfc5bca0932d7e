package io.jenkins.plugins.tao.jenkins.step;

import hudson.model.Run;
import io.jenkins.plugins.tao.gate.criteria.Blessed;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.verdict.BuildBless;
import io.jenkins.plugins.tao.jenkins.verdict.BuildGate;
import io.jenkins.plugins.tao.jenkins.verdict.RepositoryBaselines;
import java.io.IOException;
import java.util.List;
import org.jenkinsci.plugins.workflow.steps.StepContext;

/** One {@code taoBless} under way. */
final class BlessExecution extends VerdictExecution {
    private static final long serialVersionUID = 1L;

    private final String why;
    private final String name;
    private final String by;
    private final String job;
    private final String baselines;

    BlessExecution(StepContext context, BlessStep step) {
        super(context);
        why = step.getWhy();
        name = FormText.kept(step.getName());
        by = FormText.kept(step.getBy());
        job = FormText.kept(step.getJob());
        baselines = FormText.kept(step.getBaselines());
    }

    @Override
    List<String> work(Run<?, ?> run, BuildScope scope) throws IOException, InterruptedException {
        BuildBless bless = new BuildBless(run);
        String who = by.isEmpty() ? bless.starter() : by;
        List<Blessed> blessings = bless.blessings(new BuildBless.Asked(BuildGate.ids(job), name, who, why));
        if (baselines.isEmpty()) {
            bless.keep(blessings);
        } else {
            new RepositoryBaselines(workspace(), baselines).add(blessings);
        }
        blessings.forEach(blessed -> scope.say(blessed.record().id() + " is baseline '" + blessed.name()
                + "', blessed by " + blessed.by() + (baselines.isEmpty() ? "" : ", in " + baselines)));
        return blessings.stream().map(blessed -> blessed.record().id()).toList();
    }

    @Override
    public String getStatus() {
        return "blessing";
    }
}
