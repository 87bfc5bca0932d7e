package io.jenkins.plugins.tao.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;

/**
 * Loads the classes that most commands need. The launcher runs it once for each build under {@code
 * -XX:ArchiveClassesAtExit}: a JVM that starts from the archive neither reads nor verifies these classes again.
 *
 * @see <a href="https://docs.oracle.com/en/java/javase/17/vm/class-data-sharing.html">Class Data Sharing</a>, read for JDK 17
 */
final class WarmUp {
    private static final List<String> PACKAGES = List.of(
            "io/jenkins/plugins/tao/",
            "org/apache/sshd/common/",
            "org/apache/sshd/client/",
            "com/fasterxml/jackson/core/",
            "com/fasterxml/jackson/annotation/",
            "com/fasterxml/jackson/databind/",
            "org/yaml/snakeyaml/",
            "org/slf4j/",
            "org/bouncycastle/asn1/",
            "org/bouncycastle/crypto/",
            "org/bouncycastle/jcajce/provider/",
            "org/bouncycastle/math/ec/");
    private static final String CLASS = ".class";

    private WarmUp() {}

    public static void main(String[] arguments) throws Exception {
        URI jar =
                WarmUp.class.getProtectionDomain().getCodeSource().getLocation().toURI();
        try (JarFile entries = new JarFile(Path.of(jar).toFile())) {
            entries.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.endsWith(CLASS) && PACKAGES.stream().anyMatch(name::startsWith))
                    .forEach(WarmUp::load);
        } catch (IOException e) {
            throw new IllegalStateException("the classes of " + jar + " cannot be listed", e);
        }
        Main.run("list");
    }

    /** Some classes need a library that is not here; nobody uses them. */
    private static void load(String name) {
        try {
            WarmUp.class
                    .getClassLoader()
                    .loadClass(name.substring(0, name.length() - CLASS.length()).replace('/', '.'));
        } catch (ClassNotFoundException | LinkageError e) {
            System.getLogger(WarmUp.class.getName()).log(System.Logger.Level.DEBUG, "left out", e);
        }
    }
}
