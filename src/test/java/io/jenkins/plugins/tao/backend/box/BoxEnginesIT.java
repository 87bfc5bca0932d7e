package io.jenkins.plugins.tao.backend.box;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.box.options.BoxOptions;
import io.jenkins.plugins.tao.backend.box.options.BoxOptionsOf;
import io.jenkins.plugins.tao.backend.box.options.BoxPreparation;
import io.jenkins.plugins.tao.backend.box.options.BoxRules;
import io.jenkins.plugins.tao.backend.box.options.BoxRules.ContainerRuntime;
import io.jenkins.plugins.tao.backend.box.options.BoxSettings;
import io.jenkins.plugins.tao.backend.box.options.BoxUsual;
import io.jenkins.plugins.tao.backend.box.options.SshTarget;
import io.jenkins.plugins.tao.code.CodeFolder;
import io.jenkins.plugins.tao.code.CodeLimits;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs in containers of real engines: podman as root and rootless, and docker. */
@NeedsRig("box")
final class BoxEnginesIT {
    private static final String IMAGE = "localhost/tao:1";
    private static final String SECRET = "s3cret-'\"$(id)-value\nsecond-l1ne";

    /** An engine and who uses it. */
    enum Engine {
        PODMAN_ROOTLESS(ContainerRuntime.PODMAN, "tao"),
        PODMAN_ROOT(ContainerRuntime.PODMAN, "root"),
        DOCKER(ContainerRuntime.DOCKER, "tao");

        private final ContainerRuntime runtime;
        private final String user;

        Engine(ContainerRuntime runtime, String user) {
            this.runtime = runtime;
            this.user = user;
        }
    }

    @TempDir
    Path code;

    private BoxStage box;
    private Host root;

    @BeforeEach
    void open() {
        BoxRig.assumeEngines();
        box = stage(Engine.DOCKER);
        root = new SshHost(BoxRig.engines("root"), "box4");
    }

    @AfterEach
    void close() {
        if (box != null) {
            box.close();
        }
        if (root != null) {
            root.close();
        }
    }

    private void use(Engine engine) {
        box.close();
        box = stage(engine);
    }

    private static BoxStage stage(Engine engine) {
        BoxRules none = BoxUsual.RULES;
        BoxRules rules = new BoxRules(
                none.lease(),
                Optional.of(engine.runtime),
                none.detach(),
                OptionalInt.of(4),
                none.leastDiskGib(),
                none.leastInodes(),
                none.meanUptime(),
                List.of(),
                none.stopCommand());
        String base = "/box/" + UUID.randomUUID().toString().substring(0, 8);
        return new BoxStage(new SshTarget(
                "box4", BoxRig.engines(engine.user), base, new BoxSettings(BoxUsual.PLACES, BoxUsual.NETWORK, rules)));
    }

    private String asRoot(String script) throws BackendException {
        return root.run(script, Duration.ofMinutes(1)).text();
    }

    private static JobSpec.Builder job(String command) {
        return JobSpec.of(command).image(IMAGE);
    }

    @ParameterizedTest
    @EnumSource
    @Promise({"NS-01", "NS-04"})
    void aJobInAContainerStartsInItsCodeWhichItCannotChange(Engine engine) throws Exception {
        use(engine);
        Files.writeString(code.resolve("run.sh"), "echo in $PWD\ntouch here 2>/dev/null || echo fixed\n");

        JobHandle job = box.submit("code", job("bash run.sh").build(), CodeFolder.read(code, CodeLimits.defaults()));

        assertThat(box.end(job).exitCode()).hasValue(0);
        assertThat(box.text(job, Stream.OUT)).matches("in /box/[0-9a-f]{8}/code/[0-9a-f]{40}\nfixed\n");
    }

    @ParameterizedTest
    @EnumSource
    @Promise("TR-17")
    void aJobRunsAsItsUserAndEndsWithItsOwnExitCode(Engine engine) throws Exception {
        use(engine);

        JobHandle job = box.submit("run", job("id -u; echo made >{results_dir}/made; echo failing >&2; exit 5"));

        assertThat(box.end(job).exitCode()).hasValue(5);
        assertThat(box.text(job, Stream.OUT)).isEqualTo((engine.user.equals("root") ? "0" : "20001") + "\n");
        assertThat(box.text(job, Stream.ERR)).endsWith("failing\n");
        assertThat(box.shell("stat -c %U " + job.resultsDirectory() + "/made")).isEqualTo(engine.user + "\n");
    }

