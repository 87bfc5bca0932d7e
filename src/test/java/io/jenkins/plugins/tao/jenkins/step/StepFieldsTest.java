package io.jenkins.plugins.tao.jenkins.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hudson.model.Descriptor;
import hudson.util.FormValidation;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.folder.TaoFolderProperty;
import io.jenkins.plugins.tao.jenkins.freestyle.TaoBuilder;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kohsuke.stapler.HttpResponses.HttpResponseException;
import org.kohsuke.stapler.StaplerRequest2;
import org.kohsuke.stapler.verb.POST;

/** The texts of steps, of the build step and of folders are checked beside their fields, by one method for each form. */
class StepFieldsTest {
    private static final Map<String, Descriptor<?>> FORMS = Map.of(
            "submit", new SubmitStep.DescriptorImpl(),
            "run", new RunStep.DescriptorImpl(),
            "sweep", new SweepStep.DescriptorImpl(),
            "builder", new TaoBuilder.DescriptorImpl(),
            "folder", new TaoFolderProperty.DescriptorImpl());

    @ParameterizedTest
    @Promise("JK-11")
    @CsvSource(delimiter = '|', textBlock = """
                    submit  | gpus         | many       | gpus must be a whole number, was 'many'
                    submit  | timeLimit    | soon       | timeLimit must be a length of time
                    submit  | startWithin  | soon       | startWithin must be a length of time
                    submit  | env          | [a]        | env must be a mapping
                    submit  | secrets      | [a]        | secrets must be a mapping
                    submit  | spec         | [a]        | spec must be a mapping
                    submit  | set          | [a]        | set must be a mapping
                    submit  | args         | [a]        | args must be a mapping
                    submit  | after        | yesterday  | yesterday
                    submit  | retryBudget  | a lot      | a lot
                    run     | nodes        | many       | nodes must be a whole number
                    sweep   | cpus         | many       | cpus must be a whole number
                    sweep   | maxParallel  | many       | maxParallel must be a whole number
                    sweep   | matrix       | [a]        | matrix
                    sweep   | best         | val_acc    | val_acc
                    sweep   | endEarly     | soon       | soon
                    sweep   | groupGates   | a          | groupGates must be a mapping
                    builder | archiveLimit | large      | archiveLimit:
                    builder | interval     | soon       | interval must be a length of time
                    builder | logLimit     | large      | logLimit:
                    builder | gates        | a          | gates must be a mapping
                    builder | retries      | many       | retries must be a whole number
                    folder  | gpus         | many       | gpus must be a whole number
                    folder  | giveUpAfter  | soon       | giveUpAfter must be a length of time""")
    void aWrongTextIsSaidBesideItsField(String form, String field, String text, String wrong) throws Exception {
        FormValidation answer = checked(form, field, text);

        assertThat(answer.kind).isEqualTo(FormValidation.Kind.ERROR);
        assertThat(answer).hasMessageContaining(wrong.strip());
    }

    @ParameterizedTest
    @CsvSource({
        "submit,gpus,8",
        "submit,env,A: b",
        "sweep,matrix,train.seed: 0..4",
        "sweep,best,max val_acc",
        "builder,archive,train/*.pth",
        "folder,timeLimit,4h"
    })
    void aRightTextIsNoMistakeAndNeitherIsNone(String form, String field, String text) throws Exception {
        assertThat(checked(form, field, text).kind).isEqualTo(FormValidation.Kind.OK);
        if (!field.equals("matrix")) {
            assertThat(checked(form, field, "").kind).isEqualTo(FormValidation.Kind.OK);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"submit", "sweep", "builder", "folder"})
    void aFieldWithoutACheckIsNotFound(String form) {
        assertThatThrownBy(() -> checked(form, "nothing", "1")).hasCauseInstanceOf(HttpResponseException.class);
    }

    @Test
    void aPageAsksForEachCheckAtItsAddress() {
        assertThat(form("sweep").getCheckMethod("gpus").toStemUrl()).endsWith("SweepStep/checkField/gpus");
        assertThat(form("submit").getCheckMethod("command").toStemUrl()).endsWith("SubmitStep/checkCommand");
        assertThat(form("submit").getCheckMethod("name").toStemUrl()).isNull();
        assertThat(form("builder").getCheckMethod("retries").toStemUrl()).endsWith("TaoBuilder/checkField/retries");
        assertThat(form("folder").getCheckMethod("env").toStemUrl()).endsWith("TaoFolderProperty/checkField/env");
    }

    @Test
    void aCheckIsAskedByPostAlone() {
        assertThat(FORMS.values())
                .allSatisfy(form -> assertThat(form.getClass()
                                .getMethod("doCheckField", StaplerRequest2.class, String.class)
                                .isAnnotationPresent(POST.class))
                        .isTrue());
    }

    private static Descriptor<?> form(String name) {
        return Objects.requireNonNull(FORMS.get(name), name);
    }

    private static FormValidation checked(String form, String field, String text) throws ReflectiveOperationException {
        Object request = Proxy.newProxyInstance(
                StepFieldsTest.class.getClassLoader(),
                new Class<?>[] {StaplerRequest2.class},
                (proxy, method, arguments) -> "/" + field);
        Descriptor<?> descriptor = form(form);
        return (FormValidation) descriptor
                .getClass()
                .getMethod("doCheckField", StaplerRequest2.class, String.class)
                .invoke(descriptor, request, text);
    }
}
