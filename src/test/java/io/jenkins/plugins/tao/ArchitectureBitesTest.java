package io.jenkins.plugins.tao;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Plants a violation of each rule of {@link ArchitectureTest} and sees it caught. */
class ArchitectureBitesTest {
    private static final String ROOT = "io.jenkins.plugins.tao.";
    private static final String PORT = ROOT + "backend.Position x;";

    @TempDir
    static Path folder;

    static Stream<Arguments> violations() {
        return Stream.of(
                arguments("jobIsTheFloor", ArchitectureTest.jobIsTheFloor, "job", PORT),
                arguments("jobKnowsTheJdkAlone", ArchitectureTest.jobKnowsTheJdkAlone, "job", "org.slf4j.Logger x;"),
                arguments("statusReadsForJob", ArchitectureTest.statusReadsForJob, "status", PORT),
                arguments(
                        "backendIsThePort", ArchitectureTest.backendIsThePort, "backend", ROOT + "remote.host.Host x;"),
                arguments("remoteIsTransport", ArchitectureTest.remoteIsTransport, "remote", ROOT + "monitor.Watch x;"),
                arguments("httpIsTransport", ArchitectureTest.httpIsTransport, "http", ROOT + "monitor.Watch x;"),
                arguments("payload", ArchitectureTest.payloadIsWhatRunsInside, "payload", ROOT + "monitor.Watch x;"),
                arguments("slurm", ArchitectureTest.slurmIsAnAdapter, "backend.slurm", ROOT + "monitor.Watch x;"),
                arguments("box", ArchitectureTest.boxIsAnAdapter, "backend.box", ROOT + "monitor.Watch x;"),
                arguments(
                        "notebook",
                        ArchitectureTest.notebookIsAnAdapter,
                        "backend.notebook",
                        ROOT + "payload.Payload x;"),
                arguments("lepton", ArchitectureTest.leptonIsAnAdapter, "backend.lepton", ROOT + "remote.host.Host x;"),
                arguments("monitor", ArchitectureTest.monitorWatches, "monitor", ROOT + "remote.host.Host x;"),
                arguments("dispatch", ArchitectureTest.dispatchHasTheVerbs, "dispatch", ROOT + "remote.host.Host x;"),
                arguments("journal", ArchitectureTest.journalWritesDown, "journal", ROOT + "remote.host.Host x;"),
                arguments("cli", ArchitectureTest.cliIsADoor, "cli", ROOT + "payload.S3Settings x;"));
    }

    static Stream<Arguments> habits() {
        return Stream.of(
                arguments(
                        "found",
                        ArchitectureTest.adaptersAreFoundNotUsed,
                        "dispatch",
                        ROOT + "backend.box.LocalType x;"),
                arguments(
                        "forms",
                        ArchitectureTest.formsMakeTargetsAndOptionsOnly,
                        "jenkins.config",
                        ROOT + "backend.box.LocalType x;"),
                arguments("jenkins", ArchitectureTest.onlyTheDoorKnowsJenkins, "dispatch", "hudson.model.Run<?, ?> x;"),
                arguments(
                        "mina", ArchitectureTest.minaStaysInside, "backend.box", "org.apache.sshd.client.SshClient x;"),
                arguments("okhttp", ArchitectureTest.okHttpStaysInside, "backend.lepton", "okhttp3.HttpUrl x;"),
                arguments(
                        "time",
                        ArchitectureTest.onlyMonitorOwnsTime,
                        "dispatch",
                        "Object x = java.time.Instant.now();"),
                arguments("random", ArchitectureTest.onlyMonitorOwnsTime, "remote", "java.util.Random x;"),
                arguments(
                        "sleep",
                        ArchitectureTest.nobodySleeps,
                        "monitor",
                        "void x() throws Exception { Thread.sleep(1); }"),
                arguments("statics", ArchitectureTest.staticsDoNotChange, "monitor", "static int x;"),
                arguments("names", ArchitectureTest.namesSayWhatThingsAre, "monitor", "static class StringUtil {}"),
                arguments(
                        "saved",
                        ArchitectureTest.jenkinsSavesNoRecords,
                        "jenkins.step",
                        "static class Kept implements java.io.Serializable { record R() {} R x; }"));
    }

    static Stream<Arguments> layers() {
        return Stream.of(
                arguments("inside cli", LayersTest.cli, "cli.output", ROOT + "cli.input.JobRequest x;"),
                arguments(
                        "inside backend.kubernetes",
                        LayersTest.kubernetes,
                        "backend.kubernetes.request",
                        ROOT + "backend.kubernetes.api.KubernetesApi x;"),
                arguments(
                        "inside backend.slurm",
                        LayersTest.slurm,
                        "backend.slurm.reply",
                        ROOT + "backend.slurm.submit.SlurmPlan x;"),
                arguments("inside remote", LayersTest.remote, "remote.host", ROOT + "remote.ssh.SshHost x;"),
                arguments(
                        "inside backend.lepton",
                        LayersTest.lepton,
                        "backend.lepton.request",
                        ROOT + "backend.lepton.api.LeptonApi x;"),
                arguments("inside gate", LayersTest.gate, "gate.statistics", ROOT + "gate.criteria.Criterion x;"),
                arguments("inside job", LayersTest.job, "job.text", ROOT + "job.JobKey x;"),
                arguments(
                        "inside backend.box",
                        LayersTest.box,
                        "backend.box.options",
                        ROOT + "backend.box.diagnosis.BoxDeath x;"),
                arguments("inside monitor", LayersTest.monitor, "monitor", ROOT + "monitor.poll.Monitor x;"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"violations", "habits", "layers"})
    void aPlantedViolationIsCaught(String name, ArchRule rule, String where) throws IOException {
        Path classes = folder.resolve((ROOT + where).replace('.', '/'));
        JavaClasses planted;
        try (Stream<Path> files = Files.list(classes)) {
            planted = new ClassFileImporter()
                    .importPaths(
                            files.filter(file -> file.getFileName().toString().matches(type(name) + "\\b.*"))
                                    .toList());
        }

        assertThat(planted).isNotEmpty();
        assertThat(rule.allowEmptyShould(true).evaluate(planted).hasViolation()).isTrue();
    }

    /** All in one run of the compiler: each further one would read the class path once more. */
    @BeforeAll
    static void compile() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (Arguments planted : Stream.of(violations(), habits(), layers())
                .flatMap(each -> each)
                .toList()) {
            Object[] words = planted.get();
            String type = type(String.valueOf(words[0]));
            sources.add(Files.writeString(
                    folder.resolve(type + ".java"),
                    "package " + ROOT + words[2] + "; class " + type + " { " + words[3] + " }"));
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options =
                    List.of("-d", folder.toString(), "-proc:none", "-classpath", System.getProperty("java.class.path"));
            boolean compiled = compiler.getTask(
                            null, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
            assertThat(compiled).isTrue();
        }
    }

    private static String type(String name) {
        return "Planted_" + name.replaceAll("\\W", "_");
    }
}
