package io.jenkins.plugins.tao;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Comparator;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * The rigs that a class of tests needs, such as {@code slurm}. A class that switches off parts of its rig has the rig
 * for itself on this machine; classes that share it run beside each other, whatever process they run in.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsRig.Alone.class)
public @interface NeedsRig {
    /** The names of the folders below src/test/rigs. */
    String[] value();

    /** Whether the class may run beside others: it only submits jobs and reads what belongs to them. */
    boolean shared() default false;

    /** Holds a locked file for each rig from the first test of the class to the last. */
    final class Alone implements BeforeAllCallback {
        @Override
        public void beforeAll(ExtensionContext context) throws IOException {
            NeedsRig needed = context.getRequiredTestClass().getAnnotation(NeedsRig.class);
            String[] rigs = needed.value();
            // all in one order, so that no two classes wait for each other; the busiest first, as none is held then
            Arrays.sort(rigs, Comparator.reverseOrder());
            for (String rig : rigs) {
                context.getStore(Namespace.create(NeedsRig.class)).put(rig, new Held(rig, needed.shared()));
            }
        }
    }

    /** JUnit closes it behind the last test of the class. */
    final class Held implements AutoCloseable {
        private final FileChannel file;
        private final FileLock lock;

        /** Who waits for a rig holds its door, so that classes which share it do not pass one that wants it alone. */
        Held(String rig, boolean shared) throws IOException {
            try (FileChannel door = open(rig + "-door");
                    FileLock entering = door.lock()) {
                assert entering.isValid();
                file = open(rig);
                lock = file.lock(0, Long.MAX_VALUE, shared);
            }
        }

        private static FileChannel open(String name) throws IOException {
            return FileChannel.open(
                    Path.of(System.getProperty("java.io.tmpdir"), "tao-rig-" + name + ".lock"),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
        }

        @Override
        public void close() throws IOException {
            lock.release();
            file.close();
        }
    }
}
