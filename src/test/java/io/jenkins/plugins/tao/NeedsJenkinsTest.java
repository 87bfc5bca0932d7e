package io.jenkins.plugins.tao;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.jenkins.plugins.tao.jenkins.RealJenkins;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class NeedsJenkinsTest {
    @TempDir
    private Path folder;

    private final @Nullable String before = System.getProperty(RealJenkins.PROPERTY);

    @BeforeEach
    void name() {
        System.setProperty(RealJenkins.PROPERTY, folder.toString());
    }

    @AfterEach
    void restore() {
        if (before == null) {
            System.clearProperty(RealJenkins.PROPERTY);
        } else {
            System.setProperty(RealJenkins.PROPERTY, before);
        }
    }

    @Test
    void whereNoFolderIsNamedItIsSkippedWithTheCommand() {
        System.clearProperty(RealJenkins.PROPERTY);

        assertThat(run())
                .containsExactly(
                        "NeedsJenkinsTest$Drives skipped: It needs a real Jenkins: ./mvnw verify -Pacceptance -Dtao.jenkins=FOLDER");
    }

    @Test
    void aFolderWithoutAJenkinsFailsAndNamesWhatIsNotThere() throws IOException {
        assertThat(run())
                .singleElement()
                .asString()
                .contains("NeedsJenkinsTest$Drives failed: ", "there is no file " + folder + "/jenkins.war");

        Files.createFile(folder.resolve("jenkins.war"));

        assertThat(run())
                .singleElement()
                .asString()
                .contains("NeedsJenkinsTest$Drives failed: ", "there is no plugin in " + folder + "/plugins");
    }

    @Test
    void whereAPluginIsAbsentItIsSkippedWithThePluginsName() throws IOException {
        Files.createFile(folder.resolve("jenkins.war"));
        Files.createFile(Files.createDirectory(folder.resolve("plugins")).resolve("git.jpi"));

        assertThat(run())
                .containsExactly("NeedsJenkinsTest$Drives skipped: The Jenkins lacks the plugins [prometheus]");
    }

    private static List<String> run() {
        List<String> ends = new ArrayList<>();
        TestExecutionListener listener = new TestExecutionListener() {
            @Override
            public void executionSkipped(TestIdentifier identifier, String reason) {
                ends.add(identifier.getDisplayName() + " skipped: " + reason);
            }

            @Override
            public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
                result.getThrowable().ifPresent(thrown -> ends.add(identifier.getDisplayName() + " failed: " + thrown));
            }
        };
        LauncherConfig alone = LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .addTestExecutionListeners(listener)
                .build();
        LauncherFactory.create(alone)
                .execute(LauncherDiscoveryRequestBuilder.request()
                        .selectors(selectClass(Drives.class))
                        .build());
        return ends;
    }

    @NeedsJenkins(plugins = {"git", "prometheus"})
    @Tag("fixture")
    static class Drives {
        @Test
        void runs() {}
    }
}
