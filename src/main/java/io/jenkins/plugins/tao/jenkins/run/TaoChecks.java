package io.jenkins.plugins.tao.jenkins.run;

import hudson.Extension;
import hudson.model.TaskListener;
import io.jenkins.plugins.checks.api.ChecksConclusion;
import io.jenkins.plugins.checks.api.ChecksDetails;
import io.jenkins.plugins.checks.api.ChecksOutput;
import io.jenkins.plugins.checks.api.ChecksPublisherFactory;
import io.jenkins.plugins.checks.api.ChecksStatus;

/** Publishes a check for each job and each gate, where the Checks API plugin and one for a code host are installed. */
@Extension(optional = true)
public final class TaoChecks extends TaoListener {
    @Override
    public void on(TaoEvent event) {
        ChecksDetails details = new ChecksDetails.ChecksDetailsBuilder()
                .withName(CheckText.name(event))
                .withStatus(status(event))
                .withConclusion(conclusion(event))
                .withOutput(new ChecksOutput.ChecksOutputBuilder()
                        .withTitle(CheckText.title(event))
                        .withSummary(CheckText.summary(event))
                        .build())
                .build();
        // where no code host is connected, the plugin would say so in the build log at each event
        ChecksPublisherFactory.fromRun(event.run(), TaskListener.NULL).publish(details);
    }

    /** Public, so that Jenkins finds out when it looks for extensions whether the plugin of this type is there. */
    public static ChecksStatus status(TaoEvent event) {
        return switch (event.kind()) {
            case SUBMITTED, NEW_ATTEMPT -> ChecksStatus.QUEUED;
            case RUNNING -> ChecksStatus.IN_PROGRESS;
            case ENDED, GATE -> ChecksStatus.COMPLETED;
        };
    }

    private static ChecksConclusion conclusion(TaoEvent event) {
        if (event.kind() == TaoEvent.Kind.GATE) {
            return switch (String.valueOf(event.gate().get("effect"))) {
                case "FAILURE" -> ChecksConclusion.FAILURE;
                case "UNSTABLE" -> ChecksConclusion.NEUTRAL;
                default -> ChecksConclusion.SUCCESS;
            };
        }
        return event.result()
                .map(result -> switch (result.getStatus()) {
                    case "SUCCESS" -> ChecksConclusion.SUCCESS;
                    case "ABORTED" -> ChecksConclusion.CANCELED;
                    case "LOST" -> ChecksConclusion.NEUTRAL;
                    default ->
                        result.getCause().equals("TIME_LIMIT") ? ChecksConclusion.TIME_OUT : ChecksConclusion.FAILURE;
                })
                .orElse(ChecksConclusion.NONE);
    }
}
