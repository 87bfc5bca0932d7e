package io.jenkins.plugins.tao.jenkins.page;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Answers of gates as tests need them. */
public final class AnAnswer {
    private AnAnswer() {}

    /** One without numbers. */
    public static GateAnswer of(String gate, String answer, String training, String key) {
        return new GateAnswer(gate, answer, "", training, key, Optional.empty(), GateAnswer.Figures.NONE);
    }

    /** One whose value of {@code metric} must not be worse than {@code limit}. */
    static GateAnswer limited(String gate, String training, String metric, double limit) {
        OptionalDouble none = OptionalDouble.empty();
        return new GateAnswer(
                gate,
                "regression",
                "",
                training,
                gate,
                Optional.empty(),
                new GateAnswer.Figures(metric, none, none, OptionalDouble.of(limit), "", "", List.of()));
    }
}
