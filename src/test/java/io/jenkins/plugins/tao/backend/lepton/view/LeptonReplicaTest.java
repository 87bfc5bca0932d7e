package io.jenkins.plugins.tao.backend.lepton.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.lepton.LeptonWorkspace;
import io.jenkins.plugins.tao.http.Json;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeptonReplicaTest extends LeptonWorkspace {
    private static LeptonReplica replica(String reason, String message) throws Exception {
        String issue = reason.isEmpty()
                ? ""
                : ",\"readiness_issue\":{\"reason\":\"" + reason + "\",\"message\":\"" + message + "\"}";
        String text = "[{\"metadata\":{\"id\":\"job-1-0-58efa\"},\"status\":{\"cpu\":24,\"memory_in_mb\":225000,"
                + "\"node\":{\"name\":\"node-7\",\"node_group_id\":\"pool\"}" + issue + "}}]";
        return LeptonReplica.read("job-1", Json.parse(text).orElseThrow()).get(0);
    }

    @Test
    @Promise("LE-37")
    void aReplicaTellsItsNodeGroupSizeAndReadiness() throws Exception {
        LeptonReplica replica = replica("InProgress", "Starting the replica");

        assertThat(replica)
                .isEqualTo(new LeptonReplica(
                        "job-1-0-58efa", 0, "node-7", "pool", 24, 225_000, "InProgress", "Starting the replica"));
    }

    @ParameterizedTest
    @CsvSource({"tao-a-1234-0-58efa, 0", "tao-a-1234-12-x9y8z, 12", "tao-a-1234, -1", "other-0-58efa, -1"})
    void itsIdTellsItsWorker(String id, int worker) {
        assertThat(LeptonReplica.worker("tao-a-1234", id)).isEqualTo(worker);
    }

    @Test
    @Promise("LE-38")
    void pullingAnImageIsNormal() throws Exception {
        assertThat(replica("InProgress", "Pulling image").words())
                .contains("Pulling image", "normal for a large image");
    }

    @ParameterizedTest
    @CsvSource({"Failed, ImagePullBackOff", "ConfigError, Failed to pull image: not found", "Failed, ''"})
    @Promise("LE-39")
    void aFailedStartPointsToThePullCredential(String reason, String message) throws Exception {
        assertThat(replica(reason, message).words()).contains("check its name and the NGC key");
    }

    @Test
    @Promise("LE-40")
    void aConfigurationErrorPointsToTheNode() throws Exception {
        assertThat(replica("ConfigError", "Mount point not found").words())
                .contains("on node-7", "the node or a mount is at fault", "another node group");
    }

    @ParameterizedTest
    @CsvSource({"''", "Ready"})
    @Promise("LE-41")
    void aReplicaWithoutIssuesIsRunning(String reason) throws Exception {
        assertThat(replica(reason, "").ready()).isTrue();
        assertThat(replica(reason, "").words()).isEmpty();
    }

    private JobStatus look(JobHandle job) throws Exception {
        return Objects.requireNonNull(backend.poll(Set.of(job)).get(job));
    }

    @Test
    @Promise("LE-38")
    void readinessIsTheReasonOfAWaitingJob() throws Exception {
        JobHandle job = backend.submit(job("sleep 30").build(), key("waits"));
        simulator.only().forced = "Starting";
        simulator.only().issues.put(0, Json.object().put("reason", "InProgress").put("message", "Pulling image"));

        assertThat(look(job).reason().orElse("")).startsWith("InProgress: Pulling image on node-a (normal");
    }

    @Test
    @Promise("LE-51")
    void aJobThatWaitsLongForMachinesProposesAnotherShapeOrGroup() throws Exception {
        JobHandle job = backend.submit(job("sleep 30").build(), key("long"));
        simulator.only().forced = "Queueing";
        simulator.only().placed = false;
        simulator.date = "Sat, 21 Nov 2026 18:17:00 GMT";
        assertThat(look(job).reason().orElse(""))
                .contains("no machine for 16 min", "another resourceShape or nodeGroup");

        simulator.date = "Sat, 21 Nov 2026 18:10:00 GMT";
        assertThat(look(job).reason().orElse("")).doesNotContain("no machine for");
    }
}
