package io.jenkins.plugins.tao.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.job.Checkpoints;
import io.jenkins.plugins.tao.spec.CheckpointCase.Ran;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a training resumes from, on the layouts that networks leave. */
class ResumeTest {
    private static final String SHELLS = "io.jenkins.plugins.tao.spec.CheckpointCase#shells";
    private static final String DINO = "dino train -e /s.yaml";
    private static final String ARGUMENT = "train.resume_training_checkpoint_path=";

    @TempDir
    Path directory;

    private CheckpointCase at(String shell) throws Exception {
        return new CheckpointCase(Files.createDirectories(directory.resolve("results/job-1")), shell);
    }

    private CheckpointCase shared(String shell) throws Exception {
        return new CheckpointCase(Files.createDirectories(directory.resolve("nightly dino")), shell);
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    @Promise("NS-16")
    void aNewAttemptGoesOnFromTheNewestWholeCheckpointAndTheFirstStartsAnew(String shell) throws Exception {
        CheckpointCase job = at(shell);

        Ran first = job.run("job-1", DINO, Checkpoints.USUAL);
        job.whole("train/model_epoch_000_step_00100.pth");
        job.whole("train/model_epoch_001_step_00200.pth");
        job.link("train/dino_model_latest.pth", "model_epoch_001_step_00200.pth");
        Ran second = job.run("job-1", DINO, Checkpoints.USUAL);

        Path newest = job.path("train/model_epoch_001_step_00200.pth");
        assertThat(first.text()).isEqualTo("train -e /s.yaml|\n");
        assertThat(second.text())
                .isEqualTo("tao: resuming from " + newest + "\ntrain -e /s.yaml " + ARGUMENT + newest + "|" + newest
                        + "\n");
        assertThat(Files.readSymbolicLink(job.path("train/dino_model_latest.pth")))
                .hasToString("model_epoch_001_step_00200.pth");
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    @Promise("NS-16")
    void aHalfWrittenCheckpointIsNeverResumedFromAndTheLinkToItIsPutRight(String shell) throws Exception {
        CheckpointCase job = at(shell);
        Path whole = job.whole("train/model_epoch_009_step_01000.pth");
        job.half("train/model_epoch_010_step_01100.pth");
        job.zeros("train/model_epoch_011_step_01200.pth");
        job.write("train/model_epoch_012_step_01300.pth", "");
        job.whole("train/model_epoch_013_step_01400.pth.tmp");
        job.whole("train/.model_epoch_014_step_01500.pth");
        job.whole("train/model_epoch_015_step_01600.pth.part");
        job.link("train/dino_model_latest.pth", "model_epoch_011_step_01200.pth");

        Ran ran = job.run("job-1", DINO, Checkpoints.USUAL);

        assertThat(ran.text())
                .contains("model_epoch_010_step_01100.pth is not proved whole")
                .contains("model_epoch_011_step_01200.pth is not proved whole")
                .endsWith("|" + whole + "\n");
        assertThat(Files.readSymbolicLink(job.path("train/dino_model_latest.pth")))
                .hasToString("model_epoch_009_step_01000.pth");
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    @Promise("NS-16")
    void whereNoneIsWholeNoLinkLeadsTrainingToOne(String shell) throws Exception {
        CheckpointCase job = at(shell);
        job.half("train/model_epoch_000_step_00100.pth");
        job.link("train/dino_model_latest.pth", "model_epoch_000_step_00100.pth");

        Ran ran = job.run("job-1", DINO, Checkpoints.USUAL);

        assertThat(ran.text()).endsWith("train -e /s.yaml|\n");
        assertThat(job.names("train")).containsExactly("model_epoch_000_step_00100.pth");
    }

    @Test
    @Promise("NS-16")
    void aCheckpointThatStillGrowsIsNotResumedFrom() throws Exception {
        CheckpointCase job = at("dash");
        Path older = job.whole("train/model_epoch_000_step_00100.pth");
        Path growing = job.whole("train/model_epoch_001_step_00200.pth");
        Path bin = Files.createDirectories(directory.resolve("growth"));
        // what another node appends while we look
        Files.writeString(
                bin.resolve("sleep"),
                "#!/bin/sh\n[ -e '" + bin + "/done' ] || printf x >>'" + growing + "'; : >'" + bin + "/done'\n");
        bin.resolve("sleep").toFile().setExecutable(true);
        String path = bin + ":" + directory.resolve("results/bin") + ":" + System.getenv("PATH");

        Ran ran = job.run("job-1", DINO, Checkpoints.USUAL, Map.of("PATH", path));

        assertThat(ran.text()).endsWith("|" + older + "\n");
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    @Promise("NS-16")
    void theCheckpointOfAnExceptionIsNewerThanTheEpochBeforeItByItsStep(String shell) throws Exception {
        CheckpointCase job = at(shell);
        job.whole("train/model_epoch_009_step_00900.pth");
        Path exception = job.whole("train/model_epoch_010_step_00955.pth");
        job.whole("train/model_epoch_002_step_99999.pth");

        assertThat(job.run("job-1", DINO, Checkpoints.USUAL).text()).endsWith("|" + exception + "\n");

        Path complete = job.whole("train/model_epoch_010_step_01000.pth");
        assertThat(job.run("job-1", DINO, Checkpoints.USUAL).text()).endsWith("|" + complete + "\n");
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    @Promise("NS-16")
    void aNewNightInTheSameDirectoryStartsAnewAndItsNextAttemptGoesOn(String shell) throws Exception {
        CheckpointCase job = shared(shell);
        job.whole("train/model_epoch_011_step_01200.pth");
        job.link("train/dino_model_latest.pth", "model_epoch_011_step_01200.pth");
        job.old("train");

        Ran first = job.run("night-2", DINO, Checkpoints.USUAL);
        assertThat(first.text()).isEqualTo("train -e /s.yaml|\n");
        assertThat(job.names("train")).containsExactly("model_epoch_011_step_01200.pth");

        Path own = job.whole("train/model_epoch_000_step_00100.pth");
        Ran second = job.run("night-2", DINO, Checkpoints.USUAL);
        assertThat(second.text()).endsWith("|" + own + "\n");
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    @Promise("NS-16")
    void networksThatNeedKeysOfTheirOwnGetThem(String shell) throws Exception {
        CheckpointCase job = shared(shell);
        job.run("job-1", "pointpillars train -e /s.yaml", Checkpoints.USUAL);
        Path points = job.whole("checkpoint_epoch_10.pth");
        job.whole("checkpoint_epoch_9.pth");
        Path fusion = job.whole("train/epoch_3.pth");

        assertThat(job.run("job-1", "pointpillars train -e /s.yaml", Checkpoints.USUAL)
                        .text())
                .endsWith("train -e /s.yaml " + ARGUMENT + points + "|" + points + "\n");
        assertThat(job.run("job-1", "bevfusion train -e /s.yaml", Checkpoints.USUAL)
                        .text())
                .endsWith("train -e /s.yaml train.resume=true train.pretrained_checkpoint=" + fusion + "|" + fusion
                        + "\n");
        assertThat(job.run("job-1", "set -e; pointpillars train -e /s.yaml {resume} && true", Checkpoints.USUAL)
                        .text())
                .endsWith("train -e /s.yaml " + ARGUMENT + points + "|" + points + "\n");
        assertThat(job.run("job-1", "set -e; pointpillars train -e /s.yaml", Checkpoints.USUAL)
                        .text())
                .contains("resumes by an argument alone, and the command has no {resume}");
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    @Promise("NS-16")
    void aCheckpointOfManyRanksIsWholeWhenAllOfThemHaveSaidSo(String shell) throws Exception {
        CheckpointCase job = at(shell);
        for (String step : new String[] {"epoch_1", "epoch_2", "epoch_3"}) {
            String policy = "20261122/checkpoints/" + step + "/policy/";
            job.write(policy + "cosmos_config", "{}");
            job.write(policy + "model_rank_0.pth", "x");
            job.write(policy + "model_rank_1.pth", "x");
            job.write(policy + ".rank_0_complete", "");
            if (!step.equals("epoch_3")) {
                job.write(policy + ".rank_1_complete", "");
            }
        }

        Ran ran = job.run("job-1", "cosmos-rl train --config /s.toml", Checkpoints.USUAL);

        assertThat(ran.text()).endsWith("|" + job.path("20261122/checkpoints/epoch_2") + "\n");
    }

    @ParameterizedTest
    @MethodSource(SHELLS)
    @Promise("NS-16")
    void neverStartsAnewAndAPathIsWhereTheFirstAttemptBegins(String shell) throws Exception {
        CheckpointCase job = at(shell);
        job.whole("train/model_epoch_004_step_00500.pth");
        job.link("train/dino_model_latest.pth", "model_epoch_004_step_00500.pth");
        CheckpointCase before = shared(shell);
        Path named = before.whole("train/model_epoch_007_step_00800.pth");
        before.half("train/model_epoch_008_step_00900.pth");
        before.old("train");

        Ran never = job.run("job-1", DINO, Checkpoints.parse("never", ""));
        assertThat(never.text()).isEqualTo("train -e /s.yaml|\n");
        assertThat(job.names("train")).containsExactly("model_epoch_004_step_00500.pth");

        Files.delete(job.path("train/model_epoch_004_step_00500.pth"));
        Checkpoints path = Checkpoints.parse(before.path("train").toString(), "");
        assertThat(job.run("job-1", DINO, path).text()).endsWith("|" + named + "\n");
        assertThat(Files.readSymbolicLink(job.path("train/dino_model_latest.pth")))
                .isEqualTo(named);

        Path own = job.whole("train/model_epoch_009_step_01000.pth");
        assertThat(job.run("job-1", DINO, path).text()).endsWith("|" + own + "\n");
    }

    @Test
    @Promise("NS-16")
    void aNamedCheckpointThatIsNotWholeStopsTheJobBeforeItsCommand() throws Exception {
        CheckpointCase job = at("dash");
        Path half = job.half("elsewhere.pth");

        Ran ran = job.run("job-1", DINO, Checkpoints.parse(half.toString(), ""));

        assertThat(ran.code()).isEqualTo(66);
        assertThat(ran.text())
                .isEqualTo("tao: ERROR: there is no whole checkpoint of this network at " + half
                        + "; the command was not started\n");
    }

    @Test
    @Promise("NS-16")
    void aNetworkThatTakesTheGreatestNameIsNotLetIntoTheDirectoryOfAnotherNight() throws Exception {
        CheckpointCase job = shared("dash");
        job.whole("train/efficientdet-d0_012.tlt");
        job.old("train");

        Ran ran = job.run("night-2", "efficientdet_tf2 train -e /s.yaml", Checkpoints.USUAL);

        assertThat(ran.code()).isEqualTo(66);
        assertThat(ran.text()).contains("give the job its own results directory");
    }

    @Test
    void aRequestForANetworkThatIsNotKnownIsRefused() throws Exception {
        CheckpointCase job = at("dash");

        assertThatThrownBy(() -> job.run("job-1", "python3 train.py", Checkpoints.parse("never", "")))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("trains no single network");
        assertThatThrownBy(() -> Checkpoints.parse("yes", ""))
                .hasMessageContaining("resume must be auto, never, or the absolute path");
        assertThat(CheckpointRule.of("dino train -e a; segformer train -e b")).isEmpty();
        assertThat(CheckpointRule.of("cd x && exec segformer train -e b"))
                .map(CheckpointRule::network)
                .contains("segformer");
    }
}
