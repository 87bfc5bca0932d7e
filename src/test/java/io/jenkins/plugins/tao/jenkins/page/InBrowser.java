package io.jenkins.plugins.tao.jenkins.page;

import io.jenkins.plugins.tao.acceptance.Chromium;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** A browser for the scripts of the pages; one for all tests of a class. */
abstract class InBrowser {
    static Chromium chromium;

    @TempDir
    Path home;

    @BeforeAll
    static void browser() {
        chromium = Chromium.start();
    }

    @AfterAll
    static void close() {
        if (chromium != null) {
            chromium.close();
        }
    }
}
