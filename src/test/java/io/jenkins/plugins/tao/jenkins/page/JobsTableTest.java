package io.jenkins.plugins.tao.jenkins.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The table of many jobs in a browser: filter, order, groups and pages. */
class JobsTableTest extends InBrowser {
    private static final String ADDRESS = "http://jenkins.test/job/train/1/tao/";

    private FakeJenkins jenkins;
    private TaoRunAction jobs;
    private Page page;

    @BeforeEach
    void start() {
        jenkins = FakeJenkins.in(home, new TaoRunActions());
        jobs = TaoRunAction.of(jenkins.build("train"));
        page = chromium.page(1280, ColorScheme.LIGHT);
        page.clock().install();
    }

    @AfterEach
    void stop() {
        page.close();
        jenkins.close();
        assertThat(chromium.complaints()).isEmpty();
    }

    /** Adds jobs of one sweep, or of none, with ids such as {@code night-07-000000000007}. */
    private void add(String name, int count, String state, Map<String, String> facts) {
        for (int i = 0; i < count; i++) {
            JobKey key = new JobKey(String.format("%s-%02d-%012d", name, i, i));
            JobHandle handle = new JobHandle("dgx", "slurm", key, 1, "4" + i, "/j", "/r", Instant.EPOCH);
            jobs.add(JobRecord.takenUp(handle)
                    .now(state, "")
                    .knowing(facts)
                    .knowing(Map.of(JobFacts.GPU_SECONDS, Integer.toString(3600 * (count - i))))
                    .knowing(facts.isEmpty() ? Map.of() : Map.of(JobFacts.CELL, "seed=" + i)));
        }
    }

    private void open(String choice) {
        String view = Views.read("TaoRunAction/index.jelly");
        String row = Views.part(view, "<j:forEach var=\"job\"[^>]*>(.*?)</j:forEach>");
        StringBuilder rows = new StringBuilder();
        for (JobRow job : jobs.getFirstRows()) {
            rows.append(row.replace("${job.id}", job.getId()).replace("${job.name}", job.getName()));
        }
        String body = Views.part(view, "(<p id=\"tao-totals\".*</table>)").replace(row, rows);
        Views.open(
                page,
                ADDRESS + choice,
                "",
                List.of("TaoRunAction/jobs.js", "TaoRunAction/table.js"),
                Views.html(body),
                () -> jobs.states().json().toString());
        page.locator(".tao-used").waitFor();
    }

    private List<String> names() {
        return page.locator("[data-cell=name]").allTextContents();
    }

    private Locator groups() {
        return page.locator(".tao-group button");
    }

    private Locator pages() {
        return page.locator(".tao-bar .tao-page");
    }

    @Test
    @Promise({"JK-01", "JK-24"})
    void manyJobsHavePagesThatKeysTurn() {
        add("night", 120, "RUNNING", Map.of());
        open("");

        assertThat(names()).hasSize(50).startsWith("night-00-000000000000");
        assertThat(pages().textContent()).isEqualTo("1 / 3");
        Locator next = page.locator(".tao-bar [data-step='1']");
        next.focus();
        page.keyboard().press("Enter");
        page.keyboard().press("Enter");
        page.keyboard().press("Enter");

        assertThat(names()).hasSize(20).endsWith("night-119-000000000119");
        assertThat(page.locator("a[title^=night-119]").getAttribute("href")).isEqualTo("job/night-119-000000000119/");
        assertThat(next.getAttribute("aria-disabled")).isEqualTo("true");
        assertThat(next.evaluate("button => button === document.activeElement")).isEqualTo(true);
        assertThat(page.locator(".tao-copy button").last().getAttribute("text")).contains("night-119");
    }

