package io.jenkins.plugins.tao.jenkins.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hudson.model.Descriptor;
import hudson.security.ACL;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.HeardLog;
import io.jenkins.plugins.tao.jenkins.config.TargetConfiguration;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import jenkins.model.Jenkins;
import net.sf.json.JSONObject;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kohsuke.stapler.StaplerRequest2;

/** What a folder says of TAO jobs, and who may say what. */
class TaoFolderPropertyTest {
    private static final TargetConfiguration OURS = FakeJenkins.target("ours", "", false);

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

    private static TaoFolderProperty entered() {
        TaoFolderProperty property = new TaoFolderProperty();
        property.setTargets(List.of(OURS));
        return property;
    }

    /** A form that holds {@code entered}. */
    private static StaplerRequest2 form(TaoFolderProperty entered) {
        return (StaplerRequest2) Proxy.newProxyInstance(
                StaplerRequest2.class.getClassLoader(),
                new Class<?>[] {StaplerRequest2.class},
                (proxy, method, arguments) -> entered);
    }

    private static @Nullable TaoFolderProperty saved(TaoFolderProperty before, TaoFolderProperty entered)
            throws Descriptor.FormException, ReflectiveOperationException {
        return (TaoFolderProperty) before.reconfigure(form(entered), json());
    }

    private static JSONObject json() throws ReflectiveOperationException {
        Constructor<JSONObject> any = JSONObject.class.getDeclaredConstructor();
        any.setAccessible(true);
        return any.newInstance();
    }

    /** The first time that the form of a folder is saved. */
    private static @Nullable TaoFolderProperty made(TaoFolderProperty entered)
            throws Descriptor.FormException, ReflectiveOperationException {
        return (TaoFolderProperty) new TaoFolderProperty.DescriptorImpl().newInstance(form(entered), json());
    }

    @Test
    @Promise("JK-10")
    void savingTheFormOfAFolderInWhichNothingIsEnteredMakesNoProperty() throws Exception {
        assertThat(made(new TaoFolderProperty())).isNull();
        assertThat(Objects.requireNonNull(made(withImage())).defaults()).containsOnlyKeys("image");
        ACL.deny(Jenkins.ADMINISTER);
        assertThat(made(entered())).isNull();
    }

    @Test
    @Promise("JK-10")
    void aWrongNameInAFormThatIsSavedForTheFirstTimeIsAMessageBesideTheForm() {
        StaplerRequest2 wrong = (StaplerRequest2) Proxy.newProxyInstance(
                StaplerRequest2.class.getClassLoader(),
                new Class<?>[] {StaplerRequest2.class},
                (proxy, method, arguments) -> {
                    try {
                        TaoFolderProperty bound = new TaoFolderProperty();
                        bound.setTargets(List.of(FakeJenkins.target("a b", "", false)));
                        return bound;
                    } catch (IllegalArgumentException e) { // as Stapler has it
                        throw new IllegalArgumentException("Failed to instantiate class X from {the form}", e);
                    }
                });

        assertThatThrownBy(() -> new TaoFolderProperty.DescriptorImpl().newInstance(wrong, json()))
                .isInstanceOf(Descriptor.FormException.class)
                .hasMessageStartingWith("The target name 'a b'")
                .hasNoCause();
    }

    @Test
    @Promise("JK-10")
    void anAdministratorEntersTargets() throws Exception {
        assertThat(Objects.requireNonNull(saved(new TaoFolderProperty(), entered()))
                        .getTargets())
                .containsExactly(OURS);
        assertThat(saved(entered(), new TaoFolderProperty())).isNull();
    }

    private static TaoFolderProperty withImage() {
        TaoFolderProperty form = new TaoFolderProperty();
        form.setTargets(List.of(FakeJenkins.target("evil", "", false)));
        form.setImage("tao:7");
        return form;
    }

    @Test
    @Promise("JK-10")
    void anotherPersonNeitherAddsNorRemovesATargetAndMaySayTheRest() throws Exception {
        TaoFolderProperty before = entered();
        ACL.deny(Jenkins.ADMINISTER);

        TaoFolderProperty after = Objects.requireNonNull(saved(before, withImage()));

        assertThat(after.getTargets()).containsExactly(OURS);
        assertThat(after.defaults()).containsOnlyKeys("image");
        assertThat(Objects.requireNonNull(saved(new TaoFolderProperty(), withImage()))
                        .getTargets())
                .isEmpty();
    }

    @Test
    @Promise("JK-10")
    void aTextThatThisJenkinsHasNotSealedIsNoTarget() throws Exception {
        TaoFolderProperty property = entered();
        Field own = TaoFolderProperty.class.getDeclaredField("own");
        own.setAccessible(true);
        Object sealed = Objects.requireNonNull(own.get(property));
        Field text = SealedTargets.class.getDeclaredField("text");
        text.setAccessible(true);
        text.set(sealed, Jenkins.XSTREAM2.toXML(List.of(FakeJenkins.target("evil", "", false))));

        try (HeardLog log = HeardLog.of(SealedTargets.class)) {
            assertThat(property.targets("the folder 'teams'")).isEmpty();
            assertThat(log.text())
                    .contains("The TAO targets of the folder 'teams' were not entered by an administrator");
        }
        assertThat(property.getTargets()).isEmpty();
    }

    @Test
    @Promise("JK-10")
    void aWrongNameOfATargetIsToldByTheForm() {
        assertThatThrownBy(() -> new TaoFolderProperty().setTargets(List.of(FakeJenkins.target("a b", "", false))))
                .hasMessageContaining("The target name 'a b' must consist of letters");
    }
}
