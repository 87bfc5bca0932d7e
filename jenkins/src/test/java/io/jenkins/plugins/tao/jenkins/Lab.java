package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import com.cloudbees.plugins.credentials.CredentialsScope;
import com.cloudbees.plugins.credentials.SystemCredentialsProvider;
import hudson.model.Result;
import hudson.util.Secret;
import io.jenkins.plugins.tao.jenkins.config.LocalTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jenkinsci.plugins.plaincredentials.impl.StringCredentialsImpl;
import org.jenkinsci.plugins.workflow.cps.CpsFlowDefinition;
import org.jenkinsci.plugins.workflow.job.WorkflowJob;
import org.jenkinsci.plugins.workflow.job.WorkflowRun;
import org.jvnet.hudson.test.JenkinsRule;

/** A Jenkins of the harness with one target, {@code local}, whose jobs are processes of this machine. */
final class Lab {
    static final Duration PATIENCE = Duration.ofSeconds(90);

    private final JenkinsRule jenkins;

    private Lab(JenkinsRule jenkins) {
        this.jenkins = jenkins;
    }

    /** The Jenkins as it stands, such as after a restart. */
    static Lab of(JenkinsRule jenkins) {
        return new Lab(jenkins);
    }

    /** The Jenkins with its target, whose jobs lie below {@code directory}. */
    static Lab withTarget(JenkinsRule jenkins, Path directory) {
        TaoGlobalConfiguration.get()
                .setTargets(List.of(new LocalTargetConfiguration("local", directory.resolve("base").toString())));
        return new Lab(jenkins);
    }

    void secret(String id, String value) throws IOException {
        SystemCredentialsProvider store = SystemCredentialsProvider.getInstance();
        store.getCredentials().add(new StringCredentialsImpl(CredentialsScope.GLOBAL, id, "", Secret.fromString(value)));
        store.save();
    }

    /** Starts a sandboxed Pipeline. */
    WorkflowRun start(String script) throws Exception {
        WorkflowJob job = jenkins.createProject(WorkflowJob.class, "train");
        job.setDefinition(new CpsFlowDefinition(script, true));
        return job.scheduleBuild2(0).waitForStart();
    }

    /** Runs a sandboxed Pipeline to its end. */
    WorkflowRun run(String script, Result expected) throws Exception {
        return ended(start(script), expected);
    }

    WorkflowRun ended(WorkflowRun build, Result expected) throws Exception {
        return jenkins.assertBuildStatus(expected, jenkins.waitForCompletion(build));
    }

    WorkflowRun firstBuild() {
        return jenkins.jenkins.getItemByFullName("train", WorkflowJob.class).getBuildByNumber(1);
    }

    static void await(Path file) {
        Awaitility.await("for " + file.getFileName())
                .atMost(PATIENCE)
                .until(() -> Files.exists(file));
    }

    /** The one file of this name below {@code directory}, once it is there. */
    static Path find(Path directory, String name) {
        return Awaitility.await("for " + name).atMost(PATIENCE).until(() -> {
            try (Stream<Path> files = Files.walk(directory)) {
                return files.filter(file -> file.endsWith(name)).findFirst().orElse(null);
            } catch (UncheckedIOException e) {
                return null;
            }
        }, Objects::nonNull);
    }

    static void assertLines(Path file, String... lines) {
        assertThat(file).content().isEqualTo(String.join("\n", lines) + "\n");
    }
}
