package io.jenkins.plugins.tao.jenkins.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.history.RunHistory;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.record.ARun;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a script reads of the cost of jobs, and what an administrator enters for it. */
class CostAddressesTest {
    @TempDir
    private Path home;

    private FakeJenkins jenkins;
    private FakeBuild build;

    @BeforeEach
    void start() {
        jenkins = FakeJenkins.in(home);
        build = jenkins.build("nightly");
        TaoGlobalConfiguration.get().setPrices("- {target: dgx, perGpuHour: 2, currency: EUR}");
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    @Test
    @Promise("NV-26")
    void theAddressOfAJobGivesItsRunsWithThePricesOfTheConfiguration() throws IOException {
        new RunHistory(build.getParent().getRootDir().toPath().resolve("tao"))
                .add(ARun.of(1).top("target", "dgx").record());
        JobCost cost = new JobCost(build.getParent());

        Answers csv = Answers.to((request, response) -> cost.doCsv("month", response), "");
        Answers json = Answers.to((request, response) -> cost.doJson("", response), "");

        assertThat(csv.body()).contains("2026-01,1,0,8.00,0,60,60,0,16.00 EUR,0");
        assertThat(json.body()).contains("\"target\" : \"dgx\"", "\"EUR\" : 16.0");
    }

    @Test
    void thePageOfTheAddressShowsTheSumsAndWhatIsNotInThem() throws IOException {
        new RunHistory(build.getParent().getRootDir().toPath().resolve("tao"))
                .add(ARun.of(1).top("target", "dgx").record());

        assertThat(new JobCost(build.getParent()).getTable()).contains("dgx", "16.00 EUR", "1 run ended");
        assertThat(Path.of("src/main/resources/io/jenkins/plugins/tao/jenkins/page/JobCost/index.jelly"))
                .content()
                .contains("<pre>${it.table}</pre>");
    }

    @Test
    @Promise("NV-26")
    void allRunsOfTheControllerAreAddedUpForItsAdministrator() throws IOException {
        TaoRuntime.ledger()
                .add(ARun.of(1)
                        .top("target", "dgx")
                        .text("origin", "job", "a/b")
                        .record());

        assertThat(new AllCosts().table("folder").csv()).contains("a,1,0,8.00,0,60,60,0,16.00 EUR,0");
    }

    @Test
    @Promise({"NV-26", "NV-27"})
    void aPriceOrABudgetThatIsWrongIsRefusedAndTheFormerOneStays() {
        TaoGlobalConfiguration configuration = TaoGlobalConfiguration.get();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> configuration.setPrices("- {target: dgx, price: 2}"))
                .withMessageContaining(
                        "prices:1:17: unknown key 'price'. Known keys: currency, gpuType, perGpuHour, target");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> configuration.setBudgets("gpuHours"))
                .withMessageContaining("'budgets' must hold keys and values, found a single value");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> configuration.setBudgets("- {gpuHours: many}"))
                .withMessageContaining("budgets:1:14: 'gpuHours': expected a number, found 'many'");
        assertThat(configuration.accounts().prices().prices()).hasSize(1);
        assertThat(configuration.accounts().budgets()).isEmpty();
    }
}
