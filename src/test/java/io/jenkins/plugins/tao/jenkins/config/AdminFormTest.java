package io.jenkins.plugins.tao.jenkins.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hudson.security.ACL;
import io.jenkins.plugins.tao.OurClasses;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import jenkins.model.Jenkins;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.kohsuke.stapler.verb.POST;

/** The forms of targets and of the controller answer administrators alone; those of jobs read a text and know nothing else. */
class AdminFormTest {
    @TempDir
    private Path home;

    private FakeJenkins jenkins;

    @BeforeEach
    void start() {
        jenkins = FakeJenkins.in(home);
    }

    @AfterEach
    void stop() {
        ACL.deny(null);
        jenkins.close();
    }

    /** Each check and each button of the forms of this package. */
    static Stream<Method> checks() {
        return OurClasses.shipped("io.jenkins.plugins.tao.jenkins.config")
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> method.getName().matches("do(Check|Try|Test).*") && !method.isSynthetic());
    }

    private static boolean ofAJob(Method check) {
        String form = check.getDeclaringClass().getName();
        return form.contains("Options") || form.contains("PodShape");
    }

    static Stream<Method> administrators() {
        return checks().filter(check -> !ofAJob(check));
    }

    @ParameterizedTest
    @Promise("JK-11")
    @MethodSource("administrators")
    void aCheckOfATargetAnswersNobodyButAnAdministrator(Method check) throws ReflectiveOperationException {
        Object form = form(check.getDeclaringClass());
        Object[] blank = Arrays.stream(check.getParameterTypes())
                .map(of -> of == String.class ? "" : null)
                .toArray();
        ACL.deny(Jenkins.ADMINISTER);

        assertThatThrownBy(() -> check.invoke(form, blank)).hasRootCauseInstanceOf(SecurityException.class);
    }

    @ParameterizedTest
    @MethodSource("checks")
    void aCheckIsAskedByPostAlone(Method check) {
        assertThat(check.isAnnotationPresent(POST.class)).isTrue();
    }

    private static Object form(Class<?> type) throws ReflectiveOperationException {
        Class<?> made = type == TargetDescriptor.class ? SimulatedTargetConfiguration.DescriptorImpl.class : type;
        Constructor<?> constructor = (made.getSimpleName().startsWith("Box")
                        ? SshTargetConfiguration.DescriptorImpl.class
                        : made)
                .getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }
}
