package io.jenkins.plugins.tao.jenkins.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import hudson.model.Descriptor;
import io.jenkins.plugins.tao.OurClasses;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.box.options.BoxOptions;
import io.jenkins.plugins.tao.backend.box.options.SshTarget;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesOptions;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.backend.kubernetes.options.PodShape;
import io.jenkins.plugins.tao.backend.kubernetes.options.RunAs;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonOptions;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonTarget;
import io.jenkins.plugins.tao.backend.notebook.KaggleOptions;
import io.jenkins.plugins.tao.backend.notebook.KaggleTarget;
import io.jenkins.plugins.tao.backend.simulated.SimulatedOptions;
import io.jenkins.plugins.tao.backend.simulated.SimulatedTarget;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.payload.S3Settings;
import io.jenkins.plugins.tao.tracking.MlflowSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The forms of targets: few fields at first, the rest behind a button in sections, and the defaults in force in empty fields. */
class TargetFormsTest {
    private static final Path FORMS = Path.of("src/main/resources/io/jenkins/plugins/tao/jenkins/config");
    private static final Pattern FIELD = Pattern.compile("<f:entry title=\"[^\"]*\" field=\"(\\w+)\">\\s*"
            + "<f:textbox(?: placeholder=\"\\$\\{descriptor\\.defaultOf\\('(\\w+)'\\)}\")?/>");
    private static final Pattern DROP_DOWN = Pattern.compile("field=\"(\\w+)\">\\s*<f:select/>");
    private static final Pattern DEFAULT_IN_WORDS =
            Pattern.compile("Empty:|Empty for|Default:|By default|The default is|, the default|when (left )?empty");
    private static final List<String> NOT_SHOWN = List.of("", "required", "none");

    @ParameterizedTest
    @Promise("JK-11")
    @CsvSource({
        "SlurmTargetConfiguration/config", "SshTargetConfiguration/config", "KubernetesTargetConfiguration/config",
        "LeptonTargetConfiguration/config", "KaggleTargetConfiguration/config", "SimulatedTargetConfiguration/config",
        "LocalTargetConfiguration/config"
    })
    void atMostFiveFieldsStandOpen(String form) throws IOException {
        String open =
                Files.readString(FORMS.resolve(form + ".jelly")).replaceAll("(?s)<f:advanced>.*</f:advanced>", "");

        assertThat(entries(open)).isBetween(1L, 5L);
    }

    /** The button sends, of each name, the last field above it: one of a part would take the place of the target's. */
    @ParameterizedTest
    @CsvSource({
        "SlurmTargetConfiguration/config",
        "SshTargetConfiguration/config",
        "BoxTargetConfiguration/settings",
        "KubernetesTargetConfiguration/config",
        "LeptonTargetConfiguration/config"
    })
    void partsStandBelowTheButtonThatTestsTheConnection(String form) throws IOException {
        String text = Files.readString(FORMS.resolve(form + ".jelly"));

        assertThat(text.substring(0, text.indexOf("<st:include "))).doesNotContain("<f:optionalProperty");
    }

    @ParameterizedTest
    @Promise("JK-11")
    @CsvSource({
        "SlurmTargetConfiguration/config", "BoxTargetConfiguration/settings",
        "KubernetesTargetConfiguration/config", "LeptonTargetConfiguration/config"
    })
    void manyFieldsBehindTheButtonStandInSections(String form) throws IOException {
        String text = Files.readString(FORMS.resolve(form + ".jelly"));
        String behind = text.substring(text.indexOf("<f:advanced>"), text.indexOf("</f:advanced>"));

        assertThat(entries(behind.replaceAll("(?s)<f:section .*?</f:section>", "")))
                .isZero();
        assertThat(Pattern.compile("<f:section ").splitAsStream(behind)).allMatch(section -> entries(section) < 8);
    }

    @ParameterizedTest
    @Promise("JK-11")
    @MethodSource("formsAndRecords")
    void anEmptyFieldShowsTheDefaultInForce(String form, Class<?> record) throws IOException {
        List<MatchResult> fields = FIELD.matcher(Files.readString(FORMS.resolve(form + ".jelly")))
                .results()
                .toList();

        assertThat(fields)
                .isNotEmpty()
                .allSatisfy(field -> assertThat(field.group(2))
                        .as("placeholder of %s", field.group(1))
                        .isEqualTo(hasDefault(field.group(1), record) ? field.group(1) : null));
    }