    @ParameterizedTest
    @EnumSource
    @Promise("TR-16")
    void noSecretIsInTheEngineWhileTheContainerRunsNorAfterItsEnd(Engine engine) throws Exception {
        use(engine);
        JobHandle job = box.submit(
                "secret",
                job("printf %s \"$TOKEN\" | wc -c; touch {results_dir}/up; while [ ! -e {results_dir}/go ]; do sleep 0.1; done")
                        .secrets(Map.of("TOKEN", Secret.of(SECRET))));
        box.waitForFile(job.resultsDirectory() + "/up");
        String program = engine.runtime.program();
        String running = box.shell(program + " inspect " + job.key());
        String files = asRoot(engineFiles());
        box.shell("touch " + job.resultsDirectory() + "/go");
        assertThat(box.end(job).exitCode()).hasValue(0);

        assertThat(box.text(job, Stream.OUT).strip()).isEqualTo(String.valueOf(SECRET.length()));
        assertThat(running).contains(job.key().value()).doesNotContain("s3cret", "l1ne");
        assertThat(box.shell(program + " inspect " + job.key()))
                .contains("\"exited\"")
                .doesNotContain("s3cret", "l1ne");
        assertThat(files + asRoot(engineFiles())).isEmpty();
    }

    /** Files of any engine, and of the job, in which a part of the secret stands. */
    private String engineFiles() {
        return "grep -rlsE 's3cret|l1ne' --exclude-dir=proc /var/lib/containers /box/.machine/dockerd ~tao/.local/share/containers"
                + " /run /tmp/containers-user-20001 /tmp/podman-run-20001 " + box.target.baseDirectory()
                + " 2>/dev/null || :";
    }

    @ParameterizedTest
    @EnumSource
    @Promise("TR-15")
    void aCommandGetsSigtermAndItsGrace(Engine engine) throws Exception {
        use(engine);
        JobHandle job = box.submit(
                "grace",
                job("bash -c 'trap \"sleep 2; echo saved >{results_dir}/checkpoint; exit 3\" TERM; touch {results_dir}/up;"
                                + " while :; do sleep 0.2; done'; echo never >{results_dir}/never")
                        .options(BoxOptionsOf.grace(Duration.ofSeconds(20))));
        box.waitForFile(job.resultsDirectory() + "/up");

        box.backend.cancel(job);
        JobStatus end = box.end(job);

        assertThat(end.ending()).hasValue(Ending.CANCELLED);
        assertThat(end.exitCode().orElse(0)).isNotEqualTo(137);
        assertThat(box.shell("cat " + job.resultsDirectory() + "/checkpoint")).isEqualTo("saved\n");
    }

    @ParameterizedTest
    @EnumSource
    @Promise("TR-15")
    void aDeafCommandIsKilledAfterTheGrace(Engine engine) throws Exception {
        use(engine);
        JobHandle job = box.submit(
                "deaf",
                job("trap '' TERM; touch {results_dir}/up; while :; do sleep 0.2; done")
                        .options(BoxOptionsOf.grace(Duration.ofSeconds(1))));
        box.waitForFile(job.resultsDirectory() + "/up");

        box.backend.cancel(job);

        assertThat(box.end(job).ending()).hasValue(Ending.CANCELLED);
        assertThat(box.shell(engine.runtime.program() + " inspect -f '{{.State.Status}}' " + job.key()))
                .isEqualTo("exited\n");
    }

    @ParameterizedTest
    @EnumSource
    @Promise("TR-18")
    void anImageThatCannotBeFetchedIsALaunchFailureInTheWordsOfTheEngine(Engine engine) throws Exception {
        use(engine);

        JobHandle job = box.submit("image", JobSpec.of("true").image("localhost:1/none:1"));
        JobStatus end = box.end(job);

        assertThat(end.ending()).hasValue(Ending.LAUNCH_FAILURE);
        assertThat(end.reason().orElse(""))
                .contains("could not fetch the image localhost:1/none:1", "connection refused");
        assertThat(box.backend.diagnose(job).summary())
                .startsWith("The command was not started: ")
                .contains("connection refused");
    }

    @ParameterizedTest
    @EnumSource
    @Promise("TR-18")
    void anEngineThatHasNoGpusRefusesInItsOwnWordsAndTheCheckReportsItBefore(Engine engine) throws Exception {
        use(engine);
        JobSpec.Builder spec = BoxStage.job("true", 1).image(IMAGE);

        Report report = box.backend.preflight(spec.build());
        JobStatus end = box.end(box.submit("gpus", spec));

        assertThat(report.failed()).isTrue();
        assertThat(report.checks().toString()).contains("no container here gets a GPU");
        assertThat(end.ending()).hasValue(Ending.LAUNCH_FAILURE);
        assertThat(end.reason().orElse(""))
                .contains(
                        engine == Engine.DOCKER
                                ? "could not select device driver \"\" with capabilities: [[gpu]]"
                                : "unresolvable CDI devices nvidia.com/gpu=0");
    }

    @Test
    @Promise("TR-18")
    void podmanGetsTheDevicesThatCdiNames() throws Exception {
        use(Engine.PODMAN_ROOTLESS);
        box.shell("""
                cat >/etc/cdi/nvidia.json <<'X'
                {"cdiVersion": "0.5.0", "kind": "nvidia.com/gpu", "devices": [
                  {"name": "0", "containerEdits": {"env": ["GPU_0=yes"]}},
                  {"name": "1", "containerEdits": {"env": ["GPU_1=yes"]}}]}
                X
                """);
        BoxOptions all = BoxOptions.defaults();
        JobSpec.Builder spec = BoxStage.job("echo \"[$GPU_0$GPU_1]\"", 1)
                .image(IMAGE)
                .options(new BoxOptions(
                        all.grace(),
                        all.onReboot(),
                        all.whenBusy(),
                        false,
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        BoxPreparation.NONE));

        Report report = box.backend.preflight(spec.build());
        JobHandle job = box.submit("cdi", spec);
        JobStatus end = box.end(job);
        box.shell("rm /etc/cdi/nvidia.json");

        assertThat(report.checks().toString()).contains("/etc/cdi/nvidia.json");
        assertThat(end.exitCode()).hasValue(0);
        assertThat(box.text(job, Stream.OUT)).isEqualTo("[yes]\n");
    }

