package io.jenkins.plugins.tao.backend.box.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.box.BoxBackend;
import io.jenkins.plugins.tao.backend.box.BoxRig;
import io.jenkins.plugins.tao.backend.box.BoxStage;
import io.jenkins.plugins.tao.backend.box.SshType;
import io.jenkins.plugins.tao.backend.box.StallingServer;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.remote.CuttingProxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is done on a box before a job has its GPUs, and the places it is given. */
@NeedsRig("box")
final class BoxPreparationIT {
    private BoxStage box;

    @BeforeEach
    void open() {
        BoxRig.assumeUp();
        box = new BoxStage(3);
    }

    @AfterEach
    void close() {
        if (box != null) {
            box.close();
        }
    }

    private void use(BoxSettings settings) {
        box.close();
        box = new BoxStage(3, settings);
    }

    private static BoxOptions with(Map<String, String> downloads, List<String> packages, boolean clean) {
        return BoxOptionsOf.preparation(
                new BoxPreparation(Optional.empty(), downloads, packages, Optional.empty(), Optional.empty(), clean));
    }

    @Test
    @Promise({"GB-08", "GB-42"})
    void theBoxFetchesDataItselfAndResumesWhatStandsStill() throws Exception {
        use(new BoxSettings(
                BoxUsual.PLACES,
                new BoxNetwork(
                        Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(Duration.ofSeconds(2))),
                BoxUsual.RULES));
        byte[] model = new byte[4_000_000];
        new Random(2).nextBytes(model);
        try (StallingServer server = new StallingServer(model);
                CuttingProxy line = new CuttingProxy(BoxRig.port(3))) {
            SshTarget target = new SshTarget(
                    "box3",
                    BoxRig.through(line.address().port(), 3),
                    box.target.baseDirectory(),
                    box.target.settings());
            BoxBackend backend = (BoxBackend) new SshType().open(target);
            JobHandle job = backend.submit(
                    JobSpec.of("sha256sum <\"$DATA_DIR/models/m.bin\"")
                            .options(with(Map.of("models/m.bin", server.address()), List.of(), false))
                            .build(),
                    box.key("download"));
            JobStatus end = box.end(job);
            backend.close();

            assertThat(end.exitCode()).hasValue(0);
            assertThat(server.starts()).hasSize(2);
            assertThat(server.starts().get(0)).isZero();
            assertThat(server.starts().get(1)).isBetween(1_500_000L, 2_000_000L);
            assertThat(box.text(job, Stream.ERR)).contains("stood still or broke off at ", "going on from there");
            assertThat(box.text(job, Stream.OUT))
                    .startsWith(java.util.HexFormat.of()
                            .formatHex(java.security.MessageDigest.getInstance("SHA-256")
                                    .digest(model)));
            assertThat(line.down().bytes() + line.up().bytes()).isLessThan(300_000);
        }
    }

    /** {@code aws} and {@code hf} are played on the box: that they are called there, and with what, is what counts. */
    @Test
    @Promise("GB-08")
    void weightsFromS3AndFromHuggingFaceAreFetchedByTheBoxToo() throws Exception {
        box.shell("""
                mkdir -p /box/get
                printf '#!/bin/sh\necho "aws $*" >>/box/get/calls; echo data >"$5"\n' >/box/get/aws
                printf '#!/bin/sh\necho "hf $*" >>/box/get/calls; mkdir -p "$4"; echo model >"$4/config.json"\n' >/box/get/hf
                chmod +x /box/get/aws /box/get/hf
                : >/box/get/calls
                """);

        JobHandle job = box.submit(
                "fetches",
                JobSpec.of("cat \"$DATA_DIR/coco/a.zip\" \"$DATA_DIR/dino/config.json\"")
                        .env(Map.of("PATH", "/box/get:/usr/bin:/bin"))
                        .options(with(
                                Map.of("coco/a.zip", "s3://lab/coco/a.zip", "dino", "hf://nvidia/dino"),
                                List.of(),
                                false)));
        JobStatus end = box.end(job);

        assertThat(end.exitCode()).hasValue(0);
        assertThat(box.text(job, Stream.OUT)).isEqualTo("data\nmodel\n");
        String data = box.target.baseDirectory() + "/data/";
        assertThat(box.shell("sort /box/get/calls"))
                .isEqualTo("aws s3 cp --only-show-errors s3://lab/coco/a.zip " + data + "coco/a.zip.part\n"
                        + "hf download nvidia/dino --local-dir " + data + "dino.part\n");
    }

    @Test
    @Promise({"GB-10", "GE-07"})
    void anEnvironmentOfPinnedPackagesIsMadeOnceAndOnlyWhenAskedFor() throws Exception {
        box.shell("""
                mkdir -p /box/py
                cat >/box/py/python3 <<'X'
                #!/bin/sh
                echo "$@" >>/box/py/calls
                if [ "$2" = venv ]; then mkdir -p "$4/bin"; cp /box/py/python3 "$4/bin/python"; fi
                X
                chmod +x /box/py/python3
                : >/box/py/calls
                """);
        Map<String, String> path = Map.of("PATH", "/box/py:/usr/bin:/bin");
        BoxOptions pinned = with(Map.of(), List.of("torch==2.5.1", "nvidia-tao==6.0.0"), false);

        JobHandle one =
                box.submit("env1", JobSpec.of("command -v python").env(path).options(pinned));
        box.end(one);
        JobHandle two =
                box.submit("env2", JobSpec.of("command -v python").env(path).options(pinned));
        box.end(two);
        JobHandle none =
                box.submit("env3", JobSpec.of("command -v python || echo none").env(Map.of("PATH", "/bin")));
        box.end(none);

        assertThat(box.shell("grep -c 'm venv' /box/py/calls")).isEqualTo("1\n");
        assertThat(box.shell("grep 'pip install' /box/py/calls")).contains("-r " + one.jobDirectory() + "/packages");
        assertThat(box.text(two, Stream.OUT)).startsWith(box.target.baseDirectory() + "/envs/");
        assertThatThrownBy(() -> with(Map.of(), List.of("torch>=2"), false)).hasMessageContaining("is not pinned");
    }