    @ParameterizedTest
    @Promise("JK-11")
    @MethodSource("formsAndRecords")
    void theHelpOfAFieldDoesNotRepeatTheDefaultThatTheFieldShows(String form, Class<?> record) throws IOException {
        String jelly = Files.readString(FORMS.resolve(form + ".jelly"));
        List<String> shown = Stream.of(FIELD, DROP_DOWN)
                .flatMap(kind -> kind.matcher(jelly).results())
                .map(field -> field.group(1))
                .filter(field -> hasDefault(field, record))
                .toList();

        assertThat(shown.stream()
                        .map(field -> FORMS.resolve(form).resolveSibling("help-" + field + ".html"))
                        .filter(Files::exists))
                .allSatisfy(help -> assertThat(help).content().doesNotContainPattern(DEFAULT_IN_WORDS));
    }

    static List<Arguments> formsAndRecords() {
        return List.of(
                Arguments.of("SlurmTargetConfiguration/config", SlurmTarget.class),
                Arguments.of("BoxTargetConfiguration/settings", SshTarget.class),
                Arguments.of("KubernetesTargetConfiguration/config", KubernetesTarget.class),
                Arguments.of("LeptonTargetConfiguration/config", LeptonTarget.class),
                Arguments.of("KaggleTargetConfiguration/config", KaggleTarget.class),
                Arguments.of("SimulatedTargetConfiguration/config", SimulatedTarget.class),
                Arguments.of("SlurmOptionsConfiguration/config", SlurmOptions.class),
                Arguments.of("SshOptionsConfiguration/config", BoxOptions.class),
                Arguments.of("KubernetesOptionsConfiguration/config", KubernetesOptions.class),
                Arguments.of("LeptonOptionsConfiguration/config", LeptonOptions.class),
                Arguments.of("KaggleOptionsConfiguration/config", KaggleOptions.class),
                Arguments.of("SimulatedOptionsConfiguration/config", SimulatedOptions.class),
                Arguments.of("S3Configuration/config", S3Settings.class),
                Arguments.of("SecurityContextConfiguration/config", RunAs.class),
                Arguments.of("PodShapeConfiguration/config", PodShape.class),
                Arguments.of("MlflowConfiguration/config", MlflowSettings.class));
    }

    @Test
    @Promise("JK-11")
    void theDefaultOfAFieldIsThatOfItsRecordWithoutMarks() {
        TargetDescriptor slurm = new SlurmTargetConfiguration.DescriptorImpl();

        assertThat(slurm.defaultOf("time")).isEqualTo("4 hours");
        assertThat(slurm.defaultOf("sqshCacheDir")).isEqualTo("sqsh below the base directory");
        assertThat(new LocalTargetConfiguration.DescriptorImpl().defaultOf("leastInodes"))
                .isEqualTo("10000");
        assertThat(new SshOptionsConfiguration.DescriptorImpl())
                .extracting(
                        box -> box.defaultOf("grace"),
                        box -> box.defaultOf("onReboot"),
                        box -> box.defaultOf("cleanScratch"),
                        box -> box.defaultOf("code"))
                .containsExactly("30s", "relaunch", "no", "");
    }

    @Test
    @Promise("JK-11")
    void aDropDownOffersTheValuesOfItsTypeAndNamesTheDefault() {
        assertThat(new SlurmTargetConfiguration.DescriptorImpl().doFillItems("requeue"))
                .extracting(choice -> choice.name, choice -> choice.value)
                .containsExactly(tuple("(default: yes)", ""), tuple("Yes", "true"), tuple("No", "false"));
        assertThat(new LocalTargetConfiguration.DescriptorImpl().doFillItems("lease"))
                .extracting(choice -> choice.name, choice -> choice.value)
                .containsExactly(
                        tuple("(default: rented over SSH, owned on this machine)", ""),
                        tuple("owned", "owned"),
                        tuple("rented", "rented"),
                        tuple("spot", "spot"));
        assertThat(new SshOptionsConfiguration.DescriptorImpl().doFillItems("gpuCheck"))
                .extracting(choice -> choice.name)
                .containsExactly("(default: yes)", "Yes", "No");
        assertThat(new SlurmOptionsConfiguration.DescriptorImpl().doFillItems("launcher"))
                .extracting(choice -> choice.name)
                .containsExactly("(default: the target's)", "pyxis", "apptainer");
        assertThat(new LeptonOptionsConfiguration.DescriptorImpl().doFillVisibilityItems())
                .extracting(choice -> choice.name, choice -> choice.value)
                .containsExactly(
                        tuple("(default: private)", ""), tuple("private", "private"), tuple("public", "public"));
    }

