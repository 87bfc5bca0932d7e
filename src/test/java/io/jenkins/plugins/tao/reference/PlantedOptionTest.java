package io.jenkins.plugins.tao.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.jenkins.plugins.tao.bind.BindException;
import io.jenkins.plugins.tao.bind.RecordBinder;
import io.jenkins.plugins.tao.jenkins.config.PlantedOptions;
import io.jenkins.plugins.tao.jenkins.config.PlantedOptionsConfiguration;
import io.jenkins.plugins.tao.job.text.Option;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** A new option touches three files: its record with {@link Option}, its describable, and its form with the help. */
class PlantedOptionTest {
    @Test
    void aJobFileKnowsIt() {
        RecordBinder files = new RecordBinder(Map.of());

        assertThat(files.bind(Map.of("warmUp", "3m"), Map.of(), PlantedOptions.class))
                .isEqualTo(new PlantedOptions(Optional.of(Duration.ofMinutes(3))));
        assertThatThrownBy(() -> files.bind(Map.of("warmup", "3m"), Map.of(), PlantedOptions.class))
                .isInstanceOf(BindException.class)
                .hasMessageContaining("Did you mean 'warmUp'?");
    }

    @Test
    void itsFormMakesIt() {
        PlantedOptionsConfiguration form = new PlantedOptionsConfiguration();
        assertThat(form.toOptions()).contains(new PlantedOptions(Optional.empty()));

        form.setWarmUp("3m");
        assertThat(form.toOptions()).contains(new PlantedOptions(Optional.of(Duration.ofMinutes(3))));

        form.setWarmUp("soon");
        assertThatIllegalArgumentException()
                .isThrownBy(form::toOptions)
                .withMessage(
                        "warmUp must be a length of time such as 1d12h, 4h, 90m, 30s, 1-12:00:00, or a number of minutes, was 'soon'");
    }

    @Test
    void theReferenceHasItsRow() {
        SourceDocs docs = new SourceDocs(Path.of("src/test/java").toAbsolutePath());

        assertThat(new RecordParameters(docs).of(PlantedOptions.class))
                .containsExactly(new Parameter(
                        "warmUp",
                        "file, Jenkins",
                        "length of time",
                        "minutes, or with letters: `1d12h`, `4h`, `90m`, `30s`, `1-12:00:00`",
                        "5 minutes",
                        "0.9.0",
                        "how long the command runs before it is watched"));
    }

    @Test
    void aKeyWithoutTheAnnotationHasTheDefaultOfItsRecordElseOfItsType() {
        SourceDocs docs = new SourceDocs(Path.of("src/test/java").toAbsolutePath());

        assertThat(new RecordParameters(docs).of(Plain.class))
                .extracting(Parameter::name, Parameter::unit, Parameter::fallback, Parameter::since, Parameter::meaning)
                .containsExactly(
                        tuple("name", "–", "required", "0.1.0", "its name; empty for none"),
                        tuple("queue", "–", "–", "0.1.0", "where it waits"),
                        tuple("memory", "MiB", "–", "0.1.0", "its memory"));
        assertThat(new RecordParameters(docs).of(Defaulted.class))
                .extracting(Parameter::name, Parameter::fallback)
                .containsExactly(tuple("patience", "90 seconds"), tuple("again", "`true`"));
    }

    /**
     * Keys of which little is known.
     *
     * @param name its name; empty for none
     * @param queue where it waits
     * @param memory its memory
     */
    public record Plain(
            String name,
            Optional<String> queue,
            @Option(unit = "MiB") OptionalInt memory) {}

    /**
     * Keys whose values are in a constant.
     *
     * @param patience how long it waits
     * @param again whether it is tried again
     */
    public record Defaulted(Duration patience, boolean again) {
        public static Defaulted defaults() {
            return new Defaulted(Duration.ofSeconds(90), true);
        }
    }
}
