package io.jenkins.plugins.tao.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.record.ARun;
import io.jenkins.plugins.tao.record.AskedRun;
import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class BudgetsTest {
    private static final Instant NOW = Instant.parse("2026-01-20T12:00:00Z");
    private static final PriceTable PRICES =
            new PriceTable(List.of(new Price(Optional.of("dgx"), Optional.empty(), 2.5, "EUR")));
    /** One run of 8 GPU-hours. */
    private static final RunRecord USED = ARun.of(3)
            .top("target", "dgx")
            .text("origin", "job", "vision/deep/nightly")
            .text("origin", "user", "ana")
            .record();

    private static Budget hours(double most) {
        return budget(Optional.of("dgx"), Optional.empty(), OptionalDouble.of(most), Optional.empty());
    }

    private static Budget budget(
            Optional<String> target, Optional<String> user, OptionalDouble most, Optional<String> currency) {
        return new Budget(
                target,
                Optional.empty(),
                user,
                currency.isEmpty() ? most : OptionalDouble.empty(),
                currency.isEmpty() ? OptionalDouble.empty() : most,
                currency,
                0.8,
                Budget.Above.REFUSE);
    }

    private static RunRecord asks(int nodes, OptionalInt gpus, Optional<Duration> time) {
        return new AskedRun(
                        "new-1",
                        "dgx",
                        RunOrigin.UNKNOWN.with("job", "vision/other").with("user", "ana"),
                        NOW,
                        new Resources(nodes, gpus, OptionalInt.empty(), time))
                .record(Usage.GOING);
    }

    private static final RunRecord FOUR_HOURS = asks(2, OptionalInt.of(1), Optional.of(Duration.ofHours(2)));

    private static Budgets.Answer judge(Budget budget, RunRecord asked, RunRecord... month) {
        return new Budgets(List.of(budget), PRICES, "'budgets' in targets.yaml")
                .judge(asked, List.of(month))
                .get(0);
    }

    @Test
    @Promise("NV-27")
    void aJobThatWouldExceedTheBudgetIsRefusedWithAllNumbers() {
        RunRecord going = new AskedRun(
                        "other-1",
                        "dgx",
                        RunOrigin.UNKNOWN,
                        NOW,
                        new Resources(1, OptionalInt.of(4), OptionalInt.empty(), Optional.of(Duration.ofHours(1))))
                .record(Usage.GOING);

        Budgets.Answer answer = judge(hours(15), FOUR_HOURS, USED, going);

        assertThat(answer.verdict()).isEqualTo(Budgets.Verdict.REFUSED);
        assertThat(answer.detail())
                .isEqualTo(
                        "of 15.0 GPU-hours for target 'dgx' in 2026-01, 8.0 are used, 4.0 are kept for jobs that have"
                                + " not ended, and this job asks for 4.0 (2 nodes x 1 GPU x 2h): 1.0 above");
        assertThat(answer.remedy()).contains("fewer GPUs", "next month", "'budgets' in targets.yaml");
        assertThat(judge(hours(16), FOUR_HOURS, USED, going).verdict()).isEqualTo(Budgets.Verdict.WARNING);
        assertThat(judge(hours(100), FOUR_HOURS, USED, going).verdict()).isEqualTo(Budgets.Verdict.PASSED);
    }

    @Test
    @Promise("NV-27")
    void whatIsNotKnownWarnsAndIsSaidAndRefusesNothing() {
        RunRecord unknown = asks(1, OptionalInt.empty(), Optional.of(Duration.ofHours(500)));
        RunRecord noHours = ARun.of(4)
                .top("target", "dgx")
                .without("machines", "gpuSeconds")
                .record();

        assertThat(judge(hours(100), unknown, USED))
                .satisfies(answer -> assertThat(answer.verdict()).isEqualTo(Budgets.Verdict.WARNING))
                .satisfies(answer -> assertThat(answer.detail()).contains("what this job asks for is not known"));
        assertThat(judge(hours(100), FOUR_HOURS, noHours))
                .satisfies(answer -> assertThat(answer.verdict()).isEqualTo(Budgets.Verdict.WARNING))
                .satisfies(answer -> assertThat(answer.detail()).contains("what 1 job uses is not known"));
        RunRecord partly = ARun.of(4)
                .top("target", "dgx")
                .without("machines", "gpuSeconds")
                .number("machines", "gpuSecondsAtLeast", 3 * 3600)
                .record();
        assertThat(judge(hours(100), FOUR_HOURS, partly).detail())
                .contains("3.0 are used", "what 1 job uses is not known");
        assertThat(judge(hours(6), FOUR_HOURS, partly).verdict()).isEqualTo(Budgets.Verdict.REFUSED);
        assertThat(judge(hours(8), unknown, USED).verdict())
                .as("used up whatever the job asks for")
                .isEqualTo(Budgets.Verdict.REFUSED);
        assertThat(judge(hours(8), asks(1, OptionalInt.of(0), Optional.empty()), USED)
                        .verdict())
                .as("a job without GPU uses nothing")
                .isEqualTo(Budgets.Verdict.WARNING);
    }

    @Test
    @Promise("NV-27")
    void aBudgetOfMoneyUsesThePricesAndSaysWhatHasNone() {
        Budget money = budget(Optional.empty(), Optional.empty(), OptionalDouble.of(29), Optional.of("EUR"));

        assertThat(judge(money, FOUR_HOURS, USED))
                .satisfies(answer -> assertThat(answer.verdict()).isEqualTo(Budgets.Verdict.REFUSED))
                .satisfies(answer -> assertThat(answer.detail())
                        .contains("of 29.0 EUR for all jobs in 2026-01, 20.0 are used")
                        .contains("asks for 10.0"));
        assertThat(judge(money, FOUR_HOURS, ARun.of(5).top("target", "lab").record())
                        .detail())
                .contains("what 1 job uses is not known");
    }

    @Test
    @Promise("NV-27")
    void eachUserAndEachFolderHasABudgetOfItsOwnAndAMonthIsOver() {
        Budget each = budget(Optional.empty(), Optional.of("each"), OptionalDouble.of(11), Optional.empty());
        Budget folder = new Budget(
                Optional.empty(),
                Optional.of("vision"),
                Optional.empty(),
                OptionalDouble.of(11),
                OptionalDouble.empty(),
                Optional.empty(),
                1,
                Budget.Above.WARN);
        RunRecord ofBen = ARun.of(6).text("origin", "user", "ben").record();
        RunRecord lastMonth = ARun.of(40).text("origin", "user", "ana").record();

        assertThat(judge(each, FOUR_HOURS, ofBen, lastMonth).verdict()).isEqualTo(Budgets.Verdict.PASSED);
        assertThat(judge(each, FOUR_HOURS, USED).detail()).contains("for user 'ana'");
        assertThat(judge(each, FOUR_HOURS, USED).verdict()).isEqualTo(Budgets.Verdict.REFUSED);
        assertThat(judge(folder, FOUR_HOURS, USED).verdict()).isEqualTo(Budgets.Verdict.WARNING);
        assertThat(judge(folder, FOUR_HOURS, USED).detail()).endsWith("1.0 above");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> budget(Optional.empty(), Optional.empty(), OptionalDouble.empty(), Optional.empty()))
                .withMessageContaining("either gpuHours or money");
    }
}
