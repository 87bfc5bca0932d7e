package io.jenkins.plugins.tao.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.record.ARun;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueWaitsTest {
    private static ARun run(int night, long wait) {
        return ARun.of(night).top("target", "dgx").number("times", "queueSeconds", wait);
    }

    /** Ten nights that waited one to ten minutes. */
    private static List<RunRecord> tenNights() {
        List<RunRecord> nights = new ArrayList<>();
        for (int night = 1; night <= 10; night++) {
            nights.add(run(night, night * 60L).record());
        }
        return nights;
    }

    @Test
    @Promise("NV-31")
    void halfAndNineOfTenOfEarlierJobsLikeItAreToldAndTheWaitIsJudgedByThem() {
        RunRecord tonight = run(20, 3600).record();

        QueueWaits waits = QueueWaits.before(tonight, tenNights());

        assertThat(waits.expectation())
                .contains("of 10 earlier jobs with 8 GPUs on dgx, half began within 5m and nine of ten within 9m");
        assertThat(waits.judgement(tonight))
                .contains("it waited 1h: longer than nine of ten jobs with 8 GPUs on dgx, which began within 9m");
        assertThat(waits.judgement(run(20, 480).record()))
                .contains("it waited 8m: as expected of jobs with 8 GPUs on dgx");
        assertThat(waits.judgement(run(20, 30).record()).orElseThrow()).contains("no longer than half");
    }

    @Test
    void waitsOfSecondsAreNoNewsAndOneOfAnHourAmongThemIs() {
        List<RunRecord> nights = new ArrayList<>();
        for (int night = 1; night <= 10; night++) {
            nights.add(run(night, 2).record());
        }
        QueueWaits waits = QueueWaits.before(run(20, 3).record(), nights);

        assertThat(waits.expectation()).isEmpty();
        assertThat(waits.judgement(run(20, 3).record())).isEmpty();
        assertThat(waits.judgement(run(20, 3600).record()).orElseThrow()).contains("it waited 1h: longer than");
    }

    @Test
    @Promise("NV-31")
    void otherJobsLaterOnesAndUnknownWaitsCountNotAndFewSayNothing() {
        List<RunRecord> nights = tenNights();
        nights.add(run(11, 90_000).number("machines", "gpus", 64).record());
        nights.add(run(12, 90_000).top("target", "lab").record());
        nights.add(run(13, 90_000).without("times", "queueSeconds").record());
        nights.add(run(14, 90_000).ended("going").record());
        nights.add(run(30, 90_000).record());
        RunRecord tonight = run(20, 60).record();

        assertThat(QueueWaits.before(tonight, nights).seconds()).hasSize(10).allMatch(wait -> wait <= 600);
        assertThat(QueueWaits.before(run(5, 60).record(), nights).expectation()).isEmpty();
        assertThat(QueueWaits.before(tonight, nights)
                        .judgement(run(20, 60).without("times", "queueSeconds").record()))
                .isEmpty();
    }
}
