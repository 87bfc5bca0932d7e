package io.jenkins.plugins.tao.cli.sweep;

import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** The exit code of a whole sweep: the worst of its cells. */
final class SweepExit {
    private static final List<ExitCode> FROM_WORST = List.of(
            ExitCode.FAULT,
            ExitCode.FAILED,
            ExitCode.NO_WORD,
            ExitCode.REFUSED,
            ExitCode.CANCELLED,
            ExitCode.GATE_FAILED,
            ExitCode.GATE_UNSTABLE,
            ExitCode.NO_VERDICT,
            ExitCode.SUCCEEDED);

    private SweepExit() {}

    static ExitCode of(Collection<Integer> codes) {
        return codes.stream().map(SweepExit::named).reduce(ExitCode.SUCCEEDED, SweepExit::worse);
    }

    private static ExitCode named(int number) {
        return Arrays.stream(ExitCode.values())
                .filter(code -> code.number() == number)
                .findFirst()
                .orElse(ExitCode.FAULT);
    }

    static ExitCode worse(ExitCode one, ExitCode other) {
        return FROM_WORST.indexOf(one) <= FROM_WORST.indexOf(other) ? one : other;
    }

    static boolean isGate(ExitCode code) {
        return code == ExitCode.GATE_FAILED || code == ExitCode.GATE_UNSTABLE;
    }
}
