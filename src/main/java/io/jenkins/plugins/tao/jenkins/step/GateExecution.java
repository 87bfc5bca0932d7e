package io.jenkins.plugins.tao.jenkins.step;

import hudson.AbortException;
import hudson.model.Result;
import hudson.model.Run;
import io.jenkins.plugins.tao.gate.Effect;
import io.jenkins.plugins.tao.history.Baselines;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.verdict.BuildGate;
import io.jenkins.plugins.tao.jenkins.verdict.RepositoryBaselines;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jspecify.annotations.Nullable;

/** One {@code taoGate} under way: it reads records alone, so that after a restart it gives the same answer again. */
final class GateExecution extends VerdictExecution {
    private static final long serialVersionUID = 1L;

    private final LinkedHashMap<String, String> keys;
    private final String job;
    private final @Nullable String baselines; // absent in Pipelines that an older version saved

    GateExecution(StepContext context, Map<String, String> keys, String job, String baselines) {
        super(context);
        this.keys = new LinkedHashMap<>(keys);
        this.job = job;
        this.baselines = baselines;
    }

    @Override
    Map<String, String> work(Run<?, ?> run, BuildScope scope) throws IOException, InterruptedException {
        Optional<Baselines.Known> own = baselines == null || baselines.isBlank()
                ? Optional.empty()
                : Optional.of(new RepositoryBaselines(workspace(), baselines.strip()).read());
        BuildGate.Answer answer = BuildGate.judge(scope, keys, job, own);
        scope.judged(String.valueOf(keys.get("kpi")), answer.toMap());
        if (answer.effect() == Effect.FAILURE) {
            throw new AbortException(answer.sentence());
        }
        if (answer.effect() == Effect.UNSTABLE) {
            run.setResult(Result.UNSTABLE);
        }
        return answer.toMap();
    }

    @Override
    public String getStatus() {
        return "judging " + keys.get("kpi");
    }
}
