package io.jenkins.plugins.tao.backend.notebook;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.dispatch.Dispatcher;
import io.jenkins.plugins.tao.dispatch.SubmitObserver;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobOptions;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.monitor.EventWords;
import io.jenkins.plugins.tao.monitor.HastyTicker;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.monitor.WatchMemory;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A job's whole way: submitted, watched, told, as every door does it. */
class KaggleWholeWayTest {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path temporary;

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final CompletableFuture<JobResult> result = new CompletableFuture<>();
    private KaggleRig rig;
    private Dispatcher dispatcher;

    @BeforeEach
    void open() throws Exception {
        rig = new KaggleRig(temporary);
        dispatcher = Dispatcher.start(BackendTypes.of(new Quick()), Controller.NONE, new HastyTicker());
    }

    @AfterEach
    void close() {
        dispatcher.close();
        rig.close();
    }

    private JobHandle submit(JobSpec spec) throws Exception {
        return dispatcher
                .submit(rig.kaggle.target(), spec, KaggleRig.KEY, false, new Quiet())
                .get(5, TimeUnit.MINUTES);
    }

    private Watch watch(JobHandle job) {
        WatchPlan plan = new WatchPlan(Duration.ofHours(1), 10, Optional.of(Duration.ofSeconds(1)), java.util.Map::of);
        return dispatcher.watch(rig.kaggle.target(), job, plan, new Forgetful(), this::hear);
    }

    private void hear(JobEvent event) {
        if (event instanceof JobEvent.StatusChanged changed) {
            told.add(EventWords.changed(changed));
        } else if (event instanceof JobEvent.AttemptStarted next) {
            told.add(EventWords.attempt(next));
        } else if (event instanceof JobEvent.Lines lines) {
            told.addAll(lines.lines());
        } else if (event instanceof JobEvent.Advanced advanced) {
            told.add(EventWords.progress(advanced.progress()));
        } else if (event instanceof JobEvent.Ended ended) {
            result.complete(ended.result());
        }
    }

    @Test
    @Promise("NB-14")
    void theWatchStartsTheNextSessionByItself() throws Exception {
        rig.sessionsEndWithFile("over");
        JobSpec spec = JobSpec.of(
                        "[ ! -e {results_dir}/epoch ] || { echo resumed; exit 0; }; echo 1 >{results_dir}/epoch;"
                                + " printf '{\"status\": \"RUNNING\", \"epoch\": 0, \"max_epoch\": 9}\\n' >{results_dir}/status.json;"
                                + " touch over; exec sleep 600")
                .resources(
                        new Resources(1, OptionalInt.empty(), OptionalInt.empty(), Optional.of(Duration.ofMinutes(1))))
                .options(Records.of(KaggleOptions.class, "sessions", 2))
                .build();

        watch(submit(spec));
        JobResult end = result.get(5, TimeUnit.MINUTES);

        assertThat(told)
                .contains("epoch 1/10", "resumed")
                .anySatisfy(line -> assertThat(line)
                        .contains("attempt 1 ended:", "session 1 of 2 reached its time limit")
                        .endsWith("attempt 2 is kaggle/tao-" + KaggleRig.KEY + "-2"));
        // The second session wrote no status.json of its own: its exit code alone decides.
        assertThat(end.outcome()).isInstanceOf(Outcome.Succeeded.class);
        assertThat(rig.kaggle.pushes).hasSize(2);
    }

    @Test
    void aCancelledBuildSaysThatTheNotebookGoesOn() throws Exception {
        Watch watch = watch(submit(JobSpec.of("sleep 600").build()));

        watch.cancel("ada");
        JobResult end = result.get(5, TimeUnit.MINUTES);

        assertThat(end.outcome()).isEqualTo(new Outcome.Cancelled("ada"));
        assertThat(told)
                .anySatisfy(line -> assertThat(line)
                        .contains(
                                "LEFT ",
                                "(the notebook still runs and uses quota",
                                "https://www.kaggle.com/code/dev/tao-"));
    }

    @Test
    void aFailedCommandIsAFailureAlthoughKaggleSaysComplete() throws Exception {
        watch(submit(JobSpec.of("echo no data >&2; exit 3").build()));

        JobResult end = result.get(5, TimeUnit.MINUTES);

        assertThat(end.outcome())
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.detail()).contains("exit code 3"));
        assertThat(told).contains("no data");
    }

    /** The real type, impatient with live logs. */
    private static final class Quick implements BackendType {
        private final KaggleType real = new KaggleType();

        @Override
        public String name() {
            return real.name();
        }

        @Override
        public Class<? extends Target> targetType() {
            return real.targetType();
        }

        @Override
        public Class<? extends JobOptions> optionsType() {
            return real.optionsType();
        }

        @Override
        public Backend open(Target target) {
            return KaggleRig.backend((KaggleTarget) target);
        }

        @Override
        public Preview preview(Target target, JobSpec spec, JobKey key) throws BackendException {
            return real.preview(target, spec, key);
        }
    }

    private static final class Quiet implements SubmitObserver {
        @Override
        public void checked(Report report) {}

        @Override
        public void delayed(String what, Duration next) {}
    }

    private static final class Forgetful implements WatchMemory {
        @Override
        public Optional<String> load() {
            return Optional.empty();
        }

        @Override
        public void save(String record) {}
    }
}
