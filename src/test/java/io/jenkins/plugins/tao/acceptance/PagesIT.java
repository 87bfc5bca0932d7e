package io.jenkins.plugins.tao.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.LoadState;
import io.jenkins.plugins.tao.NeedsJenkins;
import io.jenkins.plugins.tao.Promise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The pages as a person has them: in a browser, narrow or wide, light or dark, by mouse and by keyboard, under a strict policy. */
@NeedsJenkins
class PagesIT {
    /** Texts of ours that are hard to read: the contrast to what lies behind them is below 4.5. */
    private static final String PALE = """
            () => {
              const rgb = text => { const n = text.match(/[\\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
              const light = c => { const [r, g, b] = c.slice(0, 3).map(v => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
                return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
              const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
              const plain = text => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = text; canvas.fillRect(0, 0, 1, 1);
                const d = canvas.getImageData(0, 0, 1, 1).data; return [d[0], d[1], d[2], d[3] / 255]; };
              const behind = e => { for (; e; e = e.parentElement) { const c = plain(getComputedStyle(e).backgroundColor); if (c[3] > 0.9) return c; }
                return plain(getComputedStyle(document.documentElement).backgroundColor); };
              return [...document.querySelectorAll('#main-panel table.tao-jobs *, #main-panel p, #main-panel pre, #main-panel .tao-state')]
                .filter(e => e.offsetParent && [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()))
                .filter(e => { const a = light(plain(getComputedStyle(e).color)), b = light(behind(e));
                  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5; })
                .map(e => e.className + ' ' + e.textContent.trim().slice(0, 40) + ' ' + getComputedStyle(e).color + ' on ' + behind(e));
            }
            """;

    @TempDir
    private static Path home;

    private static JenkinsProcess process;
    private static JenkinsClient jenkins;
    private static Chromium chromium;
    private static String job;

    @BeforeAll
    static void start() throws IOException {
        chromium = Chromium.start();
        process = JenkinsProcess.in(home);
        jenkins = process.start();
        jenkins.targets("new io.jenkins.plugins.tao.jenkins.config.SimulatedTargetConfiguration('sim', '"
                + home.resolve("sim") + "').with { speed = '10'; it }");
        jenkins.groovy("io.jenkins.plugins.thememanager.ThemeManagerPageDecorator.get().theme ="
                + " new io.jenkins.plugins.darktheme.DarkThemeSystemManagerFactory()");
        Build build = jenkins.start("night", """
                taoRun target: 'sim', name: 'small', command: 'dino train', retries: 0, options: simulated(epochs: 2)
                catchError { taoRun target: 'sim', name: 'broken', command: 'dino train', retries: 0, options: simulated(epochs: 2, failure: 'node_lost') }
                taoRun target: 'sim', name: 'large', command: 'dino train -e /a/very/long/path/to/the/specification/of/an/experiment.yaml', retries: 0, gpus: 2, options: simulated(epochs: 3)
                taoGate(kpi: 'val_mAP', atLeast: '0.01')
                """);
        build.ends("FAILURE");
        jenkins.post("job/night/build?delay=0sec", "text/plain", "");
        jenkins.start("sweep", """
                        taoSweep(target: 'sim', command: 'dino train -e {config_path}', matrix: [lr: [0.1, 0.01], 'train.seed': [1, 2]],
                            options: simulated(epochs: 2))
                        """).ends("SUCCESS");
        await("for the second night")
                .until(() -> jenkins.find("job/night/2/api/json?tree=inProgress,result")
                        .contains("\"result\":\"FAILURE\""));
        job = build.page().replaceAll("(?s).*\"id\":\"(large-[^\"]*)\".*", "$1");
    }

    @AfterAll
    static void stop() {
        chromium.close();
        process.close();
    }

    private static List<String> pages() {
        return List.of(
                "job/night/1/",
                "job/night/1/tao/",
                "job/night/1/tao/job/" + job + "/",
                "job/night/1/tao/compare/",
                "job/night/2/tao/compare/",
                "job/night/1/tao-bless/",
                "job/night/",
                "job/sweep/1/tao/",
                "job/night/tao/",
                "manage/tao/");
    }

