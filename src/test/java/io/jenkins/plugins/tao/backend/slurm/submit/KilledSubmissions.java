package io.jenkins.plugins.tao.backend.slurm.submit;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.slurm.FakeSlurm;
import io.jenkins.plugins.tao.backend.slurm.Sample;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Submissions whose script is killed before one of its lines and sent again. */
final class KilledSubmissions {
    static final String MARK = "submit/dino-train-0a1b2c.1";

    private KilledSubmissions() {}

    /** A cluster that remembers the jobs it took, and a sleep that takes no time. */
    static FakeSlurm cluster(Path directory) throws IOException {
        FakeSlurm cluster = new FakeSlurm(directory);
        String queue = "'" + cluster.base + "/queue'";
        cluster.command("sbatch", "echo $$ >> " + queue + "; awk 'END {print 4710 + NR}' " + queue);
        cluster.command("squeue", "touch " + queue + "; awk '{print 4710 + NR, \"RUNNING\", \"None\"}' " + queue);
        cluster.command("sleep", ":");
        return cluster;
    }

    static String script(FakeSlurm cluster) throws Exception {
        JobSpec spec = JobSpec.of("true {config_path}")
                .spec(Map.of("epochs", 3))
                .secrets(Map.of("A", Secret.of("hush")))
                .build();
        return SlurmSubmission.first(SlurmPlan.of(cluster.target(), spec, Sample.KEY));
    }

    static SlurmSubmission.Taken answer(FakeSlurm cluster, String script) throws Exception {
        return SlurmSubmission.parse("dgx", Sample.KEY, cluster.shell(script));
    }

    static long sent(FakeSlurm cluster) throws IOException {
        return cluster.calls()
                .lines()
                .filter(call -> call.startsWith("sbatch "))
                .count();
    }

    /**
     * Kills the script before each {@code step}th of its lines, on a cluster for each, and sees that one job was started.
     *
     * @return how often a line was reached, and the script killed before it
     */
    static int killAtEach(int step, Path directory) throws Exception {
        List<String> lines = script(cluster(directory)).lines().toList();
        int killed = 0;
        for (int at = lines.indexOf("stage() {") + 1; at < lines.size(); at += step) {
            if (lines.get(at).isBlank() || lines.get(at).matches("#.*|.*\\(\\) \\{")) {
                continue;
            }
            FakeSlurm cluster = cluster(directory.resolve("line" + at));
            if (diesBefore(cluster, at)) {
                killed++;
                assertThat(answerInTheEnd(cluster).id()).as(lines.get(at)).isEqualTo("4711");
                assertThat(sent(cluster)).as(lines.get(at)).isEqualTo(1);
            }
        }
        return killed;
    }

    private static boolean diesBefore(FakeSlurm cluster, int at) throws Exception {
        List<String> lines = new ArrayList<>(script(cluster).lines().toList());
        lines.add(at, "kill -9 $$");
        Path text = Files.writeString(cluster.base.resolve("killed"), String.join("\n", lines) + "\n");
        Process process =
                cluster.start("/bin/sh", text, Map.of(), cluster.base.resolve("o"), cluster.base.resolve("e"));
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return process.exitValue() == 137;
    }

    /** A lock in which nobody could write its name yet is broken when it is old. */
    private static SlurmSubmission.Taken answerInTheEnd(FakeSlurm cluster) throws Exception {
        try {
            return answer(cluster, script(cluster));
        } catch (Unreachable e) {
            assertThat(e).hasMessageContaining("in progress");
            Files.setLastModifiedTime(
                    cluster.base.resolve(MARK + ".lock"),
                    FileTime.from(Instant.now().minus(Duration.ofMinutes(10))));
            return answer(cluster, script(cluster));
        }
    }
}
