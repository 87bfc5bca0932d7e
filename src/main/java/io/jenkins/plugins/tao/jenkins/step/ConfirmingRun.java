package io.jenkins.plugins.tao.jenkins.step;

import io.jenkins.plugins.tao.gate.Confirmation;
import io.jenkins.plugins.tao.gate.criteria.SeedPlace;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.run.Confirming;
import io.jenkins.plugins.tao.jenkins.run.JobRequest;
import java.util.LinkedHashMap;
import java.util.Map;

/** Makes the request for a job once more, with another seed on another node, in a results directory of its own. Pure. */
final class ConfirmingRun {
    private ConfirmingRun() {}

    /**
     * The step for it.
     *
     * @param beside the label of the last good run, where {@code before} is its request; else empty
     */
    static RunStep of(JobRequest before, Confirmation confirmation, SeedPlace place, String beside) {
        RunStep next = new RunStep(before.getTarget(), before.getCommand());
        new RetryStep("").repeat(before, next);
        next.confirms(new Confirming(confirmation, beside));
        next.setResultsDir(""); // of its own: in the directory of the first it would go on from its checkpoints
        next.tellOrigin(before.originFacts());
        long seed = confirmation.seed();
        switch (place.kind()) {
            case ENV -> next.setEnv(changed("env", next.getEnv(), place.name(), Long.toString(seed)));
            case ARGS -> next.setArgs(changed("args", next.getArgs(), place.name(), seed));
            case SPEC -> next.setSet(changed("set", next.getSet(), place.name(), seed));
        }
        return next;
    }

    private static String changed(String field, String text, String name, Object value) {
        Map<String, Object> map = new LinkedHashMap<>(FormText.map(field, text));
        map.put(name, value);
        return FormText.yaml(map);
    }
}