    @Test
    @Promise("JK-24")
    void theTrainingStandsBelowTheMetricInTheTitleOfATrend() throws IOException {
        String run = "taoRun target: 'sim', command: '%s train', retries: 0, options: simulated(epochs: 1)\n";
        jenkins.start("models", run.formatted("dino") + run.formatted("segformer"))
                .ends("SUCCESS");

        try (Page page = chromium.page(1280, ColorScheme.LIGHT)) {
            page.navigate(jenkins.address("job/models/tao/"));
            page.waitForLoadState(LoadState.NETWORKIDLE);
            Object apart = page.evaluate("""
                    () => {
                      const chart = echarts.getInstanceByDom(document.querySelector('[_echarts_instance_]'));
                      const at = end => chart.getZr().storage.getDisplayList(true)
                        .filter(shape => shape.style.text === end)
                        .map(shape => shape.style.y + (shape.transform ? shape.transform[5] : 0))[0];
                      const title = chart.getOption().title[0];
                      return at(title.subtext) - at(title.text);
                    }
                    """);
            assertThat(((Number) apart).doubleValue()).isGreaterThan(14);
        }
    }

    @ParameterizedTest
    @Promise("JK-24")
    @EnumSource(
            value = ColorScheme.class,
            names = {"LIGHT", "DARK"})
    void noPageOfOursIsWiderThanANarrowWindowOrHardToReadOrBreaksTheStrictPolicy(ColorScheme colors)
            throws IOException {
        List<String> wrong = new ArrayList<>();
        for (int width : new int[] {400, 1280}) {
            try (Page page = chromium.page(width, colors)) {
                for (String path : pages()) {
                    int status = Objects.requireNonNull(page.navigate(jenkins.address(path)))
                            .status();
                    if (status != 200) {
                        wrong.add(path + " has status " + status);
                    }
                    page.waitForLoadState(LoadState.NETWORKIDLE); // charts come after the page
                    photograph(page, path, width, colors);
                    // Jenkins' own list of artifacts is as wide as the longest path, whatever the window
                    page.evaluate("document.querySelectorAll('table.fileList').forEach(e => e.remove())");
                    int wide = ((Number) page.evaluate("document.documentElement.scrollWidth")).intValue();
                    if (wide > width) {
                        wrong.add(path + " is " + wide + " wide: " + page.evaluate("""
                                w => [...document.querySelectorAll('#main-panel *')].filter(e => e.getBoundingClientRect().right > w + 1)
                                  .slice(0, 5).map(e => e.tagName + '.' + e.className)
                                """, width));
                    }
                    Object pale = page.evaluate(PALE);
                    if (!((List<?>) pale).isEmpty()) {
                        wrong.add(path + " pale: " + pale);
                    }
                }
            }
        }

        assertThat(wrong).isEmpty();
        assertThat(chromium.complaints()).isEmpty();
    }

    /** For people: the pages as they were. */
    private static void photograph(Page page, String path, int width, ColorScheme colors) throws IOException {
        Path folder = Files.createDirectories(Path.of("target", "pages"));
        page.screenshot(new Page.ScreenshotOptions()
                .setFullPage(true)
                .setPath(folder.resolve(
                        path.replaceAll("-?[0-9a-f]{12}", "").replace('/', '_') + width + colors + ".png")));
    }

    @Test
    @Promise("JK-24")
    void eachLinkAndButtonOfThePageIsReachedByTheTabKeyAndSeenWhenItIs() {
        try (Page page = chromium.page(1280, ColorScheme.LIGHT)) {
            page.navigate(jenkins.address("job/night/1/tao/"));
            Set<String> reached = new TreeSet<>();
            for (int step = 0; step < 120; step++) {
                page.keyboard().press("Tab");
                reached.add(String.valueOf(page.evaluate("""
                        () => { const e = document.activeElement; if (e === document.body) return ''; const s = getComputedStyle(e), t = getComputedStyle(e, '::before'), u = getComputedStyle(e, '::after');
                          const seen = s.outlineStyle !== 'none' || [s, t, u].some(x => x.boxShadow !== 'none');
                          return (e.getAttribute('href') || e.textContent.trim() || e.className) + (seen ? '' : ' UNSEEN'); }
                        """)));
            }

            assertThat(reached).contains("compare", "api/json?pretty=true", "job/" + job + "/");
            assertThat(reached).filteredOn(one -> one.endsWith("UNSEEN")).isEmpty();
        }
    }

