package io.jenkins.plugins.tao.jenkins.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hudson.security.ACL;
import io.jenkins.plugins.tao.OurClasses;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import jenkins.model.Jenkins;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.kohsuke.stapler.HttpResponses.HttpResponseException;
import org.kohsuke.stapler.StaplerRequest2;
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

    private static boolean ofAJob(Class<?> form) {
        return form.getName().contains("Options") || form.getName().contains("PodShape");
    }

    static Stream<Method> administrators() {
        return checks().filter(check -> !ofAJob(check.getDeclaringClass()))
                .filter(check -> check.getDeclaringClass() != RecordDescriptor.class);
    }

    /** The forms whose fields are checked by one method. */
    static Stream<Class<?>> forms() {
        return OurClasses.shipped("io.jenkins.plugins.tao.jenkins.config")
                .filter(type ->
                        RecordDescriptor.class.isAssignableFrom(type) && !Modifier.isAbstract(type.getModifiers()));
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
    @Promise("JK-11")
    @MethodSource("forms")
    void aFieldOfATargetIsCheckedForNobodyButAnAdministrator(Class<?> type) throws ReflectiveOperationException {
        RecordDescriptor<?> form = (RecordDescriptor<?>) form(type);
        ACL.deny(Jenkins.ADMINISTER);

        if (ofAJob(type)) {
            assertThatThrownBy(() -> form.doCheckField(path("nothing"), "")).isInstanceOf(HttpResponseException.class);
        } else {
            assertThatThrownBy(() -> form.doCheckField(path("nothing"), "")).isInstanceOf(SecurityException.class);
        }
    }

    private static StaplerRequest2 path(String field) {
        return (StaplerRequest2) Proxy.newProxyInstance(
                AdminFormTest.class.getClassLoader(),
                new Class<?>[] {StaplerRequest2.class},
                (proxy, method, arguments) -> "/" + field);
    }

    @ParameterizedTest
    @MethodSource("checks")
    void aCheckIsAskedByPostAlone(Method check) {
        assertThat(check.isAnnotationPresent(POST.class)).isTrue();
    }

    private static Object form(Class<?> type) throws ReflectiveOperationException {
        Class<?> made = type == TargetDescriptor.class ? SimulatedTargetConfiguration.DescriptorImpl.class : type;
        Constructor<?> constructor = made.getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }
}
