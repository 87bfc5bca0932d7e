package io.jenkins.plugins.tao.backend.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesOptions;
import io.jenkins.plugins.tao.backend.kubernetes.options.MemberIndices;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs with members: one Indexed Job whose pods each have results, a log and an end of their own. */
class KubernetesMembersTest extends ClusterTest {
    private static JobSpec.Builder members(int count, int most, String command) {
        return Sample.job(command)
                .options(Records.draft(KubernetesOptions.class)
                        .with("completions", OptionalInt.of(count))
                        .with("parallelism", OptionalInt.of(most))
                        .with("members", Optional.of(true))
                        .build());
    }

    @Test
    @Promise("NS-08")
    void eachMemberHasItsIndexItsSpecAndItsResults() throws Exception {
        JobSpec spec = members(3, 3, "cat {config_path}; echo $TAO_MEMBER $TAO_RESULTS_DIR > {results_dir}/mine")
                .spec(Map.of("seed", 7))
                .build();

        JobHandle job = submit(spec, "sweep");
        JobStatus end = until(job, JobState.ENDED);

        assertThat(job.nativeId()).isEqualTo("tao-jobs/tao-sweep[0-2]");
        assertThat(end.ending()).hasValue(Ending.COMPLETED);
        assertThat(end.exitCode()).hasValue(0);
        assertThat(end.members()).hasValue("All 3 members have completed.");
        for (int index = 0; index < 3; index++) {
            String results = job.resultsDirectory() + "/" + index;
            assertThat(Path.of(results, "mine")).hasContent(index + " " + results);
            assertThat(out(job)).contains("results_dir: \"" + results + "\"");
        }
    }

    @Test
    @Promise("NS-08")
    void atMostSoManyRunAtATimeAsTheBoundSays() throws Exception {
        JobHandle job = submit(members(3, 1, "sleep 600").build(), "bound");

        await().until(() -> look(job).state() == JobState.RUNNING);

        assertThat(cluster.job("tao-jobs", "tao-bound").getSpec().getParallelism())
                .isEqualTo(1);
        assertThat(cluster.admin().pods().inNamespace("tao-jobs").list().getItems())
                .hasSize(1);
        assertThat(look(job).reason()).hasValue("0 of 3 members have ended");
    }

    @Test
    @Promise("NS-08")
    void aFailedMemberLeavesTheOthersAloneAndIsNamedInTheEnd() throws Exception {
        String command = "if [ $TAO_MEMBER = 1 ]; then exit 7; fi; sleep 1; echo done";
        JobHandle job = submit(members(3, 3, command).build(), "one-bad");

        JobStatus end = until(job, JobState.ENDED);

        assertThat(end.ending()).hasValue(Ending.FAILED);
        assertThat(end.exitCode()).hasValue(7);
        assertThat(end.members()).hasValue("1 of 3 members failed: 1 (exit code 7).");
        assertThat(cluster.job("tao-jobs", "tao-one-bad").getStatus().getCompletedIndexes())
                .isEqualTo("0,2");
    }

    @Test
    @Promise("NS-08")
    void aMemberWhosePodWasDeletedHasFailedAndIsNoSuccess() throws Exception {
        JobHandle job = submit(
                members(2, 2, "if [ $TAO_MEMBER = 0 ]; then sleep 600; fi").build(), "gone");
        await().until(() -> look(job).state() == JobState.RUNNING);
        cluster.admin()
                .pods()
                .inNamespace("tao-jobs")
                .withLabel(KubernetesNames.INDEX, "0")
                .delete();

        JobStatus end = until(job, JobState.ENDED);

        assertThat(end.ending()).hasValue(Ending.NODE_FAILURE);
        assertThat(end.members()).hasValue("1 of 2 members failed: 0 (PodGone).");
        assertThat(end.exitCode()).isEmpty();
    }

    @Test
    @Promise("NS-08")
    void aServerWithoutALimitForEachIndexRunsNoneOfThem() throws Exception {
        reopen("28");

        assertThatExceptionOfType(BackendException.Rejected.class)
                .isThrownBy(() -> submit(members(2, 2, "true").build(), "old"))
                .withMessageContaining("has no backoffLimitPerIndex")
                .satisfies(e -> assertThat(e.remedy()).contains("1.29 or newer", "carry: array"));
        await().until(() -> cluster.job("tao-jobs", "tao-old") == null);
        assertThat(backend.preflight(members(2, 2, "true").build()).checks())
                .anyMatch(check ->
                        check.name().equals("members") && check.detail().contains("this is 1.28"));
    }

