package io.jenkins.plugins.tao.backend.notebook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendContract;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.backend.notebook.KaggleOptions.OnCancel;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The port's promises, against notebooks that run for real. */
class KaggleBackendTest extends BackendContract {
    private static final Pattern RESULTS = Pattern.compile("/kaggle/working/results/([a-z0-9-]+)");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path temporary;

    private final KaggleType type = new KaggleType();
    private KaggleSimulator kaggle;
    private KaggleBackend backend;

    @BeforeEach
    void open() throws Exception {
        kaggle = new KaggleSimulator(temporary);
        backend = KaggleRig.backend(kaggle.target());
    }

    @AfterEach
    void close() {
        backend.close();
        kaggle.close();
    }

    @Override
    protected BackendType type() {
        return type;
    }

    @Override
    protected Target target() {
        return kaggle.target();
    }

    @Override
    protected Backend backend() {
        return backend;
    }

    /** Where only a deletion ends a run. */
    @Override
    protected JobSpec.Builder job(String command) {
        return JobSpec.of(command).options(Records.of(KaggleOptions.class, "onCancel", OnCancel.DELETE));
    }

    /** Each session has a disk of its own: the newest one of a job is meant. */
    @Override
    protected String shell(String script) throws Exception {
        String here = RESULTS.matcher(script).replaceAll(match -> newest(match) + "/results/" + match.group(1));
        Process process = new ProcessBuilder("/bin/sh", "-c", here).start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return out;
    }

    private String newest(MatchResult match) {
        return kaggle.kernels.entrySet().stream()
                .filter(kernel -> kernel.getKey().startsWith("tao-" + match.group(1)))
                .max(Map.Entry.comparingByKey())
                .map(kernel -> kernel.getValue().working().toString())
                .orElse("/nowhere");
    }

    @Override
    protected String everything() {
        return temporary.toString();
    }

    /** Kaggle keeps logs, no files of them. */
    @Override
    protected Optional<String> outFile(JobHandle job) {
        return Optional.empty();
    }

    /** There is no way to hand a secret to a notebook: it is refused, and nothing is sent. */
    @Test
    @Override
    protected void aSecretReachesTheCommandAndNoFile() throws Exception {
        JobSpec spec =
                job("true").secrets(Map.of("TOKEN", Secret.of("s3cret-value"))).build();

        assertThatThrownBy(() -> submit(spec))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("TOKEN")
                .extracting(e -> ((Rejected) e).remedy())
                .asString()
                .contains("secretsDataset");
        assertThatThrownBy(() -> type.preview(target(), spec, key())).isInstanceOf(Rejected.class);
        assertThat(kaggle.calls).isEmpty();
        assertThat(shell("grep -rlF s3cret- " + everything() + " || :")).isEmpty();
    }

    /** The same as elsewhere but for secrets: the next session begins with what the last one left. */
    @Test
    @Override
    protected void aFurtherAttemptKeepsTheResultsAndStartsOnce() throws Exception {
        JobHandle one = submit(job("echo run >>{results_dir}/runs; exit 9").build());
        end(one);

        JobHandle two = backend.resubmit(one, Map.of(), Set.of());
        JobHandle again = backend.resubmit(one, Map.of(), Set.of());
        end(two);

        assertThat(two.attempt()).isEqualTo(2);
        assertThat(two.key()).isEqualTo(one.key());
        assertThat(two.resultsDirectory()).isEqualTo(one.resultsDirectory());
        assertThat(two.nativeId()).isNotEqualTo(one.nativeId());
        assertThat(again).isEqualTo(two);
        assertThat(shell("cat " + one.resultsDirectory() + "/runs")).isEqualTo("run\nrun\n");
    }
}
