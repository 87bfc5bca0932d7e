package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.job.Outcome.Failed;
import io.jenkins.plugins.tao.job.Outcome.Succeeded;
import io.jenkins.plugins.tao.job.Progress;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Texts that jobs write and users give, as odd as they come, through all layers and the real cluster. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@NeedsRig(value = "slurm", shared = true)
final class SlurmTextsIT {
    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);
    private static final Path BASE = Path.of("/lustre/tao/texts-" + RUN);
    private static final String SUCCESS = "echo '{\"status\": \"SUCCESS\"}' >> {results_dir}/status.json";

    private final SlurmTarget target = SlurmRig.target("texts-" + RUN).build();
    private final Host host = new SshHost(target.login(), "rig");
    private final RigWatch watch = new RigWatch(target);

    @BeforeAll
    static void rig() {
        SlurmRig.assumeUp();
    }

    @AfterAll
    void close() throws Exception {
        watch.close();
        host.close();
    }

    private static JobSpec.Builder job(String command) {
        return JobSpec.of(command)
                .resources(new Resources(1, OptionalInt.of(0), OptionalInt.of(1), Optional.of(Duration.ofMinutes(5))));
    }

    private JobHandle start(String name, String command) throws Exception {
        return watch.start(name + "-" + RUN, job(command).build());
    }

    @Test
    void aStatusFileInAnyStateNeitherEndsAJobNorHidesItsExitCode() throws Exception {
        Map<String, String> files = new LinkedHashMap<>();
        files.put("absent", "true");
        files.put("empty", ": > {results_dir}/status.json");
        files.put("half", "printf '{\"status\": \"SUCC' > {results_dir}/status.json");
        files.put("nan", SUCCESS.replace("SUCCESS\"", "SUCCESS\", \"kpi\": {\"val_loss\": NaN, \"mAP\": 0.5}"));
        files.put(
                "garbage",
                "head -c 100000 /dev/urandom > {results_dir}/status.json; echo >> {results_dir}/status.json");
        files.put(
                "huge",
                "yes '{\"status\": \"RUNNING\", \"epoch\": 1}' | head -n 400000 > {results_dir}/status.json; "
                        + SUCCESS);
        files.put(
                "elsewhere",
                "mkdir {results_dir}/train; cd {results_dir}/train; " + SUCCESS.replace("{results_dir}", "."));
        files.put(
                "deeper",
                "mkdir -p {results_dir}/dino/train; cd {results_dir}/dino/train; "
                        + SUCCESS.replace("{results_dir}", "."));
        Map<String, JobHandle> jobs = new LinkedHashMap<>();
        for (Map.Entry<String, String> file : files.entrySet()) {
            jobs.put(file.getKey(), start(file.getKey(), file.getValue()));
        }

        for (Map.Entry<String, JobHandle> job : jobs.entrySet()) {
            assertThat(watch.end(job.getValue()).outcome()).as(job.getKey()).isEqualTo(new Succeeded());
        }
        assertThat(progress(jobs, "nan").kpis()).containsOnlyKeys("mAP", "val_loss");
        assertThat(progress(jobs, "huge").epoch()).hasValue(1);
        assertThat(progress(jobs, "elsewhere").status()).isEqualTo("SUCCESS");
        assertThat(progress(jobs, "deeper").status()).isEqualTo("SUCCESS");
    }

    private Progress progress(Map<String, JobHandle> jobs, String name) {
        return watch.end(Optional.ofNullable(jobs.get(name)).orElseThrow()).progress();
    }

    @Test
    void aStatusFileOfAnEarlierAttemptDecidesNothing() throws Exception {
        String name = "earlier-" + RUN;
        Path results = BASE.resolve("results/" + name);
        SlurmRig.shell(
                host,
                "mkdir -p " + results + "; cd " + results
                        + " && echo '{\"status\": \"FAILURE\", \"message\": \"long ago\"}' > status.json && touch -d '1 hour ago' status.json");

        JobResult result = watch.end(watch.start(name, job("true").build()));

        assertThat(result.outcome()).isEqualTo(new Succeeded());
        assertThat(result.progress().status()).isEmpty();
    }

    @Test
    void aFailureInTheStatusFileSpoilsAnExitCodeOfZero() throws Exception {
        JobResult result = watch.end(start(
                "spoilt", "echo '{\"status\": \"FAILURE\", \"message\": \"no data\"}' > {results_dir}/status.json"));

        assertThat(result.outcome())
                .isEqualTo(new Failed(Cause.PROGRAM, "status.json says FAILURE. Its last message: no data"));
    }

    @Test
    void aLogWithoutNewlinesWithCarriageReturnsAndBrokenUtf8IsToldInPieces() throws Exception {
        JobHandle job = start(
                "log",
                "printf 'epoch 1: 10%%\\repoch 1: 100%%\\r\\n'; printf 'caf\\351 \\377 ok\\n';"
                        + " head -c 40000 /dev/zero | tr '\\000' x; printf '\\nno end'");

        watch.end(job);
        List<String> lines = watch.lines(job, Stream.OUT);

        assertThat(lines.get(0)).isEqualTo("epoch 1: 100%");
        assertThat(lines.get(1)).isEqualTo("caf\ufffd \ufffd ok");
        assertThat(lines).allMatch(line -> line.length() <= 16 * 1024);
        assertThat(String.join("", lines.subList(2, lines.size()))).isEqualTo("x".repeat(40_000) + "no end");
    }

    @Test
    void aLogThatWasCutIsReadFromItsNewStart() throws Exception {
        JobHandle job = start("cut", "echo first; while [ ! -e {results_dir}/go ]; do sleep 0.2; done");
        await().until(() -> watch.lines(job, Stream.OUT).contains("first"));
        Path log = BASE.resolve("slurm-logs/tao-job-cut-" + RUN + "-" + job.nativeId() + ".out");

        Files.writeString(log, "new\n");
        await().until(() -> watch.lines(job, Stream.OUT).contains("new"));
        Files.writeString(BASE.resolve("results/cut-" + RUN + "/go"), "");

        assertThat(watch.end(job).outcome()).isEqualTo(new Succeeded());
        assertThat(watch.lines(job, Stream.OUT)).containsExactly("first", "new");
    }

    @Test
    void textsOfAnyKindAndLengthArriveAsTheyWereGiven() throws Exception {
        String nasty = "it's \"$HOME\" $(id) `id` | ; & * ? ! -rf --export=NONE äöü ✓ \\n\ntwo\tlines\n";
        String long10KiB = nasty.repeat(1 + 10 * 1024 / nasty.length());
        Map<String, String> env = new LinkedHashMap<>();
        env.put("NASTY", nasty);
        env.put("LONG", long10KiB);
        env.put("DASH", "-n");
        JobSpec spec =
                job("printf '%s' \"$NASTY\" > {results_dir}/nasty; printf '%s' \"$LONG\" > {results_dir}/long; printf '%s' \"$DASH\" > {results_dir}/dash; cat > {results_dir}/command << 'E'\n"
                                + long10KiB + "\nE\n")
                        .env(env)
                        .resultsDirectory(BASE + "/-results/odd@1+x=y,z:w")
                        .build();

        JobHandle job = watch.start("texts-" + RUN, spec);

        assertThat(watch.end(job).outcome()).isEqualTo(new Succeeded());
        Path results = Path.of(job.resultsDirectory());
        assertThat(results.resolve("nasty")).hasContent(nasty);
        assertThat(results.resolve("long")).hasContent(long10KiB);
        assertThat(results.resolve("dash")).hasContent("-n");
        assertThat(results.resolve("command")).hasContent(long10KiB + "\n");
    }

    @Test
    void aSpecOfFiveMebibytesArrivesWhole() throws Exception {
        String text = "0123456789abcdé\n".repeat(5 * 1024 * 1024 / 17);
        JobSpec spec =
                job("python3 -c 'import json,sys; print(len(json.load(open(sys.argv[1]))[\"text\"]))' {config_path}"
                                + " || wc -c < {config_path}")
                        .spec(Map.of("text", text))
                        .build();

        JobHandle job = watch.start("large-" + RUN, spec);

        assertThat(watch.end(job).outcome()).isEqualTo(new Succeeded());
        assertThat(Files.readString(BASE.resolve("specs/large-" + RUN + ".json")))
                .contains(text.substring(0, 15))
                .hasSizeGreaterThan(text.length());
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(BASE.resolve("specs/large-" + RUN + ".json"))))
                .isEqualTo("rw-------");
    }

    @Test
    void aNameOfAnyKindMakesAJobThatIsFoundByIt() throws Exception {
        JobKey key = JobKey.derive("it's | $(id) \"ünï\"\n--wrap=x " + "long".repeat(3000), RUN);

        JobHandle job = watch.start(key.value(), job("true").build());

        assertThat(SlurmRig.shell(host, "squeue -h -t all -o '%j' -j " + job.nativeId()))
                .isEqualTo("tao-job-" + key);
        assertThat(watch.end(job).outcome()).isEqualTo(new Succeeded());
    }
}
