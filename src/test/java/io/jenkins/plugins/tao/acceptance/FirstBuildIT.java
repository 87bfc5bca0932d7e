package io.jenkins.plugins.tao.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.NeedsJenkins;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.RealJenkins;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages for a first build and for an installation without the Internet, done word by word on a fresh Jenkins. */
@NeedsJenkins(plugins = "configuration-as-code")
class FirstBuildIT {
    private static final Path PAGE = Path.of("docs/first-build.md");
    private static final Path OFFLINE = Path.of("docs/offline.md");
    private static final Pattern NAMED = Pattern.compile("`([a-z0-9-]+)`");

    @TempDir
    private Path home;

    @Test
    @Promise("JK-27")
    void thePluginsOfTheListAndThreeStepsMakeAGreenBuildAndAFailureThatNamesItsCause() throws IOException {
        Set<String> plugins = listed();
        plugins.addAll(List.of("workflow-job", "workflow-cps", "workflow-basic-steps", "configuration-as-code"));
        try (JenkinsProcess process = JenkinsProcess.bare(home, closed(plugins))) {
            JenkinsClient jenkins = process.start();
            jenkins.upload("pluginManager/uploadPlugin", RealJenkins.builtPlugin());
            await("for the plugin")
                    .atMost(Build.PATIENCE)
                    .until(() -> Files.exists(home.resolve("plugins/tao-run.jpi")));
            process.stop();
            jenkins = process.start();
            assertThat(jenkins.groovy("def all = jenkins.model.Jenkins.get().pluginManager\n"
                            + "println all.failedPlugins*.name\nprintln all.getPlugin('tao-run').active"))
                    .isEqualToIgnoringNewLines("[]true");

            jenkins.post(
                    "configuration-as-code/apply",
                    "text/plain",
                    block("yaml")
                            .replace(
                                    "/var/lib/jenkins/tao-sim",
                                    home.resolve("sim").toString()));
            String script = block("groovy");
            Build first = jenkins.start("first", script);
            first.ends("SUCCESS");
            assertThat(first.log()).containsPattern("val_mAP 0\\.\\d+");

            Build memory = jenkins.start("memory", script.replace("epochs: 5", "epochs: 5, failure: 'gpu_memory'"));
            memory.ends("FAILURE");
            assertThat(memory.log()).contains("**Cause**: GPU_MEMORY", "**Next step**");
            Build node = jenkins.start("node", script.replace("epochs: 5", "epochs: 5, failure: 'node_lost'"));
            node.ends("SUCCESS");
            assertThat(node.log()).contains(".2 ");
        }
    }

    /** The plugins of the table, which is what the manifest says. */
    private static Set<String> listed() throws IOException {
        Set<String> names = new TreeSet<>();
        Files.readAllLines(OFFLINE).stream()
                .filter(line -> line.matches("\\| `.*"))
                .map(line -> line.split("\\|", -1)[1])
                .forEach(cell -> NAMED.matcher(cell).results().forEach(name -> names.add(name.group(1))));
        names.removeIf(name -> RealJenkins.plugin(name).isEmpty());
        assertThat(names).hasSizeGreaterThan(12);
        return names;
    }

    /** With all that they need themselves. */
    private static Set<String> closed(Set<String> names) throws IOException {
        Set<String> all = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>(names);
        while (!open.isEmpty()) {
            String name = open.remove();
            if (all.add(name)) {
                open.addAll(needed(RealJenkins.plugin(name).orElseThrow()));
            }
        }
        return all;
    }

    private static List<String> needed(Path archive) throws IOException {
        try (JarFile jar = new JarFile(archive.toFile())) {
            String dependencies = Objects.requireNonNull(jar.getManifest())
                    .getMainAttributes()
                    .getValue("Plugin-Dependencies");
            return dependencies == null
                    ? List.of()
                    : Pattern.compile(",")
                            .splitAsStream(dependencies)
                            .filter(one -> !one.contains("resolution:=optional"))
                            .map(one -> one.split(":", -1)[0])
                            .toList();
        }
    }

    /** The first block of a language on the page. */
    private static String block(String language) throws IOException {
        var found = Pattern.compile("(?s) *```" + language + "\n(.*?)\n *```").matcher(Files.readString(PAGE));
        assertThat(found.find()).isTrue();
        return found.group(1).stripIndent();
    }
}
