package io.jenkins.plugins.tao.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several controllers in one namespace. */
class KubernetesLeaseTest extends ClusterTest {
    private static final Controller FIRST = new Controller("jenkins-first", "Jenkins https://first.example/", "s1");
    private static final Controller SECOND = new Controller("jenkins-second", "Jenkins https://second.example/", "s2");
    private static final long HOUR = 3600;

    private final List<KubernetesBackend> opened = new ArrayList<>();
    private KubernetesBackend first;
    private KubernetesBackend second;
    private JobHandle job;

    @BeforeEach
    void aJobOfTheFirst() throws Exception {
        first = of(FIRST);
        second = of(SECOND);
        job = first.submit(Sample.job("sleep 600").build(), new JobKey("guarded"));
        until(job, JobState.RUNNING);
    }

    @AfterEach
    void closeThem() {
        opened.forEach(KubernetesBackend::close);
    }

    private KubernetesBackend of(Controller controller) {
        KubernetesBackend opening = new KubernetesBackend(Sample.target(cluster).build());
        opening.actFor(controller);
        opened.add(opening);
        return opening;
    }

    private JobStatus seen(KubernetesBackend by) throws Exception {
        return Objects.requireNonNull(by.poll(Set.of(job)).get(job));
    }

    private List<Lease> leases() {
        return cluster.admin().leases().inNamespace("tao-jobs").list().getItems();
    }

    @Test
    @Promise("JK-09")
    void aJobOfAnotherControllerIsLookedAtAndNotTouched() throws Exception {
        assertThat(seen(second).notices())
                .singleElement()
                .asString()
                .contains("is held by Jenkins https://first.example/ (jenkins-first)")
                .contains("takeOver: true", "--take-over");
        assertThatThrownBy(() -> second.cancel(job))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("Jenkins https://first.example/");
        assertThatThrownBy(() -> second.resubmit(job, Map.of(), Set.of()))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("Jenkins https://first.example/");
        assertThat(seen(first).notices()).isEmpty();
        assertThat(seen(first).state()).isEqualTo(JobState.RUNNING);

        first.cancel(job);
        assertThat(until(job, JobState.ENDED).ending()).hasValue(Ending.CANCELLED);
    }

    @Test
    @Promise("JK-09")
    void afterATakeOverTheOldHolderIsTheOneThatLooksOn() throws Exception {
        second.takeOver(job);

        assertThat(seen(second).notices()).isEmpty();
        assertThatThrownBy(() -> first.cancel(job)).isInstanceOf(Rejected.class);
        cluster.server().ahead(HOUR / 10);
        seen(second);
        assertThat(seen(first).notices()).singleElement().asString().contains("https://second.example/");
        second.cancel(job);
    }

    @Test
    @Promise("JK-09")
    void aHolderThatIsGoneForHalfAnHourKeepsNobodyOut() throws Exception {
        cluster.server().ahead(HOUR);

        assertThat(seen(second).notices()).isEmpty();
        second.cancel(job);

        assertThat(until(job, JobState.ENDED).ending()).hasValue(Ending.CANCELLED);
    }

    @Test
    @Promise("JK-09")
    void holdingCostsThreeRequestsInFiveMinutesWhateverTheNumberOfJobs() throws Exception {
        first.submit(Sample.job("sleep 600").build(), new JobKey("other"));
        seen(first);
        cluster.server().requests();

        seen(first);
        assertThat(cluster.server().requests()).noneMatch(request -> request.contains("/leases"));
        cluster.server().ahead(HOUR / 10);
        seen(first);
        assertThat(cluster.server().requests().stream().filter(request -> request.contains("/leases")))
                .hasSize(3);
        assertThat(leases()).hasSize(1);
    }

    @Test
    @Promise("JK-09")
    void aCopyOfTheControllerIsNoticedAndEndsNothing() throws Exception {
        seen(first);
        KubernetesBackend copy = of(new Controller("jenkins-first", "Jenkins https://first.example/", "another"));
        seen(copy);
        cluster.server().ahead(HOUR / 10);

        assertThat(seen(first).notices())
                .singleElement()
                .asString()
                .startsWith("Another process works under the same identity");
        assertThatThrownBy(() -> first.cancel(job)).isInstanceOf(Rejected.class);
    }

    /** As before there were leases. */
    @Test
    void anAccountThatMayNotUseLeasesHoldsNothingAndWorks() throws Exception {
        for (String verb : List.of("create", "get", "list", "patch")) {
            cluster.server().deny(verb + " coordination.k8s.io/leases");
        }

        assertThat(seen(second).notices()).isEmpty();
        second.cancel(job);

        assertThat(until(job, JobState.ENDED).ending()).hasValue(Ending.CANCELLED);
    }
}
