package io.jenkins.plugins.tao.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The lines have the order and the words of TAO 7.0.1, as its loggers and Lightning's hooks write them. */
class StatusSeriesTest {
    private static final String START =
            "{'date': '1/31/2026', 'time': '9:5:1', 'status': 'STARTED', 'message': 'Starting Dino train.'}";
    private static final String LOOP =
            "{'date': '1/31/2026', 'time': '9:5:2', 'status': 'STARTED', 'message': 'Starting Training Loop.'}";

    private static String eval(String kpi) {
        return "{'status': 'RUNNING', 'message': 'Eval metrics generated.', 'kpi': {" + kpi + "}}";
    }

    private static String epoch(int epoch, String kpi) {
        return "{'epoch': " + epoch + ", 'max_epoch': 9, 'time_per_epoch': '0:03:21.5', 'status': 'RUNNING',"
                + " 'message': 'Training loop in progress', 'kpi': {" + kpi + "}}";
    }

    private static String train(String kpi) {
        return "{'status': 'RUNNING', 'message': 'Train metrics generated.', 'kpi': {" + kpi + "}}";
    }

    private static List<String> read(String... lines) {
        StatusSeries series = new StatusSeries(Instant.parse("2026-01-31T09:00:00Z"));
        for (String line : lines) {
            series.take(line.replace('\'', '"'));
        }
        return series.points().stream()
                .map(point -> point.metric() + "@"
                        + (point.epoch().isPresent() ? (int) point.epoch().getAsDouble() : "-") + "=" + point.value())
                .toList();
    }

    @Test
    @Promise("NV-03")
    void aValidationBelongsToTheEpochLineAfterIt() {
        assertThat(read(
                        START,
                        LOOP,
                        eval("'val_mAP': '0.31'"),
                        epoch(0, "'val_mAP': '0.31'"),
                        train("'train_loss': 4.5"),
                        eval("'val_mAP': '0.35'"),
                        epoch(1, "'val_mAP': '0.35'"),
                        train("'train_loss': 3.5")))
                .containsExactly(
                        "val_mAP@0=0.31",
                        "time_per_epoch@0=201.5",
                        "train_loss@0=4.5",
                        "val_mAP@1=0.35",
                        "time_per_epoch@1=201.5",
                        "train_loss@1=3.5");
    }

    @Test
    @Promise("NV-03")
    void whatLaterLinesRepeatCountsOnce() {
        assertThat(read(
                        START,
                        eval("'val_mAP': 0.31"),
                        epoch(0, "'val_mAP': 0.31"),
                        train("'train_loss': 4.5"),
                        epoch(1, "'train_loss': 4.5"),
                        "{'status': 'RUNNING', 'message': 'Train finished successfully.', 'kpi': {'train_loss': 4.5}}"))
                .filteredOn(point -> !point.startsWith("time"))
                .containsExactly("val_mAP@0=0.31", "train_loss@0=4.5");
    }

    @Test
    @Promise("NV-03")
    void anAttemptThatRepeatsAnEpochReplacesIt() {
        assertThat(read(
                        START,
                        eval("'val_mAP': 0.3"),
                        epoch(0, "'val_mAP': 0.3"),
                        eval("'val_mAP': 0.4"),
                        epoch(1, "'val_mAP': 0.4"),
                        START,
                        LOOP,
                        eval("'val_mAP': 0.41"),
                        epoch(1, "'val_mAP': 0.41"),
                        eval("'val_mAP': NaN"),
                        epoch(2, "'val_mAP': NaN")))
                .filteredOn(point -> !point.startsWith("time"))
                .containsExactly("val_mAP@0=0.3", "val_mAP@1=0.41", "val_mAP@2=NaN");
    }

    @Test
    void anEarlierJobsLinesInTheSameFileAreNone() {
        String earlier =
                "{'date': '1/30/2026', 'time': '9:5:1', 'status': 'STARTED', 'message': 'Starting Dino train.'}";

        assertThat(read(
                        earlier,
                        LOOP.replace("1/31", "1/30"),
                        eval("'val_mAP': 0.9"),
                        epoch(0, "'val_mAP': 0.9"),
                        START,
                        LOOP))
                .isEmpty();
    }

    @Test
    void anEvaluationHasNoEpoch() {
        assertThat(read(
                        START.replace("train", "evaluate"),
                        "{'status': 'RUNNING', 'message': 'Test metrics generated.', 'kpi': {'test_mAP': '0.5'}}",
                        "{'status': 'RUNNING', 'message': 'Evaluation finished successfully.', 'kpi': {'test_mAP': '0.5'}}",
                        "{'status': 'RUNN"))
                .containsExactly("test_mAP@-=0.5");
    }

    @Test
    void aMetricThatIsNoNumberIsNamed() {
        StatusSeries series = new StatusSeries(Instant.EPOCH);
        series.take(
                "{\"status\": \"RUNNING\", \"message\": \"Eval metrics generated.\", \"kpi\": {\"a\": \"good\", \"b\": 1}}");

        assertThat(series.points()).hasSize(1);
        assertThat(series.unreadable()).containsExactly("a");
    }
}
