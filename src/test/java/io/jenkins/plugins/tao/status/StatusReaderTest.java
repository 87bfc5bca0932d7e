package io.jenkins.plugins.tao.status;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.within;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.job.Progress;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatusReaderTest {
    private final StatusReader reader = new StatusReader();

    @Test
    void aTrainingIsFollowedToItsLastLine() throws IOException {
        Progress progress = reader.feed(fixture("train")).orElseThrow();

        assertThat(progress.status()).isEqualTo("RUNNING");
        assertThat(progress.message()).isEqualTo("Train finished successfully.");
        assertThat(progress.epoch()).hasValue(0);
        assertThat(progress.maxEpoch()).hasValue(9);
        assertThat(progress.fraction()).hasValue(0.1);
        assertThat(progress.eta()).contains(Duration.parse("PT10M51.111102S"));
        assertThat(progress.kpis())
                .containsEntry("train_loss", 12.5)
                .containsEntry("val_mAP", 0.5)
                .containsEntry("val_loss", Double.NaN);
        assertThat(reader.saysWorkDone()).isTrue();
    }

    /** The lines of TAO's callback for the trainers of Hugging Face. */
    @ParameterizedTest
    @CsvSource({"0.1, 50, 0.033, 0.1", "1.0, 500, 0.333, 1", "3.0, 1500, 1, 3"})
    void fractionsOfEpochsAreEpochsDoneOfTheirNumber(String epoch, int step, double done, double at) {
        Progress progress = reader.feed(("{\"step\": " + step + ", \"max_step\": 1500, \"max_epoch\": 3, \"epoch\": "
                                + epoch + ", \"status\": \"RUNNING\", \"message\": \"\", \"kpi\": {\"loss\": 2.31}}\n")
                        .getBytes(UTF_8))
                .orElseThrow();

        assertThat(progress.fraction().orElseThrow()).isCloseTo(done, within(0.001));
        assertThat(progress.lastEpoch()).hasValue(2);
        assertThat(reader.measured().get(0).epoch()).hasValue(at);
    }

    @Test
    void theWrappersLastWordIsSuccess() throws IOException {
        reader.feed(fixture("wrapper"));

        assertThat(reader.progress().status()).isEqualTo("SUCCESS");
        assertThat(reader.saysWorkDone()).isTrue();
    }

    @Test
    void aResumedRunForgetsTheFailureBeforeIt() throws IOException {
        reader.feed(fixture("resumed"));

        assertThat(reader.progress().status()).isEqualTo("STARTED");
        assertThat(reader.progress().epoch()).isEmpty();
        assertThat(reader.progress().kpis()).isEmpty();
    }

    @Test
    void aFailureIsNotCoveredByWhatFollowsInTheSameRun() {
        reader.feed(line("FAILURE", "Configuration error: no such key"));
        reader.feed(line("RUNNING", "Train finished successfully."));

        assertThat(reader.progress().status()).isEqualTo("FAILURE");
        assertThat(reader.progress().message()).isEqualTo("Configuration error: no such key");
        assertThat(reader.saysWorkDone()).isFalse();
    }

    @Test
    @Promise("TR-79")
    void anErrorRecordOfALoggerIsForgottenWhenTheRunGoesOn() {
        reader.feed(line("FAILURE", "Some worker died and was started again"));
        assertThat(reader.progress().status()).isEqualTo("FAILURE");

        reader.feed(bytes("{\"epoch\": 3, \"status\": \"RUNNING\", \"message\": \"Training loop in progress\"}\n"));
        assertThat(reader.progress().status()).isEqualTo("RUNNING");

        reader.feed(line("FAILURE", "Some worker died again"));
        reader.feed(line("RUNNING", "Train finished successfully."));
        reader.feed(line("FAILURE", "wandb: upload was slow"));
        assertThat(reader.progress().status()).isEqualTo("RUNNING");
        assertThat(reader.saysWorkDone()).isTrue();
    }

    @Test
    @Promise("TR-79")
    void aResumedTrainingThatGoesOnHasTrained() {
        reader.feed(line("STARTED", "Starting DINO train."));
        reader.feed(line("RUNNING", "Resuming training from checkpoint: /r/dino_model_latest.pth"));
        reader.feed(line("STARTED", "Starting Training Loop."));
        reader.feed(line("RUNNING", "Train metrics generated."));
        reader.feed(line("RUNNING", "Train finished successfully."));

        assertThat(reader.trainedNothing()).isFalse();
    }

    @Test
    void aLaterFailureExplainsTheFirst() {
        reader.feed(line("FAILURE", "first"));
        reader.feed(line("FAILURE", "second"));

        assertThat(reader.progress().message()).isEqualTo("second");
    }

    @Test
    void aSkippedLineSaysNothingOfTheRun() {
        reader.feed(line("RUNNING", "Training loop in progress"));

        assertThat(reader.feed(line("SKIPPED", "module not found"))).isEmpty();
        assertThat(reader.progress().message()).isEqualTo("Training loop in progress");
    }

    @Test
    void anUnknownStatusWordCountsAsRunning() {
        assertThat(reader.feed(line("PONDERING", "hm")).orElseThrow().status()).isEqualTo("RUNNING");
    }

    @Test
    void theRemarkAboutAnUploadDoesNotUndoThatTheWorkIsDone() {
        reader.feed(line("RUNNING", "Train finished successfully."));
        reader.feed(line("RUNNING", "Uploading results."));

        assertThat(reader.saysWorkDone()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Training loop complete.", "Train is not finished", "train action paused gracefully for dino"})
    void onlyTheClosingWordsSayThatTheWorkIsDone(String message) {
        reader.feed(line("RUNNING", message));

        assertThat(reader.saysWorkDone()).isFalse();
    }

    @Test
    void aLineThatRepeatsStickyValuesIsNoNews() {
        String sticky = "{\"status\":\"RUNNING\",\"message\":\"m\",\"epoch\":1,\"kpi\":{\"loss\":1.5}}\n";

        assertThat(reader.feed(bytes(sticky))).isPresent();
        assertThat(reader.feed(bytes(sticky))).isEmpty();
    }

    @RepeatedTest(40)
    void bytesMayBeSplitAnywhere(RepetitionInfo repetition) throws IOException {
        Random random = new Random(repetition.getCurrentRepetition());
        byte[] whole = bytes(new String(fixture("train"), UTF_8).replace("finished", "fünf 量 😀 finished"));
        reader.feed(whole);
        StatusReader split = new StatusReader();

        for (int from = 0; from < whole.length; ) {
            int to = Math.min(whole.length, from + 1 + random.nextInt(40));
            split.feed(Arrays.copyOfRange(whole, from, to));
            from = to;
        }

        assertThat(split.progress()).isEqualTo(reader.progress());
        assertThat(split.progress().message()).contains("fünf 量 😀");
    }

    @RepeatedTest(40)
    void readingMayBeginAnywhere(RepetitionInfo repetition) throws IOException {
        byte[] whole = fixture("wrapper");
        int from = new Random(repetition.getCurrentRepetition()).nextInt(whole.length - 140);

        reader.feed(Arrays.copyOfRange(whole, from, whole.length));

        assertThat(reader.progress().status()).isEqualTo("SUCCESS");
    }

    @RepeatedTest(60)
    void damagedBytesNeverThrow(RepetitionInfo repetition) throws IOException {
        Random random = new Random(repetition.getCurrentRepetition());
        byte[] damaged = fixture("train");
        for (int i = 0; i < 60; i++) {
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
        }

        assertThatCode(() -> reader.feed(damaged)).doesNotThrowAnyException();
        reader.feed(bytes("\n"));
        assertThat(reader.feed(line("SUCCESS", "after the damage"))).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n\r\n  \n",
                "[]\n",
                "null\n",
                "7\n",
                "\"status\"\n",
                "{\n",
                "{}\n",
                "{\"status\":3}\n",
                "{\"level\":\"info\"}\n",
                "Traceback (most recent call last):\n",
                "train_loss\": 12.5}}\n"
            })
    void whatIsNoStatusLinePassesBy(String text) {
        assertThat(reader.feed(bytes(text))).isEmpty();
        assertThat(reader.progress()).isEqualTo(Progress.NONE);
    }

    @Test
    void depthBeyondReasonPassesBy() {
        assertThat(reader.feed(bytes("[".repeat(200_000) + "\n"))).isEmpty();
    }

    @Test
    void twoWritersInOneLineAreBothHeard() {
        reader.feed(bytes("{\"status\":\"RUNNING\",\"epoch\":1}{\"status\":\"RUNNING\",\"epoch\":2}\n\n"));

        assertThat(reader.progress().epoch()).hasValue(2);
    }

    @Test
    void aLastLineWithoutItsEndCountsWhenItIsWhole() {
        assertThat(reader.feed(bytes("{\"status\":\"RUNNING\",\"kpi\":{\"a\":1}")))
                .isEmpty();
        assertThat(reader.feed(bytes(",\"epoch\":4}"))).isPresent();
        assertThat(reader.feed(bytes("\n"))).isEmpty();
    }

    @Test
    void crlfAndByteOrderMarkPassBy() {
        reader.feed(bytes("\uFEFF{\"status\":\"SUCCESS\",\"message\":\"done\"}\r\n"));

        assertThat(reader.progress().status()).isEqualTo("SUCCESS");
    }

    @Test
    void aLineOfThreeMebibytesIsDroppedAndTheNextOneRead() {
        reader.feed(bytes("{\"status\":\"FAILURE\",\"message\":\"" + "x".repeat(3 << 20)));
        reader.feed(bytes("\"}\n{\"status\":\"RUNNING\",\"message\":\"next\"}\n"));

        assertThat(reader.progress().status()).isEqualTo("RUNNING");
    }

    @Test
    void aLineOfOneMebibyteIsReadAndItsMessageCut() {
        String frame = "{\"status\":\"RUNNING\",\"message\":\"\"}";
        String message = "x".repeat(LineBuffer.MAX_LINE_BYTES - frame.length());

        reader.feed(bytes(frame.replace("\"\"", "\"" + message + "\"") + "\n"));

        assertThat(reader.progress().message()).hasSize(StatusLine.MAX_MESSAGE);
    }

    @Test
    void metricsWithoutEndDoNotFillTheMemory() {
        for (int i = 0; i < StatusLine.MAX_METRICS + 100; i++) {
            reader.feed(bytes("{\"status\":\"RUNNING\",\"kpi\":{\"m" + i + "\":1,\"m0\":" + i + "}}\n"));
        }

        assertThat(reader.progress().kpis()).hasSize(StatusLine.MAX_METRICS);
        assertThat(reader.progress().kpis()).containsEntry("m0", StatusLine.MAX_METRICS + 99.0);
    }

    @ParameterizedTest
    @CsvSource({
        "0.5, 0.5",
        "7, 7",
        "NaN, NaN",
        "Infinity, Infinity",
        "-Infinity, -Infinity",
        "'\"0.25\"', 0.25",
        "'\" 1e-3 \"', 0.001",
        "'\".5\"', 0.5",
        "'\"nan\"', NaN",
        "'\"inf\"', Infinity",
        "'\"-inf\"', -Infinity",
        "'{\"0\":3,\"1\":2}', 2"
    })
    void aMetricIsReadInEveryFormPythonWrites(String written, double value) {
        reader.feed(bytes("{\"status\":\"RUNNING\",\"kpi\":{\"m\":" + written + "}}\n"));

        assertThat(reader.progress().kpis()).containsEntry("m", value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "null", "\"good\"", "\"1d\"", "\"0x1p3\"", "[1]", "{}", "\"\""})
    void whatIsNoNumberIsNoMetric(String written) {
        reader.feed(bytes("{\"status\":\"RUNNING\",\"kpi\":{\"m\":" + written + "}}\n"));

        assertThat(reader.progress().kpis()).isEmpty();
    }

    @Test
    void aMetricThatIsAlsoACurveIsTakenFromTheKpis() {
        reader.feed(
                bytes("{\"status\":\"RUNNING\",\"kpi\":{\"loss\":1},\"graphical\":{\"loss\":{\"0\":9},\"lr\":0.1}}\n"));

        assertThat(reader.progress().kpis()).containsEntry("loss", 1.0).containsEntry("lr", 0.1);
    }

    @ParameterizedTest
    @CsvSource({
        "'\"1 day, 2:03:04\"', PT26H3M4S",
        "'\"3 days, 0:00:00\"', PT72H",
        "'\"0:01:12.345\"', PT1M12.345S",
        "'\"0:00:00.123456789123\"', PT0.123456789S",
        "'90', PT1M30S",
        "'1.5', PT1.5S",
        "'\"90\"', PT1M30S"
    })
    void theTimeLeftIsReadInEveryFormPythonWrites(String written, Duration eta) {
        reader.feed(bytes("{\"status\":\"RUNNING\",\"eta\":" + written + "}\n"));

        assertThat(reader.progress().eta()).contains(eta);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"-1 day, 23:59:59\"", "-3", "1e300", "NaN", "\"soon\"", "null", "[]", "\"9999999:0:0\""})
    void aSenselessTimeLeftIsNone(String written) {
        reader.feed(bytes("{\"status\":\"RUNNING\",\"eta\":" + written + "}\n"));

        assertThat(reader.progress().eta()).isEmpty();
    }

    @Test
    void epochsMayBeFractionsAndTextAndNeverInfinite() {
        reader.feed(bytes(
                "{\"status\":\"RUNNING\",\"epoch\":1.25,\"max_epoch\":\"4\",\"step\":Infinity,\"cur_iter\":3}\n"));

        assertThat(reader.progress().epoch()).hasValue(1.25);
        assertThat(reader.progress().maxEpoch()).hasValue(4);
        assertThat(reader.progress().step()).isEmpty();
    }

    @Test
    void iterationsCountAsSteps() {
        reader.feed(bytes("{\"status\":\"RUNNING\",\"cur_iter\":3,\"max_step\":7}\n"));

        assertThat(reader.progress().fraction()).hasValue(0.5);
    }

    @Test
    void aReplacedFileBeginsAfresh() {
        reader.feed(bytes("{\"status\":\"FAILURE\",\"message\":\"old\"}\n{\"status\":\"RUN"));

        reader.restart();

        assertThat(reader.progress()).isEqualTo(Progress.NONE);
        reader.feed(line("SUCCESS", "new"));
        assertThat(reader.progress().status()).isEqualTo("SUCCESS");
    }

    private static byte[] line(String status, String message) {
        return bytes("{\"status\": \"" + status + "\", \"message\": \"" + message + "\"}\n");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static byte[] fixture(String name) throws IOException {
        try (InputStream in = StatusReaderTest.class.getResourceAsStream(name + ".status.json");
                ByteArrayOutputStream out = new ByteArrayOutputStream()) {
            assertThat(in).isNotNull().satisfies(file -> file.transferTo(out));
            return out.toByteArray();
        }
    }

    @Test
    @Promise("NS-10")
    void eachMetricOfOneLookIsToldWithItsEpochAndWhatIsOnlyRepeatedIsNot() {
        StatusReader reader = new StatusReader();
        String lines = """
                {"status":"RUNNING","message":"Train metrics generated.","epoch":0,"kpi":{"acc":0.5}}
                {"status":"RUNNING","message":"saved","epoch":1,"kpi":{"acc":0.5}}
                {"status":"RUNNING","message":"Train metrics generated.","epoch":1,"kpi":{"acc":0.5}}
                {"status":"RUNNING","message":"","epoch":2,"kpi":{"acc":NaN}}
                """;

        var unused = reader.feed(lines.getBytes(java.nio.charset.StandardCharsets.UTF_8));

        assertThat(reader.measured())
                .extracting(point -> point.epoch().orElse(-1) + " " + point.value())
                .containsExactly("0.0 0.5", "1.0 0.5", "2.0 NaN");
        unused = reader.feed(
                "{\"status\":\"RUNNING\",\"message\":\"on\"}\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        assertThat(reader.measured()).isEmpty();
    }
}
