package io.jenkins.plugins.tao.jenkins.step;

import hudson.model.Run;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.verdict.BuildDigest;
import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.report.Digest;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.jenkinsci.plugins.workflow.steps.StepContext;

/** One {@code taoDigest} under way. */
final class DigestExecution extends VerdictExecution {
    private static final long serialVersionUID = 1L;

    private final String within;
    private final String format;

    DigestExecution(StepContext context, String within, String format) {
        super(context);
        this.within = within;
        this.format = format;
    }

    @Override
    String work(Run<?, ?> run, BuildScope scope) throws IOException, InterruptedException {
        BuildDigest maker = new BuildDigest(run);
        Optional<Duration> time = Durations.parse(within);
        Digest digest =
                time.isPresent() ? maker.ofFolder(time.get(), Clock.systemUTC().instant()) : maker.ofBuild();
        maker.archive(scope, digest);
        digest.text().lines().forEach(scope::say);
        return switch (format) {
            case "markdown" -> digest.markdown();
            case "html" -> digest.html();
            default -> digest.text();
        };
    }

    @Override
    public String getStatus() {
        return "digesting";
    }
}
