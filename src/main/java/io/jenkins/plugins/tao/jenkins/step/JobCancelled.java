package io.jenkins.plugins.tao.jenkins.step;

import java.util.stream.Collectors;
import jenkins.model.CauseOfInterruption;
import lombok.RequiredArgsConstructor;
import org.jenkinsci.plugins.workflow.steps.FlowInterruptedException;

/** Why a build was interrupted: someone cancelled the job it waited for. */
@RequiredArgsConstructor
final class JobCancelled extends CauseOfInterruption {
    private static final long serialVersionUID = 1L;

    private final String what;

    /** Who interrupted a step, for {@code cancelled by …}: {@code anna} where Jenkins says {@code Aborted by anna}. */
    static String by(Throwable interruption) {
        String causes = interruption instanceof FlowInterruptedException interrupted
                ? interrupted.getCauses().stream()
                        .map(CauseOfInterruption::getShortDescription)
                        .collect(Collectors.joining("; "))
                : "";
        return causes.isBlank() ? "an abort of the build" : causes.replaceFirst("^Aborted by ", "");
    }

    @Override
    public String getShortDescription() {
        return what;
    }
}