    @ParameterizedTest
    @EnumSource
    @Promise("TR-18")
    void anImageWhoseEntryPointFailsHasNotStartedTheCommand(Engine engine) throws Exception {
        use(engine);
        BoxOptions all = BoxOptions.defaults();

        JobHandle job = box.submit(
                "entry",
                job("true")
                        .options(new BoxOptions(
                                all.grace(),
                                all.onReboot(),
                                all.whenBusy(),
                                true,
                                Optional.empty(),
                                Optional.empty(),
                                List.of("--entrypoint=ls"),
                                BoxPreparation.NONE)));
        JobStatus end = box.end(job);

        assertThat(end.ending()).hasValue(Ending.LAUNCH_FAILURE);
        assertThat(end.reason().orElse("")).contains("before the command was started: ");
    }

    @Test
    @Promise("TR-03")
    void anEngineThatCannotBeAskedIsAnOutageAndTheContainerGoesOn() throws Exception {
        use(Engine.DOCKER);
        JobHandle job = box.submit(
                "outage",
                job("touch {results_dir}/up; until [ -e {results_dir}/word ]; do sleep 0.1; done; echo heard;"
                        + " until [ -e {results_dir}/go ]; do sleep 0.1; done; exit 5"));
        box.waitForFile(job.resultsDirectory() + "/up");
        JobStatus away;
        String held;
        try {
            asRoot("rig-dockerd kill");
            away = box.until(job, "ENGINE_AWAY");
            held = box.shell("ls " + box.target.baseDirectory() + "/gpus/held");
            box.shell("touch " + job.resultsDirectory() + "/word");
            await().until(() -> box.text(job, Stream.OUT), "heard\n"::equals);
        } finally {
            asRoot("rig-dockerd on");
        }
        JobStatus back = box.until(job, "RUNNING");
        box.shell("touch " + job.resultsDirectory() + "/go");

        assertThat(away.state()).isEqualTo(JobState.UNCLEAR);
        assertThat(away.reason().orElse("")).contains("docker", "Cannot connect to the Docker daemon");
        assertThat(held).isEqualTo("slot-" + job.key() + "\n");
        assertThat(back.state()).isEqualTo(JobState.RUNNING);
        assertThat(box.end(job).exitCode()).hasValue(5);
        assertThat(box.text(job, Stream.OUT)).isEqualTo("heard\n");
    }

    @Test
    @Promise("TR-03")
    void aContainerThatEndsWhileItsEngineIsAwayHasItsOwnExitCodeWithoutItsWrapperToo() throws Exception {
        use(Engine.DOCKER);
        JobHandle job = box.submit(
                "away", job("touch {results_dir}/up; until [ -e {results_dir}/go ]; do sleep 0.1; done; exit 5"));
        JobHandle orphan = box.submit(
                "orphan", job("touch {results_dir}/up; until [ -e {results_dir}/go ]; do sleep 0.1; done; exit 6"));
        box.waitForFile(job.resultsDirectory() + "/up");
        box.waitForFile(orphan.resultsDirectory() + "/up");
        JobStatus whileAway;
        try {
            asRoot("rig-dockerd kill");
            box.shell("kill -s KILL -- -" + box.wrapper(orphan));
            box.shell("touch " + job.resultsDirectory() + "/go " + orphan.resultsDirectory() + "/go");
            assertThat(box.end(job).exitCode()).hasValue(5);
            whileAway = box.until(orphan, "ENGINE_AWAY");
        } finally {
            asRoot("rig-dockerd on");
        }

        assertThat(whileAway.state()).isEqualTo(JobState.UNCLEAR);
        assertThat(box.end(orphan).exitCode()).hasValue(6);
    }

    @Test
    @Promise("TR-03")
    void aJobIsCancelledOnceItsEngineAnswersAgain() throws Exception {
        use(Engine.DOCKER);
        JobHandle job = box.submit(
                "cancel", job("touch {results_dir}/up; sleep 600").options(BoxOptionsOf.grace(Duration.ofSeconds(1))));
        box.waitForFile(job.resultsDirectory() + "/up");
        JobStatus away;
        try {
            asRoot("rig-dockerd kill");
            box.backend.cancel(job);
            away = box.until(job, "ENGINE_AWAY");
        } finally {
            asRoot("rig-dockerd on");
        }

        assertThat(away.state()).isEqualTo(JobState.UNCLEAR);
        assertThat(box.end(job).ending()).hasValue(Ending.CANCELLED);
    }
}