    @Test
    @Promise({"JK-01", "JK-24"})
    void theFilterIsKeptWhenStatesAreAskedForAgainAndWhenThePageIsOpenedAgain() {
        add("night", 60, "RUNNING", Map.of());
        add("day", 2, "FAILURE", Map.of());
        open("");
        page.locator(".tao-bar select").selectOption("failed");
        page.locator(".tao-bar input").fill("DAY-0");
        assertThat(names()).hasSize(2);
        assertThat(page.locator(".tao-found").textContent()).isEqualTo("2 / 62");
        assertThat(page.locator("option[value=running]").textContent()).isEqualTo("running (60)");
        assertThat(pages().isVisible()).isFalse();

        jobs.update("day-01-000000000001", job -> job.now("SUCCESS", ""));
        page.clock().runFor(3000);
        page.waitForFunction("document.querySelectorAll('[data-cell=name]').length === 1");

        assertThat(names()).containsExactly("day-00-000000000000");
        assertThat(page.locator("option[value=succeeded]").textContent()).isEqualTo("succeeded (1)");
        page.reload();
        page.locator(".tao-used").waitFor();
        assertThat(names()).containsExactly("day-00-000000000000");
        assertThat(page.locator(".tao-bar input").inputValue()).isEqualTo("DAY-0");
        page.locator(".tao-bar input").fill("nothing");
        assertThat(page.locator(".tao-nothing").isVisible()).isTrue();
    }

    @Test
    @Promise({"JK-01", "JK-24"})
    void theJobsOfASweepAreAGroupThatFolds() {
        add("alone", 1, "RUNNING", Map.of());
        add("lr", 3, "RUNNING", Map.of(JobFacts.SWEEP, "lr", JobFacts.WORK, "dino train"));
        add("batch", 2, "FAILURE", Map.of(JobFacts.SWEEP, "batch"));
        add("one", 1, "FAILURE", Map.of(JobFacts.SWEEP, "one"));
        open("");

        assertThat(groups().allTextContents()).containsExactly("lr (3)", "batch (2)");
        assertThat(page.locator(".tao-group").first().textContent()).contains("3 running");
        groups().first().focus();
        page.keyboard().press("Enter");

        assertThat(names()).containsExactly("alone-00-000000000000", "seed=0", "seed=1", "seed=0");
        assertThat(groups().first().getAttribute("aria-expanded")).isEqualTo("false");
        jobs.update("lr-02-000000000002", job -> job.now("SUCCESS", ""));
        page.clock().runFor(3000);
        page.waitForFunction("document.querySelector('.tao-group').textContent.includes('1 succeeded')");
        assertThat(groups().first().evaluate("button => button === document.activeElement"))
                .isEqualTo(true);
        assertThat(names()).hasSize(4);
    }

    @Test
    @Promise({"JK-01", "JK-24"})
    void sweepsOfManyJobsAreFoldedAtFirstAndAPageWithinOneHasItsName() {
        add("lr", 40, "RUNNING", Map.of(JobFacts.SWEEP, "lr"));
        add("batch", 40, "FAILURE", Map.of(JobFacts.SWEEP, "batch"));
        open("");
        assertThat(names()).isEmpty();
        assertThat(groups().allTextContents()).containsExactly("lr (40)", "batch (40)");

        groups().first().click();
        groups().last().click();
        page.locator(".tao-bar [data-step='1']").click();

        assertThat(groups().allTextContents()).containsExactly("batch (40)");
        assertThat(names()).hasSize(32);
        page.locator(".tao-bar select").selectOption("failed");
        assertThat(names()).hasSize(40);
    }

    @Test
    @Promise({"JK-01", "JK-24"})
    void aColumnSortsAllPagesAndWhatIsNotKnownComesLast() {
        add("night", 60, "RUNNING", Map.of());
        jobs.update("night-00-000000000000", job -> job.knowing(Map.of(JobFacts.GPU_SECONDS, "")));
        open("");
        Locator column = page.locator("[data-column=gpuHours]");

        column.click();
        assertThat(names()).startsWith("night-59-000000000059", "night-58-000000000058");
        assertThat(column.locator("xpath=..").getAttribute("aria-sort")).isEqualTo("ascending");
        column.click();
        assertThat(names()).startsWith("night-01-000000000001");
        page.locator(".tao-bar [data-step='1']").click();
        assertThat(names()).endsWith("night-00-000000000000");
        column.click();
        assertThat(names()).startsWith("night-00-000000000000");
    }
}
