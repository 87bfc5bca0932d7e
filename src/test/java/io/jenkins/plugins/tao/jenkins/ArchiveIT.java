package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarInputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;

/** What is in the plugin's archive, and what must not be. */
class ArchiveIT {
    private static final Pattern ICON = Pattern.compile("symbol-([a-z-]+) plugin-tao-run");

    @Test
    void nothingOfJenkinsIsShipped() throws IOException {
        List<String> classes =
                inTheJar().stream().filter(name -> name.endsWith(".class")).toList();

        assertThat(classes)
                .isNotEmpty()
                .allMatch(name -> name.startsWith("io/jenkins/plugins/tao/"), "is ours")
                .noneMatch(name -> name.startsWith("io/jenkins/plugins/tao/cli/"));
    }

    @Test
    void theArchiveHoldsOurJarAndTheLibrariesThatNoPluginProvides() throws IOException {
        try (ZipFile hpi = new ZipFile(RealJenkins.builtPlugin().toFile())) {
            assertThat(hpi.stream()
                            .map(ZipEntry::getName)
                            .filter(name -> name.endsWith(".jar"))
                            .map(name -> name.substring("WEB-INF/lib/".length())))
                    .filteredOn(name -> !name.matches("[a-z0-9-]+-2\\.57\\.8\\.jar")) // AWS's SDK, all of one version
                    .allMatch(
                            name -> name.matches(
                                    "tao-run\\.jar|junidecode-.*|reactive-streams-1\\.0\\.4\\.jar|commons-(statistics|numbers|rng)-[a-z-]+-1\\.\\d\\.jar"))
                    .contains(
                            "tao-run.jar",
                            "junidecode-0.5.2.jar",
                            "commons-statistics-inference-1.2.jar",
                            "commons-statistics-distribution-1.2.jar",
                            "commons-numbers-gamma-1.2.jar",
                            "commons-rng-client-api-1.6.jar")
                    .hasSize(15);
        }
    }

    @Test
    void bothManifestsTellThatThisIsAPlugin() throws IOException {
        try (ZipFile hpi = new ZipFile(RealJenkins.builtPlugin().toFile());
                InputStream outer = hpi.getInputStream(hpi.getEntry("META-INF/MANIFEST.MF"));
                JarInputStream jar = new JarInputStream(hpi.getInputStream(hpi.getEntry("WEB-INF/lib/tao-run.jar")))) {
            assertThat(new Manifest(outer).getMainAttributes().getValue("Plugin-Dependencies"))
                    .contains("workflow-step-api:", "mina-sshd-api-core:", "credentials:");
            assertThat(jar.getManifest().getMainAttributes().getValue("Short-Name"))
                    .as("without it Jenkins refuses to save our classes")
                    .isEqualTo("tao-run");
        }
    }

    @Test
    void theIndexesByWhichJenkinsFindsUsAreThere() throws IOException {
        assertThat(inTheJar())
                .contains(
                        "index.jelly",
                        "META-INF/annotations/hudson.Extension",
                        "META-INF/services/annotations/org.jenkinsci.Symbol",
                        "META-INF/services/annotations/hudson.init.Terminator",
                        "META-INF/services/io.jenkins.plugins.tao.backend.BackendType",
                        "META-INF/services/io.jenkins.plugins.tao.backend.NotebookType");
    }

    /** Jenkins shows a cross for an icon that is not there. */
    @Test
    void eachIconOfOursIsThere() throws IOException {
        Set<String> named = new TreeSet<>();
        try (Stream<Path> files = Files.walk(Path.of("src/main"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Matcher icon = ICON.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
                while (icon.find()) {
                    named.add("images/symbols/" + icon.group(1) + ".svg");
                }
            }
        }

        assertThat(named).isNotEmpty();
        assertThat(inTheJar()).containsAll(named);
    }

    private static List<String> inTheJar() throws IOException {
        List<String> names = new ArrayList<>();
        try (ZipFile hpi = new ZipFile(RealJenkins.builtPlugin().toFile());
                ZipInputStream jar = new ZipInputStream(hpi.getInputStream(hpi.getEntry("WEB-INF/lib/tao-run.jar")))) {
            for (ZipEntry entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
                names.add(entry.getName());
            }
        }
        return names;
    }
}