    @Test
    @Promise({"GB-16", "GB-43"})
    void placesAndHooksAreNamedBySettingsAndSeenByTheJob() throws Exception {
        use(new BoxSettings(
                new BoxPlaces(
                        Optional.of("/box/data"),
                        Optional.of("/box/durable"),
                        Optional.of("/box/scratch"),
                        Optional.of("/box/data/hf"),
                        Optional.of("/box/credentials")),
                new BoxNetwork(
                        Optional.of("https://hf-mirror.com"),
                        Optional.of(true),
                        Optional.of("export https_proxy=http://proxy:3128"),
                        Optional.empty()),
                BoxUsual.RULES));
        box.shell("umask 077; echo WANDB_API_KEY=w4ndb >/box/credentials");
        JobSpec.Builder spec = JobSpec.of("env; ls -d \"$SCRATCH\"").options(with(Map.of(), List.of(), true));

        JobHandle job = box.submit("places", spec);
        box.end(job);

        assertThat(box.text(job, Stream.OUT).lines())
                .contains(
                        "DATA_DIR=/box/data",
                        "DURABLE_DIR=/box/durable",
                        "SCRATCH=/box/scratch/" + job.key(),
                        "HF_HOME=/box/data/hf",
                        "HF_ENDPOINT=https://hf-mirror.com",
                        "HF_HUB_ENABLE_HF_TRANSFER=1",
                        "https_proxy=http://proxy:3128",
                        "WANDB_API_KEY=w4ndb",
                        "TAO_RESULTS_DIR=/box/durable/results/" + job.key());
    }

    @Test
    @Promise("GB-45")
    void scratchIsCleanedAfterSuccessAloneAndOnlyWhenAskedFor() throws Exception {
        use(new BoxSettings(
                new BoxPlaces(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of("/box/scratch"),
                        Optional.empty(),
                        Optional.empty()),
                BoxUsual.NETWORK,
                BoxUsual.RULES));

        for (String[] each : new String[][] {{"good", "true"}, {"bad", "false"}, {"kept", "true"}}) {
            boolean clean = !each[0].equals("kept");
            box.end(box.submit(
                    each[0],
                    JobSpec.of("touch \"$SCRATCH/x\"; echo best >{results_dir}/best; mkdir $SCRATCH/train;"
                                    + " echo w >$SCRATCH/train/model_best.pth; echo 1 >$SCRATCH/kpi.json; " + each[1])
                            .options(with(Map.of(), List.of(), clean))));
        }

        assertThat(box.shell("ls /box/scratch").lines())
                .contains(
                        "bad-" + box.key("x").value().substring(2),
                        "kept-" + box.key("x").value().substring(2))
                .doesNotContain("good-" + box.key("x").value().substring(2));
        assertThat(box.shell("cat " + box.target.baseDirectory() + "/results/" + box.key("good") + "/best"))
                .isEqualTo("best\n");
        assertThat(box.shell("cd " + box.target.baseDirectory() + "/results/" + box.key("good")
                        + "/scratch; find . -type f | sort"))
                .isEqualTo("./kpi.json\n./train/model_best.pth\n");
    }

    @Test
    @Promise("GB-44")
    void credentialsTravelByStandardInputAndLieOnLocalDisksAlone() throws Exception {
        use(new BoxSettings(
                new BoxPlaces(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of("/box/credentials")),
                BoxUsual.NETWORK,
                BoxUsual.RULES));
        JobHandle job = box.submit(
                "secret",
                JobSpec.of("touch {results_dir}/up; while [ ! -e {results_dir}/go ]; do sleep 0.1; done")
                        .secrets(Map.of("TOKEN", Secret.of("t0psecret"))));
        box.waitForFile(job.resultsDirectory() + "/up");
        String inArguments = box.shell("cat /proc/[0-9]*/cmdline | tr '\\000' ' ' | grep -c 't0p[s]ecret' || :");
        String inFiles = box.shell("grep -rl t0p'secret' " + box.target.baseDirectory() + " || :");
        box.shell("touch " + job.resultsDirectory()
                + "/go; umask 022; rm -f /box/credentials; echo A=1 >/box/credentials");
        Report open = box.backend.preflight(JobSpec.of("true").build());
        box.shell("chmod 600 /box/credentials");
        Report closed = box.backend.preflight(JobSpec.of("true").build());

        assertThat(inArguments).isEqualTo("0\n");
        assertThat(inFiles).isEmpty();
        assertThat(open.failed()).isTrue();
        assertThat(open.checks())
                .anySatisfy(check -> assertThat(check.detail()).contains("has the mode 644, others may read it"));
        assertThat(closed.failed()).isFalse();
    }
}
