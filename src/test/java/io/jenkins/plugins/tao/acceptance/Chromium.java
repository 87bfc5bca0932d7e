package io.jenkins.plugins.tao.acceptance;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.Playwright.CreateOptions;
import com.microsoft.playwright.options.ColorScheme;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The machine's own Chromium without a window. Its driver is a program of Node. Keeps what pages complain of. */
public final class Chromium implements AutoCloseable {
    private final Playwright playwright;
    private final Browser browser;
    private final List<String> complaints = new CopyOnWriteArrayList<>();

    private Chromium(String chromium, String node) {
        playwright = Playwright.create(new CreateOptions()
                .setEnv(Map.of("PLAYWRIGHT_NODEJS_PATH", node, "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        browser = playwright
                .chromium()
                .launch(new LaunchOptions().setExecutablePath(Path.of(chromium)).setArgs(List.of("--no-sandbox")));
    }

    /** Starts it; where there is none, the test is skipped and says so. */
    public static Chromium start() {
        Optional<String> chromium = program("chromium");
        Optional<String> node = program("node");
        Assumptions.assumeTrue(
                chromium.isPresent() && node.isPresent(), "The tests in a browser need chromium and node on the PATH.");
        return new Chromium(chromium.orElseThrow(), node.orElseThrow());
    }

    private static Optional<String> program(String name) {
        return Stream.of(Objects.requireNonNullElse(System.getenv("PATH"), "").split(File.pathSeparator))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }

    /** A new window of this width. */
    public Page page(int width, ColorScheme colors) {
        BrowserContext context = browser.newContext(
                new NewContextOptions().setViewportSize(width, 900).setColorScheme(colors));
        Page page = context.newPage();
        page.onConsoleMessage(message -> {
            if (message.type().equals("error")) {
                complaints.add(page.url() + ": " + message.text());
            }
        });
        page.onPageError(error -> complaints.add(page.url() + ": " + error));
        return page;
    }

    /** The errors of all pages so far, violations of the content security policy among them. */
    public List<String> complaints() {
        return complaints;
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}