    @ParameterizedTest
    @Promise("JK-11")
    @MethodSource("formsWithDropDowns")
    void eachDropDownOfAFormIsFilled(String form, RecordDescriptor<?> descriptor) throws IOException {
        List<String> fields = DROP_DOWN
                .matcher(Files.readString(FORMS.resolve(form + ".jelly")))
                .results()
                .map(found -> found.group(1))
                .toList();

        assertThat(fields).isNotEmpty().allSatisfy(field -> {
            Map<String, Object> attributes = new HashMap<>();
            descriptor.calcFillSettings(field, attributes);
            if (String.valueOf(attributes.get("fillUrl")).endsWith("/fillItems?field=" + field)) {
                assertThat(descriptor.doFillItems(field)).as(field).hasSizeGreaterThan(2);
            }
        });
    }

    static List<Arguments> formsWithDropDowns() {
        return List.of(
                Arguments.of("SlurmTargetConfiguration/config", new SlurmTargetConfiguration.DescriptorImpl()),
                Arguments.of("BoxTargetConfiguration/settings", new SshTargetConfiguration.DescriptorImpl()),
                Arguments.of("BoxTargetConfiguration/settings", new LocalTargetConfiguration.DescriptorImpl()),
                Arguments.of(
                        "KubernetesTargetConfiguration/config", new KubernetesTargetConfiguration.DescriptorImpl()),
                Arguments.of("KaggleTargetConfiguration/config", new KaggleTargetConfiguration.DescriptorImpl()),
                Arguments.of("SlurmOptionsConfiguration/config", new SlurmOptionsConfiguration.DescriptorImpl()),
                Arguments.of("SshOptionsConfiguration/config", new SshOptionsConfiguration.DescriptorImpl()),
                Arguments.of(
                        "KubernetesOptionsConfiguration/config", new KubernetesOptionsConfiguration.DescriptorImpl()),
                Arguments.of("KaggleOptionsConfiguration/config", new KaggleOptionsConfiguration.DescriptorImpl()),
                Arguments.of("LeptonOptionsConfiguration/config", new LeptonOptionsConfiguration.DescriptorImpl()),
                Arguments.of("PodShapeConfiguration/config", new PodShapeConfiguration.DescriptorImpl()),
                Arguments.of(
                        "SimulatedOptionsConfiguration/config", new SimulatedOptionsConfiguration.DescriptorImpl()));
    }

    @ParameterizedTest
    @CsvSource({
        "config.SlurmTargetConfiguration, Slurm cluster",
        "config.SshOptionsConfiguration, 'Options of a machine (ssh, local)'",
        "config.S3Configuration, S3 storage",
        "step.RunStep, Run a TAO job to its end"
    })
    void aFormIsCalledAsTheMessagesSay(String type, String name) throws ReflectiveOperationException {
        assertThat(form(Class.forName("io.jenkins.plugins.tao.jenkins." + type + "$DescriptorImpl"))
                        .getDisplayName())
                .isEqualTo(name);
    }

    @Test
    void eachFormHasAName() {
        assertThat(OurClasses.shipped("io.jenkins.plugins.tao.jenkins"))
                .filteredOn(type -> Descriptor.class.isAssignableFrom(type)
                        && type.getSimpleName().equals("DescriptorImpl"))
                .hasSizeGreaterThan(30)
                .allSatisfy(type -> assertThat(form(type).getDisplayName()).isNotBlank());
    }

    private static Descriptor<?> form(Class<?> type) throws ReflectiveOperationException {
        return type.asSubclass(Descriptor.class).getDeclaredConstructor().newInstance();
    }

    private static long entries(String jelly) {
        return Pattern.compile("<f:entry ").matcher(jelly).results().count();
    }

    private static boolean hasDefault(String field, Class<?> record) {
        return FormBinder.has(field, record) && !NOT_SHOWN.contains(FormBinder.defaultOf(field, record));
    }
}