    @Test
    @Promise({"JK-01", "JK-24"})
    void theTableIsSortedByAClickAndByTheEnterKey() {
        try (Page page = chromium.page(1280, ColorScheme.LIGHT)) {
            page.navigate(jenkins.address("job/night/1/tao/"));
            Locator head = page.locator("table.tao-jobs th")
                    .first()
                    .locator("a, button")
                    .first();
            List<String> before = names(page);

            head.click();
            List<String> clicked = names(page);
            head.focus();
            page.keyboard().press("Enter");

            assertThat(clicked).isNotEqualTo(before).containsExactlyInAnyOrderElementsOf(before);
            assertThat(List.of(clicked, reversed(clicked)))
                    .anySatisfy(names -> assertThat(names).isSorted());
            assertThat(names(page)).isEqualTo(reversed(clicked));
        }
    }

    private static List<String> reversed(List<String> names) {
        List<String> reversed = new ArrayList<>(names);
        Collections.reverse(reversed);
        return reversed;
    }

    private static List<String> names(Page page) {
        return page.locator("table.tao-jobs tbody tr td:first-child a").allTextContents();
    }

    @Test
    @Promise("JK-01")
    void aJobThatGoesOnIsFollowedWithoutAReload() throws IOException {
        Build build = jenkins.start(
                "live",
                "taoRun target: 'sim', command: 'dino train', options: simulated(epochs: 40, epochTime: '20s')");
        build.says("Epoch 1/40");
        try (Page page = chromium.page(1280, ColorScheme.LIGHT)) {
            page.navigate(jenkins.address("job/live/1/tao/"));
            page.evaluate("window.notReloaded = true");
            String first = page.locator("[data-cell=progress]").textContent();

            page.waitForFunction(
                    "was => { const now = document.querySelector('[data-cell=progress]').textContent; return now && now !== was; }",
                    first);

            assertThat(page.evaluate("window.notReloaded")).isEqualTo(true);
        }
        build.abort();
        build.ends("ABORTED");
    }

    @Test
    @Promise("JK-03")
    void theHistoryOfTheJobHasABadgeThatLeadsToTheJobsAndTellsHowTheyDid() {
        try (Page page = chromium.page(1280, ColorScheme.LIGHT)) {
            page.navigate(jenkins.address("job/night/"));

            Locator badge = page.locator(
                            "#side-panel a[href$='night/1/tao/'], .app-builds-container a[href$='night/1/tao/']")
                    .first();
            badge.waitFor();
            assertThat(badge.innerHTML()).contains("TAO: ");
        }
    }

    @Test
    @Promise("JK-06")
    void besideTheCurvesOfAJobStandTheirValuesAsATable() {
        try (Page page = chromium.page(1280, ColorScheme.LIGHT)) {
            page.navigate(jenkins.address("job/night/1/tao/job/" + job + "/"));
            page.locator("canvas").first().waitFor();
            page.locator("#tao-values").locator("xpath=..").locator("summary").click();

            assertThat(page.locator("#tao-values tr").count()).isGreaterThan(3);
            assertThat(page.locator("#tao-values").textContent()).contains("val_mAP");
            assertThat(page.locator("#tao-values th[scope=col]").count()).isGreaterThan(1);
        }
    }

    @Test
    @NeedsJenkins(plugins = "cloudbees-folder")
    @Promise("JK-11")
    void aCredentialThatIsGoneStandsInRedBelowItsList() throws IOException {
        jenkins.groovy("def property = new io.jenkins.plugins.tao.jenkins.folder.TaoFolderProperty()\n"
                + "property.targets = [new io.jenkins.plugins.tao.jenkins.config.SlurmTargetConfiguration("
                + "'dgx', 'login', 'gone', 'login ssh-ed25519 AAAA', '/tao')]\n"
                + "jenkins.model.Jenkins.get().createProject(com.cloudbees.hudson.plugins.folder.Folder, 'team')"
                + ".addProperty(property)");
        try (Page page = chromium.page(1280, ColorScheme.LIGHT)) {
            page.navigate(jenkins.address("job/team/configure"));

            Locator error = page.locator(".error", new Page.LocatorOptions().setHasText("credential 'gone'"))
                    .first();
            error.waitFor();
            assertThat(error.textContent()).contains("There is no credential 'gone' that may be used here.");
            Locator choice = page.locator("select[name='_.credentialsId']").first();
            assertThat(choice.inputValue()).isEqualTo("gone");
            assertThat(choice.locator("option").allTextContents()).contains("- none -", "- current -");
            photograph(page, "credential", 1280, ColorScheme.LIGHT);
        }
    }
}
