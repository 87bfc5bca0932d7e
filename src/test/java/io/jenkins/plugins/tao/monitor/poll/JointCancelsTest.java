package io.jenkins.plugins.tao.monitor.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.Simulation;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Many jobs of one target whose end is asked for: the calls do not grow with their number. */
class JointCancelsTest extends Simulation {
    private static final int JOBS = 300;

    private final Queue<Runnable> rounds = new ArrayDeque<>();

    @Override
    public Monitor monitor() {
        return new Monitor(
                new Connections(BackendTypes.of(cluster), ticker, Runnable::run, Controller.NONE), ticker, task -> {
                    if (rounds != null) {
                        rounds.add(task);
                    }
                });
    }

    @Test
    @Promise("TR-77")
    void theyAreAskedToEndInOneCallAndARefusalOfOneIsItsOwn() {
        List<Watch> watches = new ArrayList<>();
        for (int id = 1; id <= JOBS; id++) {
            JobHandle job = given(id, RUNNING);
            watches.add(monitor.watch(target, job, WatchPlan.defaults(), new KeptInMemory(), events::add));
        }
        run();
        cluster.refuse(watches.get(0).handle(), new Denied("Access denied.", "Ask its owner."));

        watches.forEach(watch -> watch.cancel("anna"));
        run();

        assertThat(cluster.jointCancels).hasValue(1);
        assertThat(cluster.cancelled())
                .hasSize(JOBS - 1)
                .doesNotContain(watches.get(0).handle());
        assertThat(told(JobEvent.CancelRefused.class))
                .extracting(JobEvent.CancelRefused::what)
                .containsExactly("Access denied.");
    }

    @Test
    void theyAreAskedAgainWhereNoAnswerCame() {
        List<Watch> watches = List.of(watch(given(1, RUNNING)), watch(given(2, RUNNING)));
        run();
        watches.forEach(watch -> watch.cancel("anna"));
        watches.forEach(watch -> cluster.refuse(watch.handle(), silence()));
        run();
        watches.forEach(watch -> cluster.refuseNoMore(watch.handle()));
        assertThat(cluster.cancelled()).isEmpty();

        ticker.advance(Duration.ofSeconds(20));
        run();

        assertThat(cluster.cancelled()).hasSize(2);
    }

    /** A login that is refused refuses all of them, as it would each. */
    @Test
    void whatRefusesTheCallRefusesEachJob() {
        List<Watch> watches = List.of(watch(given(1, RUNNING)), watch(given(2, RUNNING)));
        run();
        cluster.refuseTogether(new Denied("The key is not accepted.", "Add it."));

        watches.forEach(watch -> watch.cancel("anna"));
        run();

        assertThat(told(JobEvent.CancelRefused.class))
                .extracting(JobEvent.CancelRefused::what)
                .containsExactly("The key is not accepted.", "The key is not accepted.");
    }

    private void run() {
        for (Runnable task = rounds.poll(); task != null; task = rounds.poll()) {
            task.run();
        }
    }
}
