package io.jenkins.plugins.tao.jenkins.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.gate.criteria.GateText;
import io.jenkins.plugins.tao.reference.Forms;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.kohsuke.stapler.verb.POST;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The form of {@code taoGate}: it asks first what is asked, and sends the fields of that choice alone. */
class GateFormTest {
    private static final Path FORM =
            Path.of("src/main/resources/io/jenkins/plugins/tao/jenkins/step/GateStep/config.jelly");

    private static final Map<String, String> TEXTS = Map.of(
            "noWorseThan", "last good",
            "by", "2%",
            "within", "2%",
            "confirm", "train.seed",
            "read", "last",
            "direction", "higher",
            "effect", "note",
            "range", "0..1",
            "needVerdict", "true",
            "mustMatch", "image");

    private Element form;
    private List<Element> choices;

    @BeforeEach
    void read() throws Exception {
        form = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(FORM.toFile())
                .getDocumentElement();
        choices = below(form, "f:dropdownListBlock");
    }

    @Test
    @Promise("JK-25")
    void eachParameterOfTheStepHasOneField() {
        assertThat(fields(form))
                .containsExactlyInAnyOrderElementsOf(
                        Forms.properties(GateStep.class).keySet());
    }

    @Test
    void aChoiceHasOneBoundAtMostAndNoBoundStandsBesideTheChoices() {
        List<String> bounds = new ArrayList<>();
        for (Element choice : choices) {
            List<String> own =
                    fields(choice).stream().filter(GateText.BOUNDS::contains).toList();
            assertThat(own).hasSizeLessThanOrEqualTo(1);
            bounds.addAll(own);
        }

        assertThat(bounds).containsExactlyInAnyOrderElementsOf(GateText.BOUNDS);
        assertThat(choices).hasSize(bounds.size() + 1); // the usual rule has none
    }

    @Test
    void allThatTheFormSendsForAChoiceIsOneGate() {
        List<String> always = new ArrayList<>(fields(form));
        choices.forEach(choice -> always.removeAll(fields(choice)));

        assertThat(choices).isNotEmpty().allSatisfy(choice -> {
            Map<String, String> keys = new HashMap<>();
            always.forEach(field -> keys.put(field, TEXTS.getOrDefault(field, "0.5")));
            fields(choice).forEach(field -> keys.put(field, TEXTS.getOrDefault(field, "0.5")));
            keys.keySet().retainAll(GateText.KEYS);
            assertThatCode(() -> GateText.parse(keys)).doesNotThrowAnyException();
        });
    }

    @Test
    void theFieldsOfAChoiceAreSentAsFieldsOfTheStepAndThoseOfOtherChoicesAreNot() {
        assertThat(below(form, "f:dropdownList"))
                .singleElement()
                .satisfies(list -> assertThat(list.getAttribute("name"))
                        .as("a name would make a group of them")
                        .isEmpty());
    }

    @Test
    void aFormThatIsOpenedAgainShowsTheChoiceOfItsBound() {
        assertThat(choices.subList(1, choices.size())).isNotEmpty().allSatisfy(choice -> {
            String bound = choice.getAttribute("value");
            assertThat(fields(choice)).contains(bound);
            assertThat(choice.getAttribute("selected")).isEqualTo("${!empty(instance." + bound + ")}");
        });
    }

    @Test
    void whatAFieldOffersIsWhatAGateTakes() throws ReflectiveOperationException {
        List<String> offering = new ArrayList<>();
        for (Element entry : below(form, "f:entry")) {
            if (!below(entry, "f:select").isEmpty()
                    || !below(entry, "f:combobox").isEmpty()) {
                offering.add(entry.getAttribute("field"));
            }
        }

        assertThat(offering).contains("direction", "effect", "read", "confirm");
        for (String field : offering) {
            assertThat(new TreeSet<>(offered(field)))
                    .hasSizeGreaterThan(1)
                    .allSatisfy(text -> assertThatCode(() -> GateText.parse(Map.of("kpi", "val_acc", field, text)))
                            .as("%s: %s", field, text)
                            .doesNotThrowAnyException());
        }
    }

    private static List<String> offered(String field) throws ReflectiveOperationException {
        String name = "doFill" + field.substring(0, 1).toUpperCase(Locale.ROOT) + field.substring(1) + "Items";
        Method fill = GateStep.DescriptorImpl.class.getMethod(name);
        assertThat(fill.isAnnotationPresent(POST.class)).as(name).isTrue();
        return ((List<?>) fill.invoke(new GateStep.DescriptorImpl()))
                .stream()
                        .map(one -> one instanceof ListBoxModel.Option option ? option.value : String.valueOf(one))
                        .toList();
    }

    private static List<String> fields(Element under) {
        return below(under, "f:entry").stream()
                .map(entry -> entry.getAttribute("field"))
                .toList();
    }

    private static List<Element> below(Element under, String tag) {
        NodeList found = under.getElementsByTagName(tag);
        return IntStream.range(0, found.getLength())
                .mapToObj(found::item)
                .map(Element.class::cast)
                .toList();
    }
}
