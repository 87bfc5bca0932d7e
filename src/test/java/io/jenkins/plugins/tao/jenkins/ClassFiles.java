package io.jenkins.plugins.tao.jenkins;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.objectweb.asm.ClassReader;

/** The class files of some archives and of all jars within them, by internal name. */
final class ClassFiles {
    private final Map<String, byte[]> byName = new HashMap<>();

    void addArchive(Path archive) throws IOException {
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            for (ZipEntry entry : zip.stream().toList()) {
                if (entry.getName().matches("WEB-INF/lib/.*\\.jar|executable/winstone\\.jar")) {
                    try (InputStream jar = zip.getInputStream(entry)) {
                        addJar(jar.readAllBytes());
                    }
                }
            }
        }
    }

    private void addJar(byte[] jar) throws IOException {
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(jar))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (entry.getName().endsWith(".class") && !entry.getName().startsWith("META-INF/")) {
                    String name = entry.getName().substring(0, entry.getName().length() - ".class".length());
                    byName.putIfAbsent(name, zip.readAllBytes());
                }
            }
        }
    }

    void add(String name, byte[] classFile) {
        byName.put(name, classFile);
    }

    Map<String, byte[]> all() {
        return byName;
    }

    /** The class of this internal name, from the archives or from the JDK. */
    Optional<ClassReader> find(String name) throws IOException {
        byte[] known = byName.get(name);
        if (known != null) {
            return Optional.of(new ClassReader(known));
        }
        try (InputStream system = ClassLoader.getPlatformClassLoader().getResourceAsStream(name + ".class")) {
            return system == null ? Optional.empty() : Optional.of(new ClassReader(system));
        }
    }
}
