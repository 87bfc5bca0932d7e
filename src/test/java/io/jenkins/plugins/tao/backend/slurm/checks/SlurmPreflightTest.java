package io.jenkins.plugins.tao.backend.slurm.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.backend.Report.Verdict;
import io.jenkins.plugins.tao.backend.slurm.Sample;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmPlan;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.remote.host.Reply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SlurmPreflightTest {
    private final Map<String, String> parts = new LinkedHashMap<>(Map.of(
            "login", "0\nada",
            "tools", "0\n",
            "accounting", "0\n",
            "container", "0\n      --container-image=IMAGE",
            "base", "0\n/lustre/tao",
            "results", "0\n/lustre/tao",
            "inputs", "0\n",
            "partitions", "0\npolar|4:00:00|up\nlong|1-00:00:00|up\nopen|infinite|up",
            "accepted", "0\n",
            "enroot", "0\n"));

    private Report check(JobSpec.Builder spec) throws Exception {
        StringBuilder text = new StringBuilder();
        parts.forEach((name, part) ->
                text.append("tao-").append(name).append(' ').append(part).append('\n'));
        text.append("tao-end 0\n");
        return new SlurmPreflight(Sample.target().build(), spec.build())
                .run(script -> new Reply(0, text.toString().getBytes(StandardCharsets.UTF_8), ""));
    }

    private static Report offline(JobSpec.Builder spec) throws Exception {
        return new SlurmPreflight(
                        Sample.target()
                                .with("partitions", SlurmTarget.FOUR_HOUR_PARTITIONS)
                                .build(),
                        spec.build())
                .run(script -> {
                    throw new AssertionError("nothing may be asked");
                });
    }

    private static List<Check> failures(Report report) {
        return report.checks().stream()
                .filter(check -> check.verdict() == Verdict.FAILED)
                .toList();
    }

    private static SlurmOptions partition(String name) {
        return Records.of(SlurmOptions.class, "partition", name);
    }

    @Test
    void aSoundJobPasses() throws Exception {
        assertThat(failures(check(JobSpec.of("true").image("a/b:1")))).isEmpty();
    }

    @Test
    void resultsAreToldWithAPlaceForTheIdThatTheJobDoesNotHaveYet() throws Exception {
        Report report = check(JobSpec.of("true").image("a/b:1"));

        assertThat(report.checks())
                .extracting(Check::detail)
                .anyMatch(detail -> detail.endsWith("/results/<job id>"))
                .noneMatch(detail -> detail.contains("preflight"));
    }

    @Test
    @Promise({"SL-02", "SL-29", "SL-33", "SL-81"})
    void aFileOfTheControllerIsRefusedBeforeAnyConnection() throws Exception {
        Report report = offline(JobSpec.of("true").inputs(List.of("file:///data/coco", "/home/me/x")));

        assertThat(failures(report))
                .hasSize(2)
                .allSatisfy(check -> assertThat(check.remedy()).contains("lustre://"));
        assertThat(report.checks())
                .last()
                .satisfies(check -> assertThat(check.verdict()).isEqualTo(Verdict.SKIPPED));
    }

    @Test
    @Promise("SL-29")
    void filesOfTheControllerAreRefusedWhereverTheyStand() throws Exception {
        Report report = offline(JobSpec.of("train results_dir=/tmp/x file:///lustre/a")
                .env(Map.of("LIST", "file:///home/me/list"))
                .spec(Map.of("dataset", Map.of("root", "file:///data/coco"))));

        assertThat(failures(report))
                .extracting(Check::detail)
                .satisfiesExactly(
                        data -> assertThat(data).contains("file:///data/coco (dataset.root) lies on the controller"),
                        list -> assertThat(list).contains("file:///home/me/list (LIST) lies on the controller"),
                        results -> assertThat(results).contains("/tmp/x (command)", "its files are not fetched"));
    }

    @Test
    @Promise("SL-29")
    void aPathOfTheControllerThatTheClusterDoesNotHaveIsRefused() throws Exception {
        parts.put("here", "0\n/var/lib/jenkins/workspace/a.json");

        assertThat(failures(check(JobSpec.of("true"))))
                .singleElement()
                .satisfies(check -> assertThat(check.detail())
                        .contains("/var/lib/jenkins/workspace/a.json lies on the controller, not on dgx"));
    }

    @Test
    void anImageByItsDigestIsRefusedWhereEnrootTakesNone() throws Exception {
        JobSpec.Builder spec = JobSpec.of("true").image("nvcr.io/nvidia/tao@sha256:" + "7".repeat(64));
        parts.put("pulls", "0\n3.5.0");
        assertThat(failures(check(spec)))
                .singleElement()
                .satisfies(check -> assertThat(check.detail()).contains("Enroot 3.5.0 takes no image by its digest"));

        parts.put("pulls", "0\n4.0.1");
        assertThat(failures(check(spec))).isEmpty();
    }

    @Test
    @Promise("SL-36")
    void anInputInS3WithoutKeysIsWarnedOf() throws Exception {
        assertThat(check(JobSpec.of("true").inputs(List.of("s3://bucket/a"))).checks())
                .anySatisfy(check -> assertThat(check.remedy()).contains("ACCESS_KEY and SECRET_KEY"));
    }

    @Test
    @Promise("SL-49")
    void moreThanFourHoursInTheFourHourQueuesIsRefused() throws Exception {
        parts.put("partitions", "1\n");

        Report report = check(
                JobSpec.of("true").resources(Sample.time(Duration.ofHours(5))).options(partition("polar,polar4")));

        assertThat(failures(report))
                .singleElement()
                .satisfies(check -> assertThat(check.detail()).contains("05:00:00"));
    }

    @Test
    void theClustersOwnLimitCountsBeforeTheFourHours() throws Exception {
        parts.put("partitions", "0\npolar|1-00:00:00|up");

        Report report = check(
                JobSpec.of("true").resources(Sample.time(Duration.ofHours(5))).options(partition("polar")));

        assertThat(failures(report)).isEmpty();
    }

    @Test
    @Promise({"SG-10", "SG-15"})
    void whatIsWrittenToANodesOwnDiskIsWarnedOf() throws Exception {
        Map<String, Object> spec = Map.of(
                "train",
                Map.of("checkpoint_dir", "/tmp/ckpt", "epochs", 3, "data_dir", "/tmp/in"),
                "results_dir",
                "/lustre/r");

        Report report = check(JobSpec.of("true").spec(spec).env(Map.of("OUTPUT", "/dev/shm/x", "TMP", "/tmp")));

        assertThat(report.checks())
                .filteredOn(check ->
                        check.verdict() == Verdict.WARNING && check.name().equals("scratch"))
                .singleElement()
                .satisfies(check -> assertThat(check.detail())
                        .isEqualTo("train.checkpoint_dir (/tmp/ckpt), OUTPUT (/dev/shm/x) lies on each node's own disk,"
                                + " which is emptied when the job ends"));
    }

    @Test
    @Promise("SL-48")
    void aWallTimeBeyondThePartitionsLimitIsRefused() throws Exception {
        Report report = check(JobSpec.of("true")
                .resources(Sample.time(Duration.ofHours(8)))
                .options(Records.of(SlurmOptions.class, "partition", "polar")));

        assertThat(failures(report)).isNotEmpty();
        assertThat(failures(check(JobSpec.of("true")
                        .resources(Sample.time(Duration.ofHours(8)))
                        .options(partition("long")))))
                .isEmpty();
        assertThat(failures(check(JobSpec.of("true")
                        .resources(Sample.time(Duration.ofDays(8)))
                        .options(partition("open")))))
                .isEmpty();
    }

    private static List<String> warnings(Report report) {
        return report.checks().stream()
                .filter(check -> check.verdict() == Verdict.WARNING)
                .map(Check::detail)
                .toList();
    }

    private static JobSpec.Builder hours(int hours) {
        return JobSpec.of("true").resources(Sample.time(Duration.ofHours(hours)));
    }

    @Test
    @Promise("TR-22")
    void withoutAPartitionTheWallTimeIsComparedWithTheDefaultOne() throws Exception {
        parts.put("partitions", "0\npolar*|4:00:00|up\nlong|1-00:00:00|up");

        assertThat(failures(check(hours(8)))).singleElement().satisfies(check -> {
            assertThat(check.detail())
                    .isEqualTo("08:00:00 is more than the default partition 'polar' (4h) allows: the job would wait for"
                            + " ever");
            assertThat(check.remedy()).endsWith("These allow it: long.");
        });
        assertThat(failures(check(hours(4)))).isEmpty();
    }

    @Test
    @Promise("TR-22")
    void ofSeveralPartitionsOneThatIsLongEnoughWillDo() throws Exception {
        Report report = check(hours(8).options(partition("polar,long")));

        assertThat(failures(report)).isEmpty();
        assertThat(warnings(report)).singleElement().asString().contains("partition 'polar' (4h) allows");
        assertThat(failures(check(hours(48).options(partition("polar,long"))))).hasSize(1);
    }

    @Test
    @Promise("TR-23")
    void anEndBeforeTheWallTimeIsSaid() throws Exception {
        assertThat(check(hours(4)).checks().get(0).detail()).contains("04:00:00, results");
        assertThat(check(JobSpec.of("true")).checks().get(0).detail())
                .contains("04:00:00, the command ends 12m before that");
        assertThat(check(hours(4).options(Records.of(SlurmOptions.class, "timeout", Duration.ofMinutes(230))))
                        .checks()
                        .get(0)
                        .detail())
                .contains("04:00:00, the command ends 10m before that");
    }

    @Test
    @Promise("TR-74")
    void aResultsDirectoryOutsideTheSharedFilesystemDrawsAWarning() throws Exception {
        assertThat(warnings(check(JobSpec.of("true").resultsDirectory("/home/tao/x"))))
                .singleElement()
                .asString()
                .startsWith("/home/tao/x lies outside the shared filesystem (/lustre");
        assertThat(warnings(check(JobSpec.of("true").resultsDirectory("/lustre/x"))))
                .isEmpty();
        assertThat(warnings(check(JobSpec.of("true").spec(Map.of("results_dir", "/home/tao/x")))))
                .isNotEmpty();
    }

    @Test
    void aPartitionThatIsNotThereIsNamedWithThoseThatAre() throws Exception {
        assertThat(failures(check(JobSpec.of("true").options(partition("batch")))))
                .singleElement()
                .satisfies(check -> assertThat(check.remedy()).contains("polar, long, open"));
    }

    @Test
    void outputsThatNobodyTakesAwayDrawAWarning() throws Exception {
        Report report = check(JobSpec.of("true").outputs(List.of("/out=s3://b/x")));

        assertThat(report.checks())
                .anySatisfy(check ->
                        assertThat(check.name() + " " + check.verdict()).isEqualTo("outputs WARNING"));
    }

    @Test
    @Promise({"SL-05", "SL-32", "SL-33"})
    void allMissingInputsAreListedAtOnce() throws Exception {
        parts.put("inputs", "0\n/lustre/a\n/lustre/b");

        assertThat(failures(check(JobSpec.of("true").inputs(List.of("/lustre/a", "/lustre/b", "/lustre/c")))))
                .singleElement()
                .satisfies(check -> assertThat(check.detail()).contains("/lustre/a, /lustre/b are not on dgx"));
    }

    @Test
    @Promise({"SL-56", "SL-83"})
    void aClusterWithoutPyxisIsToldBeforeAnythingIsSent() throws Exception {
        parts.put("container", "0\nusage: srun");

        assertThat(failures(check(JobSpec.of("true").image("a/b:1"))))
                .singleElement()
                .satisfies(check -> assertThat(check.detail()).contains("Pyxis"));
        assertThat(failures(check(JobSpec.of("true")))).isEmpty();
    }

    @Test
    @Promise({"SL-06", "SL-07"})
    void onlyImagesOfNvcrAskForEnrootCredentials() throws Exception {
        parts.put("enroot", "1\n");

        assertThat(check(JobSpec.of("true").image("nvcr.io/a/b:1")).checks())
                .anySatisfy(check -> assertThat(check.detail()).contains("NGC_KEY in the job does not help"));
        assertThat(check(JobSpec.of("true").image("ghcr.io/a/b:1")).checks())
                .noneSatisfy(check -> assertThat(check.name()).isEqualTo("image credentials"));
    }

    @Test
    void whatSbatchWouldRefuseIsTold() throws Exception {
        parts.put("accepted", "1\nallocation failure: Invalid account or account/partition combination specified");

        assertThat(failures(check(JobSpec.of("true"))))
                .singleElement()
                .satisfies(check -> assertThat(check.remedy()).contains("Set account"));
    }

    @Test
    void aRefusedLoginIsACheckThatFailed() throws Exception {
        Report report = new SlurmPreflight(
                        Sample.target().build(), JobSpec.of("true").build())
                .run(script -> {
                    throw new Denied("ada@login1 refused the key", "Install the key.");
                });

        assertThat(failures(report))
                .singleElement()
                .satisfies(check -> assertThat(check.name()).isEqualTo("login"));
    }

    @Test
    void aBaseThatCannotBeWrittenIsTold() throws Exception {
        parts.put("base", "1\n/lustre");

        assertThat(failures(check(JobSpec.of("true"))))
                .singleElement()
                .satisfies(check -> assertThat(check.detail()).contains("/lustre/tao cannot be written"));
    }

    @Test
    @Promise({"SL-05", "SL-09", "GE-07"})
    void theProbeOnlyAsks() throws Exception {
        String script = SlurmProbe.render(SlurmPlan.of(
                Sample.target().build(),
                JobSpec.of("true")
                        .image("nvcr.io/a/b:1")
                        .inputs(List.of("slurm://None/lustre/it's"))
                        .build(),
                Sample.KEY));

        assertThat(script)
                .contains("test -s \"$HOME/.config/enroot/.credentials\"")
                .contains("'/lustre/it'\\''s'")
                .doesNotContain("mkdir")
                .doesNotContain("touch")
                .doesNotContain("cat ");
    }
}
