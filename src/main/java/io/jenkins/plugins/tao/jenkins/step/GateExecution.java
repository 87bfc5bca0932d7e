package io.jenkins.plugins.tao.jenkins.step;

import hudson.model.Result;
import hudson.model.Run;
import io.jenkins.plugins.tao.gate.Confirmation;
import io.jenkins.plugins.tao.gate.criteria.Effect;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import io.jenkins.plugins.tao.history.Baselines;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.verdict.BuildGate;
import io.jenkins.plugins.tao.jenkins.verdict.RepositoryBaselines;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jenkinsci.plugins.workflow.graph.FlowNode;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jspecify.annotations.Nullable;

/** One {@code taoGate} under way: it reads records alone, so that after a restart it gives the same answer again. */
final class GateExecution extends VerdictExecution {
    private static final long serialVersionUID = 1L;

    private static final Set<String> GOOD = Arrays.stream(GateResult.values())
            .filter(GateResult::good)
            .map(GateResult::words)
            .collect(Collectors.toSet());

    private final LinkedHashMap<String, String> keys;
    private final String job;
    private final @Nullable String baselines; // absent in Pipelines that an older version saved

    GateExecution(StepContext context, Map<String, String> keys, String job, String baselines) {
        super(context);
        this.keys = new LinkedHashMap<>(keys);
        this.job = job;
        this.baselines = baselines;
    }

    /** The run that would settle a suspect night; empty when nothing is to be settled. Changes nothing. */
    Optional<Confirmation> confirmation(BuildScope scope) throws IOException, InterruptedException {
        return BuildGate.confirmation(scope, keys, job, own());
    }

    private Optional<Baselines.Known> own() throws IOException, InterruptedException {
        return baselines == null || baselines.isBlank()
                ? Optional.empty()
                : Optional.of(new RepositoryBaselines(workspace(), baselines.strip()).read());
    }

    @Override
    Map<String, String> work(Run<?, ?> run, BuildScope scope) throws IOException, InterruptedException {
        BuildGate.Answer answer = BuildGate.judge(scope, keys, job, own(), stepId());
        if (getContext().get(BisectJudge.class) != null) {
            return judged(answer);
        }
        if (answer.effect() == Effect.FAILURE) {
            throw new GateFailed(answer.sentence(), true);
        }
        if (answer.effect() == Effect.UNSTABLE) {
            run.setResult(Result.UNSTABLE);
        }
        return answer.toMap();
    }

    /** Tells two equal gates of one build apart; empty where the graph of the Pipeline cannot be read. */
    private String stepId() throws InterruptedException {
        try {
            FlowNode node = getContext().get(FlowNode.class);
            return node == null ? "" : node.getId();
        } catch (IOException e) {
            return "";
        }
    }

    /** In a search the result of the build is not at stake: the block ends with what the gate says of its commit. */
    private static Map<String, String> judged(BuildGate.Answer answer) throws GateFailed {
        if (answer.effect() != Effect.NOTE) {
            throw new GateFailed(answer.sentence(), true);
        }
        if (!GOOD.contains(answer.answer())) {
            throw new GateFailed(answer.sentence(), false);
        }
        return answer.toMap();
    }

    @Override
    public String getStatus() {
        return "judging " + keys.get("kpi");
    }
}