    @Test
    @Promise("NS-08")
    void aFurtherAttemptHasTheMembersThatAreLeftUnderTheirOwnIndices() throws Exception {
        String command = "if [ $TAO_MEMBER != 1 ] && [ ! -e {results_dir}/again ]; then touch {results_dir}/again;"
                + " exit 3; fi; echo member $TAO_MEMBER";
        JobHandle first = submit(members(4, 2, command).build(), "again");
        assertThat(until(first, JobState.ENDED).members())
                .hasValue("3 of 4 members failed: 0 (exit code 3), 2 (exit code 3), 3 (exit code 3).");

        JobHandle second = backend.resubmit(first, Map.of(), Set.of());
        JobStatus end = until(second, JobState.ENDED);

        assertThat(second.nativeId()).isEqualTo("tao-jobs/tao-again-r2[0,2,3]");
        assertThat(end.ending()).hasValue(Ending.COMPLETED);
        assertThat(end.members()).hasValue("All 4 members have completed.");
        assertThat(out(second)).isEqualTo("""
                ==== member 0 ====
                member 0
                ==== member 2 ====
                member 2
                ==== member 3 ====
                member 3
                """);
        assertThatExceptionOfType(BackendException.Rejected.class)
                .isThrownBy(() -> backend.resubmit(second, Map.of(), Set.of()))
                .withMessageContaining("have completed");
    }

    @Test
    @Promise("NS-08")
    void theLogGoesOnBehindWhatWasReadMemberAfterMember() throws Exception {
        JobHandle job =
                submit(members(3, 3, "echo a$TAO_MEMBER; echo b$TAO_MEMBER").build(), "log");
        until(job, JobState.ENDED);
        StreamRef ref = new StreamRef(job, Stream.OUT);
        StringBuilder text = new StringBuilder();
        Position at = Position.START;
        for (Tail tail = backend.read(Map.of(ref, at)).get(ref);
                tail != null;
                tail = backend.read(Map.of(ref, at)).get(ref)) {
            text.append(new String(tail.bytes(), UTF_8));
            at = tail.next();
        }

        assertThat(text).hasToString("""
                        ==== member 0 ====
                        a0
                        b0
                        ==== member 1 ====
                        a1
                        b1
                        ==== member 2 ====
                        a2
                        b2
                        """);
        assertThat(at.byteOffset()).isEqualTo(text.length());
    }

    @Test
    @Promise("NS-08")
    void theImageOfAMemberIsNamedWithItsIndex() throws Exception {
        JobHandle job = submit(members(2, 2, "echo a; sleep 600").build(), "images");
        StreamRef ref = new StreamRef(job, Stream.MACHINE);

        List<String> lines = await().until(
                        () -> {
                            look(job);
                            Tail tail =
                                    backend.read(Map.of(ref, Position.START)).get(ref);
                            return tail == null
                                    ? List.<String>of()
                                    : new String(tail.bytes(), UTF_8).lines().toList();
                        },
                        told -> told.stream().anyMatch(line -> line.contains("image ")));

        assertThat(lines).contains("[0] image " + SimulatedKubelet.DIGEST).allMatch(line -> line.startsWith("[0] "));
    }

    @Test
    @Promise("NS-08")
    void theMetricsOfEachMemberComeHomeInItsOwnFolder() throws Exception {
        String command = "echo '{\"epoch\": '$TAO_MEMBER'}' > {results_dir}/status.json; sleep 1";
        JobHandle job = submit(members(2, 2, command).build(), "kpis");
        until(job, JobState.ENDED);
        Fetched home = new Fetched();

        backend.fetch(job, ArtifactPlan.of(List.of()), home);

        assertThat(home.text("results/0/status.json")).isEqualTo("{\"epoch\": 0}\n");
        assertThat(home.text("results/1/status.json")).isEqualTo("{\"epoch\": 1}\n");
    }

    @Test
    void theTimeLimitIsThatOfEachMemberAndNotOfAllTogether() throws Exception {
        JobSpec spec = members(2, 1, "true")
                .resources(new io.jenkins.plugins.tao.job.Resources(
                        1, OptionalInt.of(1), OptionalInt.empty(), Optional.of(java.time.Duration.ofHours(2))))
                .build();

        submit(spec, "limit");

        var job = cluster.job("tao-jobs", "tao-limit").getSpec();
        assertThat(job.getActiveDeadlineSeconds()).isNull();
        assertThat(job.getTemplate().getSpec().getActiveDeadlineSeconds()).isEqualTo(7200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0,2-5", "0", "0,1", "7-9,12"})
    void indicesAreReadAndWrittenAsAServerWritesThem(String text) {
        assertThat(MemberIndices.parse(text).render()).isEqualTo(text);
    }
}
