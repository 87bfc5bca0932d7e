package io.jenkins.plugins.tao.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.NeedsJenkins;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.SavedXml;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Homes that earlier versions left, with a build that waits for a job which ended while Jenkins was down. */
@NeedsJenkins
class UpgradeIT {
    /** Where the targets of the captured homes had their jobs. As many letters as any other name in its place: a saved program has its length. */
    private static final String CAPTURED = "tao-base";

    private final String base = UUID.randomUUID().toString().substring(0, CAPTURED.length());

    @TempDir
    private Path home;

    private @Nullable JenkinsProcess process;

    @AfterEach
    void stop() throws IOException {
        if (process != null) {
            process.close();
        }
        try (var files = Files.walk(Path.of("/tmp", base))) {
            files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
        }
    }

    @Test
    @Promise("JK-23")
    void theOldestHomeShowsItsBuildsAndTargetsAndTakesUpItsRunningJob() throws IOException {
        JenkinsClient jenkins = upgraded("0.1.0-2026-11-21");

        new Build(jenkins, "open").ends("SUCCESS");
        assertThat(new Build(jenkins, "open").log()).contains("after\n", "succeeded");
        assertThat(new Build(jenkins, "ok").page()).contains("\"id\":\"ok-0f1554676732\"", "\"state\":\"SUCCESS\"");
        assertThat(new Build(jenkins, "fails").page()).contains("\"state\":\"FAILURE\"");
        assertThat(jenkins.get("job/fails/1/tao/")).contains("broken-32fce6f46210");
        assertThat(jenkins.groovy("""
                println io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration.get().targets*.name
                def builder = jenkins.model.Jenkins.get().getItem('freestyle').builders[0]
                println "${builder.job.target} ${builder.job.options.partition} ${builder.retries}"
                println jenkins.model.Jenkins.get().getExtensionList(hudson.diagnosis.OldDataMonitor)[0].data
                """)).contains("[local, dgx]", "dgx batch 2", "[:]");
    }

    @Test
    @Promise("JK-23")
    void aLaterHomeShowsItsGatesTooAndTakesUpItsRunningJob() throws IOException {
        JenkinsClient jenkins = upgraded("0.1.0-2026-11-23");

        new Build(jenkins, "open").ends("SUCCESS");
        assertThat(new Build(jenkins, "open").log()).contains("after\n", "succeeded");
        assertThat(new Build(jenkins, "gated").page()).contains("\"state\":\"SUCCESS\"", "val_mAP at least 99");
        assertThat(jenkins.get("job/gated/tao/")).contains("0.607");
    }

    @Test
    @Promise({"JK-23", "NV-02"})
    void aNightAfterTheUpgradeIsJudgedByTheRecordOfTheNightBefore() throws IOException {
        JenkinsClient jenkins = upgraded("0.1.0-2026-11-23");

        String said = jenkins.groovy("""
                def job = jenkins.model.Jenkins.get().getItem('gated')
                job.definition = new org.jenkinsci.plugins.workflow.cps.CpsFlowDefinition(\"\"\"
                taoRun target: 'sim', name: 'dino', command: 'dino train', retries: 0, spec: [lr: 0.1], options: simulated(epochs: 3)
                taoGate(kpi: 'val_mAP')
                \"\"\", true)
                def night = job.scheduleBuild2(0).get()
                println night.result
                println night.log
                """);

        assertThat(said).contains("SUCCESS", "is the 2nd comparable run; the first verdict comes with the 3rd");
    }

    private JenkinsClient upgraded(String version) throws IOException {
        copy(SavedXml.captured(version).resolve("home"), home);
        copy(SavedXml.captured(version).resolve("base"), Path.of("/tmp", base));
        JenkinsProcess started = JenkinsProcess.in(home);
        process = started;
        return started.start();
    }

    private void copy(Path from, Path to) throws IOException {
        for (Path file : SavedXml.files()) {
            if (file.startsWith(from)) {
                Path copy = to.resolve(from.relativize(file));
                Files.createDirectories(copy.resolveSibling(""));
                String text = Files.readString(file, StandardCharsets.ISO_8859_1);
                Files.writeString(copy, text.replace(CAPTURED, base), StandardCharsets.ISO_8859_1);
            }
        }
    }
}
