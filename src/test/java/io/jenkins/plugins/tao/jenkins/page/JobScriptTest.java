package io.jenkins.plugins.tao.jenkins.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The page of one job in a browser: its charts, the search in its log, how long it waited and ran. */
class JobScriptTest extends InBrowser {
    private static final String CHARTS =
            "window.drawn = []; window.echarts = { init: () => ({ setOption: (o) => drawn.push(o), resize() {} }) };";

    private FakeJenkins jenkins;
    private TaoRunAction jobs;
    private Path folder;
    private Page page;

    @BeforeEach
    void start() throws IOException {
        jenkins = FakeJenkins.in(home, new TaoRunActions());
        FakeBuild build = jenkins.build("train");
        jobs = TaoRunAction.of(build);
        jobs.add(JobRecord.takenUp(
                        new JobHandle("dgx", "slurm", new JobKey("train-1"), 1, "471", "/j", "/r", Instant.EPOCH))
                .ownedBy(JobOwner.ENDED));
        folder = Files.createDirectories(build.getRootDir().toPath().resolve("tao/train-1.run"));
        page = chromium.page(1280, ColorScheme.LIGHT);
    }

    @AfterEach
    void stop() {
        page.close();
        jenkins.close();
        assertThat(chromium.complaints()).isEmpty();
    }

    private JobPage job() {
        return Objects.requireNonNull(jobs.getJob("train-1"));
    }

    private String state() {
        try {
            return Answers.to(job()::doState, "").body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void open() throws IOException {
        String view = Views.read("JobPage/index.jelly");
        String row = Views.part(view, "<j:forEach var=\"entry\" items=\"\\$\\{it.timeline}\">(.*?)</j:forEach>");
        StringBuilder rows = new StringBuilder();
        for (TimelineEntry entry : job().getTimeline()) {
            rows.append(row.replace("${entry.at}", entry.getAt()).replace("${entry.phase}", entry.getPhase()));
        }
        String body = Views.part(view, "(<div id=\"tao-job\".*)</l:main-panel>").replace(row, rows);
        Views.open(
                page,
                "http://jenkins.test/job/train/1/tao/job/train-1/",
                CHARTS,
                List.of("TaoRunAction/jobs.js", "charts.js", "JobPage/job.js"),
                Views.html(body),
                this::state);
        page.waitForFunction("document.querySelector('#tao-job [data-cell=target]').textContent === 'dgx'");
    }

    @Test
    @Promise({"JK-02", "JK-24"})
    void theCurvesOfGatedMetricsComeFirstWithTheirLimits() throws IOException {
        Files.writeString(folder.resolve("series.csv"), """
                metric,epoch,step,value
                loss,0,,2.5
                val_mAP50,0,,0.2
                val_mAP,0,,0.3
                val_mAP,1,,0.4
                """);
        jobs.judged(AnAnswer.limited("best val_mAP at least 0.42", "", "val_mAP", 0.42), "");
        jobs.judged(AnAnswer.limited("epochs until 0.4 of loss at most 9", "", "", 9), "");
        jobs.judged(AnAnswer.limited("dino train: val_mAP at most 0.9", "other train", "val_mAP", 0.9), "");
        open();

        assertThat(page.evaluate("drawn.map(o => o.title.text)")).isEqualTo(List.of("val_mAP", "loss", "val_mAP50"));
        assertThat(page.evaluate("drawn[0].series[0].markLine.data.map(line => String(line.yAxis))"))
                .isEqualTo(List.of("0.42"));
        assertThat(page.evaluate("drawn[0].yAxis.max({ min: 0.3, max: 0.4 }) > 0.42"))
                .isEqualTo(true);
        assertThat(page.evaluate("drawn[0].xAxis.axisLabel.formatter(0.5)")).isEqualTo("");
        assertThat(page.evaluate("drawn[1].series[0].markLine === undefined")).isEqualTo(true);
        assertThat(page.locator("#tao-values tbody td:first-child").allTextContents())
                .containsExactly("val_mAP", "loss", "val_mAP50");
    }

    @Test
    @Promise("JK-02")
    void theEtaStandsApartFromTheEpochs() throws IOException {
        open();
        page.addStyleTag(new Page.AddStyleTagOptions().setContent(Views.read("TaoRunAction/jobs.css")));

        assertThat(page.evaluate("""
                () => {
                  const eta = document.querySelector('#tao-job .tao-eta');
                  eta.previousElementSibling.textContent = 'epoch 1/2';
                  eta.textContent = 'ETA 1m';
                  return getComputedStyle(eta, '::before').content;
                }
                """)).isEqualTo("\" \"");
    }

    @Test
    @Promise({"JK-02", "JK-24"})
    void theLogIsSearchedByWordsAndByRank() throws IOException {
        Files.writeString(folder.resolve("tail.txt"), """
                [rank0]: Epoch 1
                [rank1]: KeyError: 'x'
                1: Epoch 2
                main.err: [rank10]: Epoch 3
                done
                """);
        open();
        assertThat(page.locator("#tao-tail").textContent()).hasLineCount(5);
        assertThat(page.locator("#tao-search option").allTextContents()).containsExactly("All ranks", "0", "1", "10");

        page.locator("#tao-search select").selectOption("1");
        assertThat(page.locator("#tao-tail").textContent()).isEqualTo("[rank1]: KeyError: 'x'\n1: Epoch 2");
        page.locator("#tao-search input").fill("epoch");

        assertThat(page.locator("#tao-tail").textContent()).isEqualTo("1: Epoch 2");
        assertThat(page.locator("#tao-search .tao-found").textContent()).isEqualTo("1 / 5");
    }

    @Test
    @Promise({"JK-02", "JK-24"})
    void howLongAJobWaitedAndRanIsABar() throws IOException {
        Files.writeString(folder.resolve("events.jsonl"), """
                {"event":"submitted","nativeId":"471","at":"2026-01-31T12:00:00Z"}
                {"event":"state","state":"PENDING","nativeState":"PENDING","at":"2026-01-31T12:01:00Z"}
                {"event":"state","state":"RUNNING","nativeState":"RUNNING","at":"2026-01-31T12:05:00Z"}
                {"event":"notice","text":"It goes on.","at":"2026-01-31T12:06:00Z"}
                {"event":"state","state":"ENDED","nativeState":"NODE_FAIL","at":"2026-01-31T13:05:00Z"}
                {"event":"attempt","number":2,"detail":"A node failed.","at":"2026-01-31T13:05:10Z"}
                {"event":"state","state":"RUNNING","nativeState":"RUNNING","at":"2026-01-31T13:06:10Z"}
                {"event":"ended","outcome":"succeeded","at":"2026-01-31T13:36:10Z"}
                """);
        open();

        assertThat(page.locator("#tao-phases span").allTextContents())
                .containsExactly(
                        "attempt 1, waiting 5m",
                        "attempt 1, running 1h",
                        "attempt 2, waiting 1m",
                        "attempt 2, running 30m");
        assertThat(page.evaluate("document.querySelector('#tao-phases').children[1].style.flexGrow"))
                .isEqualTo("3600");
    }
}
