package io.jenkins.plugins.tao.jenkins.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The forms of targets: few fields at first, the rest behind a button in sections, and the defaults in force in empty fields. */
class TargetFormsTest {
    private static final Path FORMS = Path.of("src/main/resources/io/jenkins/plugins/tao/jenkins/config");
    private static final Pattern FIELD = Pattern.compile(
            "<f:entry title=\"[^\"]*\" field=\"(\\w+)\">\\s*<f:textbox(?: placeholder=\"([^\"]*)\")?/>");
    private static final Pattern ROW = Pattern.compile("\\| `(\\w+)` \\|(?:[^|]*\\|){3} ([^|]*) \\|.*");

    @ParameterizedTest
    @Promise("JK-11")
    @CsvSource({
        "SlurmTargetConfiguration/config", "SshTargetConfiguration/config", "KubernetesTargetConfiguration/config",
        "LeptonTargetConfiguration/config", "KaggleTargetConfiguration/config", "SimulatedTargetConfiguration/config",
        "LocalTargetConfiguration/config", "ColabTargetConfiguration/config"
    })
    void atMostFiveFieldsStandOpen(String form) throws IOException {
        String open =
                Files.readString(FORMS.resolve(form + ".jelly")).replaceAll("(?s)<f:advanced>.*</f:advanced>", "");

        assertThat(entries(open)).isBetween(1L, 5L);
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
    @CsvSource({
        "SlurmTargetConfiguration/config, slurm", "BoxTargetConfiguration/settings, ssh",
        "KubernetesTargetConfiguration/config, kubernetes", "LeptonTargetConfiguration/config, lepton",
        "KaggleTargetConfiguration/config, kaggle", "SimulatedTargetConfiguration/config, simulated"
    })
    void anEmptyFieldShowsTheDefaultInForce(String form, String reference) throws IOException {
        Map<String, String> defaults = defaults(reference);
        List<MatchResult> fields = FIELD.matcher(Files.readString(FORMS.resolve(form + ".jelly")))
                .results()
                .toList();

        assertThat(fields)
                .isNotEmpty()
                .allSatisfy(field -> assertThat(field.group(2))
                        .as("placeholder of %s", field.group(1))
                        .isEqualTo(defaults.get(field.group(1))));
    }

    @Test
    @Promise("JK-11")
    void aFormThatLacksWhatJobsNeedIsNotSavedAndSaysWhat() {
        List<TargetConfiguration> entered =
                List.of(new SlurmTargetConfiguration("dgx", "login-01", "key", "login-01 ssh-ed25519 AAAA", " "));

        assertThatThrownBy(() -> TargetNames.complete(entered))
                .hasMessage("Target 'dgx': 'baseDirectory' is empty, and no job can run without it.");
    }

    @Test
    @Promise("JK-11")
    void aFormThatHasWhatJobsNeedIsSaved() {
        TargetNames.complete(List.of(
                new SlurmTargetConfiguration("dgx", "login-01", "", "login-01 ssh-ed25519 AAAA", "/lustre/tao"),
                new KubernetesTargetConfiguration("k8s")));
    }

    private static long entries(String jelly) {
        return Pattern.compile("<f:entry ").matcher(jelly).results().count();
    }

    private static Map<String, String> defaults(String reference) throws IOException {
        Map<String, String> defaults = new HashMap<>();
        for (String line : Files.readAllLines(Path.of("docs/reference/" + reference + ".md"))) {
            if (line.equals("## Options of a job")) {
                break;
            }
            Matcher row = ROW.matcher(line);
            if (row.matches() && !List.of("–", "required", "none").contains(row.group(2))) {
                defaults.putIfAbsent(row.group(1), row.group(2).replace("`", ""));
            }
        }
        return defaults;
    }
}
