package io.jenkins.plugins.tao.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.LoadState;
import io.jenkins.plugins.tao.NeedsJenkins;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Makes the pictures of README and guides with {@code -Dtao.pictures=docs/images}: a nightly job, and a regression at its end. */
@NeedsJenkins
@EnabledIfSystemProperty(named = "tao.pictures", matches = ".+")
class PicturesIT {
    private static final int NIGHTS = Integer.getInteger("tao.nights", 60);
    private static final int BAD_SINCE = NIGHTS - 1;
    private static final int SPEED = 5000;
    private static final Path PICTURES = Path.of(System.getProperty("tao.pictures", "target/pictures"));

    @TempDir
    private static Path home;

    private static JenkinsProcess process;
    private static JenkinsClient jenkins;
    private static Chromium chromium;

    @BeforeAll
    static void start() throws IOException {
        chromium = Chromium.start();
        process = JenkinsProcess.in(home);
        jenkins = process.start();
        jenkins.targets("new io.jenkins.plugins.tao.jenkins.config.SimulatedTargetConfiguration('cluster', '"
                + home.resolve("sim") + "').with { speed = '" + SPEED + "'; it }");
        Files.createDirectories(PICTURES);
    }

    @AfterAll
    static void stop() {
        chromium.close();
        process.close();
    }

    /** The value of each night: usual with noise, 4 % less from the day of the regression on. */
    private static String values(long seed, double usual, double drop) {
        Random random = new Random(seed);
        return DoubleStream.iterate(1, night -> night + 1)
                .limit(NIGHTS)
                .map(night -> usual * (night < BAD_SINCE ? 1 : 1 - drop) + random.nextGaussian() * 0.003)
                .mapToObj(value -> String.format(Locale.ROOT, "%.4f", value))
                .collect(Collectors.joining(", ", "[", "]"));
    }

    private static String training(String model, String kpi, String values, String failing) {
        return """
                %1$s: { taoRun(target: 'cluster', name: '%1$s', command: '%1$s train -e {config_path}', gpus: 8, log: false,
                    image: "nvcr.io/nvidia/tao/tao-toolkit:7.0.${n < BAD ? 0 : 1}-pyt", retries: 0, failOnError: false,
                    spec: [model: '%1$s', train: [num_epochs: 12, seed: n]],
                    options: simulated([seed: "${n}%3$d", epochs: '12', epochTime: '40m', queue: '15m', noise: '0', kpis: [%2$s: %4$s[n - 1]]] + %5$s)) }
                """.formatted(model, kpi, model.length(), values, failing);
    }

    @Test
    void eachPictureIsMadeOfThePagesOfThisBuild() throws IOException {
        String script = "def n = env.BUILD_NUMBER as int\nparallel(\n"
                + String.join(
                                ",",
                                training("dino", "val_mAP50", values(7, 0.43, 0.04), "[:]"),
                                training("mask2former", "val_mIoU", values(8, 0.71, 0), "[:]"),
                                training(
                                        "segformer",
                                        "val_mIoU",
                                        values(5, 0.66, 0),
                                        "(n == " + NIGHTS + " ? [failure: 'gpu-memory', failAt: '7'] : [:])"))
                        .replace("BAD", Integer.toString(BAD_SINCE))
                + ")\nfor (gate in [[kpi: 'val_mAP50'], [kpi: 'val_mIoU']]) { catchError { taoGate(gate) } }\n";
        jenkins.start("detectors", script).ends("SUCCESS");
        for (int night = 2; night <= NIGHTS; night++) {
            jenkins.post("job/detectors/build?delay=0sec", "text/plain", "");
            String build = "job/detectors/" + night + "/api/json?tree=inProgress,result";
            await("for night " + night).atMost(Build.PATIENCE).until(() -> {
                String state = jenkins.find(build); // a build that has not begun is not in progress
                return state.contains("\"inProgress\":false") && !state.contains("\"result\":null");
            });
        }
        process.stop();
        new StretchedTimes(home.resolve("jobs/detectors"), home.resolve("sim"), NIGHTS, SPEED).write();
        jenkins = process.start();

        String last = "job/detectors/" + NIGHTS + "/";
        String jobs = jenkins.find(last + "tao/api/json");
        assertThat(jobs).as(jenkins.get(last + "consoleText")).isNotEmpty();
        String failed = last + "tao/job/" + jobs.replaceAll("(?s).*\"id\":\"(segformer-[^\"]*)\".*", "$1") + "/";
        picture("build-summary.png", last, ".tao-gates", 35, 490);
        picture("build-jobs.png", last + "tao/", "h1", 10, 765);
        picture("job.png", failed, "h1", 10, 900);
        picture("compare.png", last + "tao/compare/?with=" + (BAD_SINCE - 1), "h1", 10, 900);
        picture("job-trends.png", "job/detectors/tao/", "h1", 10, 640);
        assertThat(chromium.complaints()).isEmpty();
    }

    /** The main panel of a page, from some pixels above the first {@code from} on. */
    private static void picture(String name, String path, String from, int above, int height) {
        try (Page page = chromium.page(1280, ColorScheme.LIGHT)) {
            int status =
                    Objects.requireNonNull(page.navigate(jenkins.address(path))).status();
            assertThat(status).as(path).isEqualTo(200);
            page.waitForLoadState(LoadState.NETWORKIDLE); // charts come after the page
            assertThat(page.content()).as(path).doesNotContain(Objects.toString(home.getFileName()));
            BoundingBox panel = box(page, "#main-panel");
            double top = Math.max(0, box(page, from).y - above);
            page.screenshot(new Page.ScreenshotOptions()
                    .setFullPage(true)
                    .setClip(panel.x, top, panel.width, height)
                    .setPath(PICTURES.resolve(name)));
        }
    }

    private static BoundingBox box(Page page, String selector) {
        return Objects.requireNonNull(page.locator(selector).first().boundingBox());
    }
}
