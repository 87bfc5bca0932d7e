package io.jenkins.plugins.tao.jenkins.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmRest;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget.Launcher;
import io.jenkins.plugins.tao.bind.RecordBinder;
import io.jenkins.plugins.tao.payload.S3Settings;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.kohsuke.stapler.DataBoundSetter;

/** The forms have what the records have, and make them. */
class FormBinderTest {
    private static final Set<String> BY_CREDENTIAL = Set.of(
            "login",
            "user",
            "agent",
            "key",
            "keyPassphrase",
            "token",
            "ngcKey",
            "kubeconfig",
            "proxy",
            "accessKey",
            "secretKey",
            "sessionToken",
            "s3",
            "rest");

    static Stream<Arguments> forms() {
        Stream<JobOptionsConfiguration> options = Stream.of(
                new SlurmOptionsConfiguration(),
                new KubernetesOptionsConfiguration(),
                new LeptonOptionsConfiguration(),
                new KaggleOptionsConfiguration(),
                new SshOptionsConfiguration(),
                new SimulatedOptionsConfiguration());
        Stream<TargetConfiguration> targets = Stream.of(
                new SlurmTargetConfiguration("a", "h", "", "", "/b"),
                new KubernetesTargetConfiguration("a"),
                new LeptonTargetConfiguration("a", "w", ""),
                new KaggleTargetConfiguration("a", ""),
                new SshTargetConfiguration("a", "h", "", "", "/b"),
                new LocalTargetConfiguration("a", "/b"),
                new SimulatedTargetConfiguration("a", "/b"));
        return Stream.of(
                        options.map(form -> Arguments.of(form, form.type())),
                        targets.map(form -> Arguments.of(form, form.type())),
                        Stream.of(
                                Arguments.of(
                                        new PodShapeConfiguration(),
                                        new PodShapeConfiguration().toRecord().getClass()),
                                Arguments.of(
                                        new SecurityContextConfiguration(),
                                        new SecurityContextConfiguration()
                                                .toRecord()
                                                .getClass()),
                                Arguments.of(new S3Configuration("keys"), S3Settings.class),
                                Arguments.of(new SlurmRestConfiguration("https://h", "tao", "token"), SlurmRest.class)))
                .flatMap(each -> each);
    }

    @ParameterizedTest
    @MethodSource("forms")
    void everyComponentIsAPropertyOfTheForm(Object form, Class<?> record) {
        Set<String> components = new TreeSet<>(new RecordBinder(Map.of()).keys(record));
        components.removeAll(BY_CREDENTIAL);

        assertThat(getters(form)).containsAll(components);
    }

    @ParameterizedTest
    @MethodSource("forms")
    void everyFieldThatAFormSetsCanBeReadAndSetByConfigurationAsCode(Object form, Class<?> record) {
        Set<String> fields = Stream.<Class<?>>iterate(form.getClass(), Class::getSuperclass)
                .takeWhile(type -> type != Object.class)
                .flatMap(type -> Arrays.stream(type.getDeclaredFields()))
                .filter(field -> !Modifier.isStatic(field.getModifiers()) && !Modifier.isFinal(field.getModifiers()))
                .peek(field -> assertThat(field.isAnnotationPresent(DataBoundSetter.class))
                        .as("Stapler sets a private field with a warning in Jenkins' log: " + field.getName())
                        .isFalse())
                .map(field -> field.getName())
                .collect(Collectors.toSet());

        assertThat(getters(form)).containsAll(fields);
        assertThat(setters(form)).containsAll(fields);
    }

    private static Set<String> getters(Object form) {
        Set<String> getters = names(form, "get");
        getters.addAll(names(form, "is"));
        return getters;
    }

    private static Set<String> setters(Object form) {
        return names(form, "set");
    }

    private static Set<String> names(Object form, String prefix) {
        return Arrays.stream(form.getClass().getMethods())
                .filter(method -> !prefix.equals("set") || method.isAnnotationPresent(DataBoundSetter.class))
                .map(method -> method.getName())
                .filter(name -> name.startsWith(prefix) && name.length() > prefix.length())
                .map(name ->
                        name.substring(prefix.length(), prefix.length() + 1).toLowerCase(Locale.ROOT)
                                + name.substring(prefix.length() + 1))
                .collect(Collectors.toSet());
    }

    @Test
    void theTextsOfAFormAreTheTypesOfTheRecord() {
        SlurmOptionsConfiguration form = new SlurmOptionsConfiguration();
        form.setPartition(" polar ");
        form.setRequeue("true");
        form.setMaxRequeues("3");
        form.setTimeout("90m");
        form.setLauncher("apptainer");
        form.setModules("cuda/12.4, gcc");
        form.setSbatch("--mail-type=FAIL,END\n--nice");
        form.setAccount("");

        SlurmOptions options = (SlurmOptions) form.toOptions().orElseThrow();

        assertThat(options.partition()).contains("polar");
        assertThat(options.requeue()).contains(true);
        assertThat(options.maxRequeues()).hasValue(3);
        assertThat(options.timeout()).contains(Duration.ofMinutes(90));
        assertThat(options.launcher()).contains(Launcher.APPTAINER);
        assertThat(options.modules()).containsExactly("cuda/12.4", "gcc");
        assertThat(options.sbatch()).containsExactly("--mail-type=FAIL,END", "--nice");
        assertThat(options.account()).isEmpty();
        assertThat(options.exclusive()).isEmpty();
    }

    @Test
    void aListOfAPipelineArrivesAsItIs() {
        SlurmOptionsConfiguration form = new SlurmOptionsConfiguration();
        Map<String, Object> flat = PipelineText.flatten(Map.of("sbatch", List.of("--mail-type=FAIL,END", "--nice")));
        form.setSbatch(String.valueOf(flat.get("sbatch")));

        assertThat(((SlurmOptions) form.toOptions().orElseThrow()).sbatch())
                .containsExactly("--mail-type=FAIL,END", "--nice");
    }

    @Test
    void aWrongFieldIsNamedWithWhatItMustBe() {
        SlurmOptionsConfiguration form = new SlurmOptionsConfiguration();
        form.setTimeout("soon");
        assertThatIllegalArgumentException()
                .isThrownBy(form::toOptions)
                .withMessageStartingWith("timeout must be a length of time such as 1d12h, 4h, 90m, 30s")
                .withMessageEndingWith(", was 'soon'");

        form.setTimeout("");
        form.setExclusive("maybe");
        assertThatIllegalArgumentException()
                .isThrownBy(form::toOptions)
                .withMessage("exclusive must be true or false, was 'maybe'");
    }

    /** XStream makes objects without a constructor: a field that an old configuration lacks is null. */
    @Test
    void aFieldThatIsNullIsLeftOpen() throws ReflectiveOperationException {
        SlurmOptionsConfiguration form = new SlurmOptionsConfiguration();
        Field field = SlurmOptionsConfiguration.class.getDeclaredField("partition");
        field.setAccessible(true);
        field.set(form, null);

        assertThat(form.toOptions())
                .contains(new SlurmOptionsConfiguration().toOptions().orElseThrow());
    }
}
