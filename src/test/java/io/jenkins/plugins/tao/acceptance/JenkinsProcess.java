package io.jenkins.plugins.tao.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.FreePort;
import io.jenkins.plugins.tao.jenkins.RealJenkins;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** A Jenkins with the built plugin, as a process of its own with a home of its own. It listens on loopback, without accounts. */
final class JenkinsProcess implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(6);
    private static final Duration STOP = Duration.ofMinutes(2);

    private final Path home;
    private final int port;
    private Optional<Process> process = Optional.empty();

    private JenkinsProcess(Path home, int port) {
        this.home = home;
        this.port = port;
    }

    /** Puts the plugins into {@code home}; starts nothing. */
    static JenkinsProcess in(Path home) throws IOException {
        Path plugins = Files.createDirectories(home.resolve("plugins"));
        for (Path archive : RealJenkins.plugins()) {
            copy(archive, plugins);
        }
        copy(RealJenkins.builtPlugin(), plugins);
        return prepared(home);
    }

    /** With these plugins alone, and without ours. */
    static JenkinsProcess bare(Path home, Set<String> names) throws IOException {
        Path plugins = Files.createDirectories(home.resolve("plugins"));
        for (String name : names) {
            copy(RealJenkins.plugin(name).orElseThrow(), plugins);
        }
        return prepared(home);
    }

    private static JenkinsProcess prepared(Path home) throws IOException {
        Files.writeString(
                Files.createDirectories(home.resolve("init.groovy.d")).resolve("crumbs.groovy"),
                "jenkins.model.Jenkins.get().crumbIssuer = null\n");
        return new JenkinsProcess(home, FreePort.find());
    }

    private static void copy(Path archive, Path plugins) throws IOException {
        String name = String.valueOf(archive.getFileName()).replaceFirst("\\.hpi$", ".jpi");
        Files.copy(archive, plugins.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }

    Path home() {
        return home;
    }

    /** Starts it, and waits until it answers. */
    JenkinsClient start() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-Djenkins.install.runSetupWizard=false",
                "-Dhudson.model.DownloadService.never=true",
                "-Dhudson.model.UpdateCenter.never=true",
                "-Dhudson.model.UsageStatistics.disabled=true",
                "-Djava.awt.headless=true",
                "-Djenkins.security.csp.CspHeader.headerName=Content-Security-Policy",
                "-jar",
                RealJenkins.war().toString(),
                "--httpListenAddress=127.0.0.1",
                "--httpPort=" + port);
        builder.environment().put("JENKINS_HOME", home.toString());
        builder.environment().put("COLLECTING_METRICS_PERIOD_IN_SECONDS", "1");
        Path log = home.resolve("jenkins.log");
        Process started = builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        process = Optional.of(started);
        JenkinsClient client = new JenkinsClient(port, home);
        await("for Jenkins, see " + log).atMost(START).until(() -> {
            assertThat(started.isAlive()).as("Jenkins ended, see " + log).isTrue();
            return client.isReady();
        });
        return client;
    }

    /** Lets it end as an administrator does: it saves what it keeps. */
    void stop() {
        process.ifPresent(Process::destroy);
        gone();
    }

    /** Ends it as a crash does. */
    void kill() {
        process.ifPresent(Process::destroyForcibly);
        gone();
    }

    private void gone() {
        process.ifPresent(ending -> await("for the end of Jenkins").atMost(STOP).until(() -> !ending.isAlive()));
        process = Optional.empty();
    }

    @Override
    public void close() {
        kill();
    }
}
