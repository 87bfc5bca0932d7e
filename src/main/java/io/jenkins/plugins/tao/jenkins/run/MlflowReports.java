package io.jenkins.plugins.tao.jenkins.run;

import hudson.Extension;
import hudson.ExtensionList;
import hudson.model.PeriodicWork;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.config.MlflowConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.tracking.MlflowServer;
import io.jenkins.plugins.tao.tracking.Outbox;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import jenkins.model.Jenkins;

/**
 * Tells MLflow of the runs of all builds, if an administrator named a server. Builds only leave a file; runs that an outage or a restart
 * kept back are told later, every ten minutes.
 */
@Extension
public final class MlflowReports extends PeriodicWork {
    private static final Logger LOGGER = Logger.getLogger(MlflowReports.class.getName());
    private static final Duration EVERY = Duration.ofMinutes(10);
    /** One thread of few is busy for no longer. */
    private static final Duration AT_ONCE = Duration.ofMinutes(5);

    private volatile String complained = "";

    /** Keeps the run whose record lies in {@code folder}, and sees to it soon. */
    static void ended(Path folder) throws IOException {
        if (TaoGlobalConfiguration.get().getMlflow() != null) {
            outbox().add(folder, Optional.ofNullable(Jenkins.get().getRootUrl()));
            ExtensionList.lookupSingleton(MlflowReports.class).doRun();
        }
    }

    private static Outbox outbox() {
        return new Outbox(Jenkins.get().getRootDir().toPath().resolve("tao").resolve("mlflow"));
    }

    @Override
    public long getRecurrencePeriod() {
        return EVERY.toMillis();
    }

    @Override
    protected void doRun() {
        MlflowConfiguration configuration = TaoGlobalConfiguration.get().getMlflow();
        if (configuration != null && !outbox().isEmpty()) {
            TaoRuntime.calls().execute(() -> send(configuration));
        }
    }

    private void send(MlflowConfiguration configuration) {
        Instant now = TaoRuntime.ticker().now();
        try (MlflowServer server = configuration.server()) {
            Outbox.Sent sent =
                    outbox().send(server, now, () -> TaoRuntime.ticker().now().isBefore(now.plus(AT_ONCE)));
            sent.pages().forEach(page -> LOGGER.log(Level.FINE, "in MLflow: {0}", page));
            sent.news().ifPresent(LOGGER::warning);
        } catch (IOException | IllegalArgumentException e) {
            String what = "Runs cannot be logged to MLflow: " + e.getMessage();
            if (!complained.equals(what)) {
                LOGGER.warning(what);
            }
            complained = what;
        }
    }
}
