package io.jenkins.plugins.tao.tracking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.SecretSource;
import io.jenkins.plugins.tao.record.ARun;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Promise("NV-36")
class MlflowTest {
    private final Instant now = Instant.now();
    private static final String LOG = "runs/log-batch";

    @TempDir
    Path folder;

    private MlflowStandIn mlflow;
    private Outbox outbox;

    @BeforeEach
    void start() throws IOException {
        mlflow = MlflowStandIn.start();
        outbox = new Outbox(folder.resolve("waiting"));
    }

    @AfterEach
    void stop() {
        mlflow.close();
    }

    private MlflowSettings settings(String experiment) {
        return new MlflowSettings(
                mlflow.address(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(experiment));
    }

    private Outbox.Sent send(MlflowSettings settings) throws IOException {
        try (MlflowServer server = settings.server(Optional.empty(), Duration.ofMinutes(5))) {
            return outbox.send(server, now, () -> true);
        }
    }

    private Outbox.Sent send() throws IOException {
        return send(settings("tao/{network}"));
    }

    private static RunRecord night() {
        return ARun.of(7)
                .top("target", "dgx")
                .top("resultsDir", "/lustre/results/train-7")
                .text("origin", "url", "job/nightly/7/")
                .text("origin", "code", "0a1b2c")
                .text("times", "endedAt", "2026-01-08T02:01:00Z")
                .number("work/spec", "train.num_epochs", 12)
                .metric("val mIoU [evaluate]", 0.5, 0.6, Double.NaN)
                .record();
    }

    private void add(RunRecord run) throws IOException {
        Files.writeString(folder.resolve(RunRecord.FILE), run.render());
        outbox.add(folder, Optional.of("https://ci.example/"));
    }

    private JsonNode told() {
        assertThat(mlflow.runs).hasSize(1);
        return mlflow.runs.get(0);
    }

    @Test
    void aRunGetsItsParametersItsMetricsAndItsAddresses() throws IOException {
        add(night());

        Outbox.Sent sent = send();

        assertThat(sent.pages()).containsExactly(mlflow.address().replaceAll("/$", "") + "/#/experiments/1/runs/run1");
        assertThat(sent.waiting()).isZero();
        assertThat(sent.news()).isEmpty();
        assertThat(mlflow.experiments).containsKey("tao/dino");
        JsonNode run = told();
        assertThat(run.at("/info/status").asText()).isEqualTo("FINISHED");
        assertThat(run.at("/info/end_time").asLong())
                .isEqualTo(Instant.parse("2026-01-08T02:01:00Z").toEpochMilli());
        assertThat(MlflowStandIn.params(run))
                .containsEntry("network", "dino")
                .containsEntry("gpu_type", "H100")
                .containsEntry("target", "dgx")
                .containsEntry("spec.train.num_epochs", "12");
        assertThat(MlflowStandIn.tag(run, "tao.url")).isEqualTo("https://ci.example/job/nightly/7/");
        assertThat(MlflowStandIn.tag(run, "mlflow.source.name")).isEqualTo("https://ci.example/job/nightly/7/");
        assertThat(MlflowStandIn.tag(run, "mlflow.source.git.commit")).isEqualTo("0a1b2c");
        assertThat(MlflowStandIn.tag(run, "tao.results")).isEqualTo("/lustre/results/train-7");
        assertThat(run.at("/data/metrics").toString())
                .contains("\"key\":\"val mIoU _evaluate_\"", "\"value\":0.6", "\"step\":1", "\"NaN\"")
                .contains("{\"key\":\"tao.gpu_hours\",\"timestamp\":1767837660000,\"step\":0,\"value\":8.0}");
    }

    @Test
    void anEndIsTheOneOfTheJob() throws IOException {
        for (String word : List.of("failed", "cancelled", "lost")) {
            add(ARun.of(1, word.length()).ended(word).record());
        }

        send();

        assertThat(mlflow.runs)
                .extracting(run -> run.at("/info/status").asText())
                .containsExactlyInAnyOrder("FAILED", "KILLED", "FAILED");
    }

    @Test
    void aLongSeriesGoesInBatchesThatTheServerTakes() throws IOException {
        StringBuilder csv = new StringBuilder("metric,epoch,step,value\r\n");
        for (int i = 0; i < 2500; i++) {
            csv.append("\"loss, total\",,").append(i).append(",0.").append(i).append("\r\n");
        }
        Files.writeString(folder.resolve("series.csv"), csv);
        ARun run = ARun.of(7);
        for (int i = 0; i < 250; i++) {
            run.text("work/spec", "key" + i, "x".repeat(700));
        }
        add(run.record());

        assertThat(send().news()).isEmpty();
        assertThat(told().at("/data/metrics")).hasSize(2500 + 3);
        assertThat(MlflowStandIn.params(told())).hasSizeGreaterThan(250);
        assertThat(MlflowStandIn.tag(told(), "tao_sent")).isEqualTo("4/4");
    }

    @Test
    void aLostAnswerMakesNoSecondRunAndNoSecondValue() throws IOException {
        List<String> calls = List.of("experiments/create", "runs/create", LOG, "runs/update");
        for (int i = 0; i < calls.size(); i++) {
            add(ARun.of(i).metric("loss", 3, 2).record());
            mlflow.losesTheAnswerOf(calls.get(i));

            Outbox.Sent lost = send();
            assertThat(lost.waiting()).as(calls.get(i)).isEqualTo(1);
            assertThat(lost.news().orElse("")).contains("1 run waits", "gave no whole answer");
            assertThat(send().waiting()).as(calls.get(i)).isZero();
        }

        assertThat(mlflow.runs).hasSize(calls.size()).allSatisfy(run -> {
            assertThat(run.at("/data/metrics")).hasSize(2 + 3);
            assertThat(run.at("/info/status").asText()).isEqualTo("FINISHED");
        });
    }

    @Test
    void anOutageIsToldOnceAndTheRunIsToldLater() throws IOException {
        add(night());
        for (int i = 0; i < 3; i++) {
            mlflow.answers("get-by-name", 503, "text/html", "<html>down</html>");
        }

        assertThat(send().news().orElse("")).contains("1 run waits to be logged to MLflow", "HTTP 503");
        assertThat(send().news()).isEmpty();
        assertThat(send().news()).isEmpty();
        assertThat(send().pages()).hasSize(1);
        add(ARun.of(8).record());
        mlflow.answers("get-by-name", 429, "application/json", "{\"error_code\":\"REQUEST_LIMIT_EXCEEDED\"}");
        assertThat(send().news().orElse("")).contains("slow down");
    }

    @Test
    void aWrongLoginAndAPageInsteadOfAnAnswerAreSaidAndNothingIsLost() throws IOException {
        add(night());
        mlflow.answers("get-by-name", 200, "text/html", "<html>Log in</html>");
        assertThat(send().news().orElse("")).contains("sent a web page");
        Files.delete(folder.resolve("waiting/trouble.txt"));
        mlflow.login = "Bearer tok-123456";

        assertThat(send().news().orElse("")).contains("does not allow", "401");
        MlflowSettings right = new MlflowSettings(
                mlflow.address(),
                Optional.of(SecretSource.known(Secret.of("tok-123456"))),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        assertThat(send(right).pages()).hasSize(1);
        assertThat(mlflow.experiments).containsKey("nightly");
    }

    @Test
    void anAddressWithoutMlflowIsNotTakenForAMissingExperiment() throws IOException {
        add(night());
        mlflow.answers("get-by-name", 404, "text/html", "<html>nothing here</html>");

        assertThat(send().news().orElse("")).contains("404");
        assertThat(mlflow.calls).containsExactly("experiments/get-by-name");
    }

    @Test
    void anExperimentThatAnotherMakesAtTheSameTimeIsUsed() throws IOException {
        add(night());
        mlflow.answers("get-by-name", 404, "application/json", "{\"error_code\":\"RESOURCE_DOES_NOT_EXIST\"}");
        mlflow.experiments.put("tao/dino", "41");

        assertThat(send().pages().get(0)).contains("/experiments/41/");
    }

    @Test
    void aDeletedExperimentIsNamed() throws IOException {
        mlflow.experiments.put("tao/dino", "1");
        mlflow.deleted.add("tao/dino");
        add(night());

        assertThat(send().news().orElse("")).contains("'tao/dino'", "deleted", "Restore it");
        mlflow.deleted.clear();
        assertThat(send().pages()).hasSize(1);
    }

    @Test
    void aRefusedRunDoesNotKeepOthersBack() throws IOException {
        add(night());
        add(ARun.of(8).record());
        mlflow.answers(LOG, 400, "application/json", "{\"error_code\":\"INVALID_PARAMETER_VALUE\",\"message\":\"no\"}");

        Outbox.Sent sent = send();

        assertThat(sent.pages()).hasSize(1);
        assertThat(sent.waiting()).isEqualTo(1);
    }

    @Test
    void howeverManyRunsAreRefusedTheOthersAreTold() throws IOException {
        for (int i = 1; i <= 7; i++) {
            add(ARun.of(i).record());
            mlflow.refuses("train-" + i, 400);
        }
        add(ARun.of(8).record());

        Outbox.Sent sent = send();

        assertThat(sent.pages()).hasSize(1);
        assertThat(sent.waiting()).isEqualTo(7);
    }

    @Test
    void aRunThatTheServerFailsAtKeepsOthersBackForAWhileOnly() throws IOException {
        add(ARun.of(1).record());
        mlflow.refuses("train-1", 500);
        Files.setLastModifiedTime(
                folder.resolve("waiting/train-1.json"), FileTime.from(now.minus(Duration.ofHours(1))));
        add(ARun.of(2).record());

        try (MlflowServer server = settings("x").server(Optional.empty(), Duration.ofMinutes(5))) {
            Instant first = Instant.parse("2026-01-08T02:00:00Z");
            for (int turn = 0; turn < 20; turn++) { // as often as Jenkins does
                outbox.send(server, first.plus(Duration.ofMinutes(10L * turn)), () -> true);
            }
        }

        assertThat(mlflow.runs)
                .extracting(run -> MlflowStandIn.tag(run, "tao_job"))
                .containsExactly("train-2");
        assertThat(folder.resolve("waiting/train-1.json")).exists();
    }

    @Test
    void aRunThatTheTrainingItselfMadeIsAddedTo() throws IOException {
        add(night());
        send();
        mlflow.runs
                .get(0)
                .withObject("/data")
                .putArray("tags")
                .addObject()
                .put("key", "tao_job")
                .put("value", "train-7");
        mlflow.runs
                .get(0)
                .withObject("/data")
                .putArray("params")
                .addObject()
                .put("key", "seed")
                .put("value", "other");
        mlflow.runs
                .get(0)
                .withObject("/data")
                .withArray("/params")
                .addObject()
                .put("key", "network")
                .put("value", "mine");
        add(night());

        assertThat(send().news()).isEmpty();
        assertThat(MlflowStandIn.params(told()))
                .containsEntry("network", "mine")
                .containsEntry("target", "dgx");
    }

    @Test
    void whatWaitedAWeekIsGivenUpAndThatIsSaid() throws IOException {
        add(night());
        Path file = folder.resolve("waiting/train-7.json");
        Files.setLastModifiedTime(file, FileTime.from(now.minus(Duration.ofDays(8))));
        mlflow.answers("get-by-name", 503, "text/plain", "");

        assertThat(send().news().orElse("")).contains("Not logged to MLflow: 1 run");
        assertThat(file).doesNotExist();
    }

    @Test
    void aRunWaitsWhileThereIsNoTimeAndWhileAnotherSends() throws IOException {
        add(night());
        try (MlflowServer server = settings("x").server(Optional.empty(), Duration.ofMinutes(5))) {
            assertThat(outbox.send(server, now, () -> false).waiting()).isEqualTo(1);
            List<Outbox.Sent> inner = new ArrayList<>();
            outbox.send(server, now, () -> {
                try {
                    inner.add(outbox.send(server, now, () -> true));
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
                return false;
            });
            assertThat(inner.get(0).pages()).isEmpty();
        }
        assertThat(mlflow.calls).isEmpty();
    }

    @Test
    void namesThatMlflowRefusesAreChangedAndStayApart() {
        MlflowNames names = new MlflowNames(List.of());

        assertThat(List.of(names.of("mAP@0.5"), names.of("mAP#0.5"), names.of("mAP@0.5")))
                .containsExactly("mAP_0.5", "mAP_0.5_2", "mAP_0.5");
        assertThat(List.of(names.of("/a//b/"), names.of(".."), names.of("a/../b"), names.of("")))
                .noneMatch(name -> ("/" + name + "/").matches(".*(//|/\\.{1,2}/).*"));
    }

    @Test
    void wrongSettingsAreRefused() {
        assertThatThrownBy(() -> settings("{nite}"))
                .hasMessageContaining("{nite}")
                .hasMessageContaining("{job}");
        assertThatThrownBy(() -> new MlflowSettings(
                        "mlflow.example", Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()))
                .hasMessageContaining("address must be like");
        assertThatThrownBy(() -> new MlflowSettings(
                        "https://m.example", Optional.empty(), Optional.of("ci"), Optional.empty(), Optional.empty()))
                .hasMessageContaining("belong together");
    }
}
