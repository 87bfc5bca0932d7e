package io.jenkins.plugins.tao.backend;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.jenkins.plugins.tao.OurClasses;
import io.jenkins.plugins.tao.Promise;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Whether anything that ships as a backend goes without the contract. */
class SameVerbsTest {
    @Test
    @Promise("GE-01")
    void everyBackendThatShipsIsHeldToTheOneContract() {
        List<Class<?>> contracts = OurClasses.all(
                        "io.jenkins.plugins.tao.backend",
                        type -> BackendContract.class.isAssignableFrom(type)
                                && !Modifier.isAbstract(type.getModifiers()))
                .toList();
        Set<String> held = new HashSet<>();
        for (JavaClass test : new ClassFileImporter().importClasses(contracts)) {
            test.getConstructorCallsFromSelf()
                    .forEach(call -> held.add(call.getTargetOwner().getName()));
        }

        Set<String> missing = new TreeSet<>();
        for (BackendType type : ServiceLoader.load(BackendType.class)) {
            if (!held.contains(type.getClass().getName())) {
                missing.add(type.name());
            }
        }

        assertThat(missing).isEmpty();
    }
}
