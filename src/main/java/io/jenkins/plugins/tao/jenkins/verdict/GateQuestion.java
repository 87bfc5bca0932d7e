package io.jenkins.plugins.tao.jenkins.verdict;

import io.jenkins.plugins.tao.gate.criteria.Effect;
import io.jenkins.plugins.tao.jenkins.page.GateAnswer;
import io.jenkins.plugins.tao.jenkins.page.GateAnswer.Figures;
import io.jenkins.plugins.tao.jenkins.page.TaoRunAction;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.job.text.Fingerprint;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One gate as a build asks it. The same gate of another job, with other options or of another step is another question.
 *
 * @param keys the gate, as docs/gates.md has it
 * @param step the step that asks, which has one id also after a restart; empty where no step does
 */
record GateQuestion(BuildScope scope, Map<String, String> keys, String step) {
    private static final int KEY_DIGITS = 16;
    /** What a title says of a gate already. */
    private static final Set<String> IN_TITLE = Set.of("kpi", "read", "atLeast", "atMost", "noWorseThan", "by");

    /**
     * Shows an answer on the page and to other plugins.
     *
     * @param title the question in words
     * @param training the training that was asked; empty for the only one of the build
     * @param run the id of the first run that was judged; empty for none
     * @param figures the numbers of the answer
     * @param event what other plugins get beside the title
     * @return the title, with an addition where another question of the build has it already
     */
    String show(String title, String training, String run, Figures figures, Map<String, String> event) {
        Map<String, String> options = new TreeMap<>(keys);
        String key = Fingerprint.of(options.toString(), KEY_DIGITS) + "/" + run + "/" + step;
        options.keySet().removeAll(IN_TITLE);
        String evidence = scope.mask().apply(event.getOrDefault("evidence", ""));
        String name = TaoRunAction.of(scope.run())
                .judged(
                        new GateAnswer(
                                title,
                                event.getOrDefault("answer", ""),
                                evidence,
                                training,
                                key,
                                Optional.ofNullable(event.get("effect")).map(Effect::valueOf),
                                figures),
                        options.entrySet().stream()
                                .map(option -> option.getKey() + " " + option.getValue())
                                .collect(Collectors.joining(", ")));
        event.put("gate", name);
        scope.judged(event.getOrDefault("kpi", keys.getOrDefault("kpi", "")), event);
        return name;
    }
}
