package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.cloudbees.jenkins.plugins.sshcredentials.impl.BasicSSHUserPrivateKey;
import com.cloudbees.plugins.credentials.CredentialsScope;
import com.cloudbees.plugins.credentials.SystemCredentialsProvider;
import hudson.model.Descriptor;
import hudson.model.FreeStyleProject;
import hudson.model.Item;
import hudson.model.User;
import hudson.security.ACL;
import hudson.security.ACLContext;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.jenkins.config.LocalTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.S3Configuration;
import io.jenkins.plugins.tao.jenkins.config.SecurityContextConfiguration;
import io.jenkins.plugins.tao.jenkins.config.SlurmTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TargetConfiguration;
import io.jenkins.plugins.tao.jenkins.step.SubmitStep;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jenkins.model.Jenkins;
import org.htmlunit.HttpMethod;
import org.htmlunit.WebRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvnet.hudson.test.JenkinsRule;
import org.jvnet.hudson.test.MockAuthorizationStrategy;
import org.jvnet.hudson.test.junit.jupiter.WithJenkins;
import org.kohsuke.stapler.StaplerRequest2;
import org.kohsuke.stapler.verb.POST;
import org.springframework.security.access.AccessDeniedException;

/** Who may see what in forms. */
@WithJenkins
class PermissionsTest {
    private static final String OURS = "io.jenkins.plugins.tao.";

    private JenkinsRule jenkins;
    private FreeStyleProject project;

    @BeforeEach
    void start(JenkinsRule rule) throws Exception {
        jenkins = rule;
        project = rule.createFreeStyleProject("free");
        TaoGlobalConfiguration.get().setTargets(List.of(new LocalTargetConfiguration("local", "/x")));
        SystemCredentialsProvider.getInstance()
                .getCredentials()
                .add(new BasicSSHUserPrivateKey(
                        CredentialsScope.GLOBAL,
                        "dgx-key",
                        "tao",
                        new BasicSSHUserPrivateKey.DirectEntryPrivateKeySource("no key at all"),
                        "",
                        ""));
        SystemCredentialsProvider.getInstance().save();
        rule.jenkins.setSecurityRealm(rule.createDummySecurityRealm());
        rule.jenkins.setAuthorizationStrategy(new MockAuthorizationStrategy()
                .grant(Jenkins.ADMINISTER)
                .everywhere()
                .to("admin")
                .grant(Jenkins.READ, Item.READ, Item.CONFIGURE)
                .everywhere()
                .to("author")
                .grant(Jenkins.READ, Item.READ)
                .everywhere()
                .to("reader"));
    }

    private static List<String> values(ListBoxModel model) {
        return model.stream().map(option -> option.value).toList();
    }

    /** Whose parameters are all {@code current}. */
    private static StaplerRequest2 request() {
        return (StaplerRequest2) Proxy.newProxyInstance(
                PermissionsTest.class.getClassLoader(),
                new Class<?>[] {StaplerRequest2.class},
                (proxy, method, arguments) -> method.getReturnType() == String.class ? "current" : null);
    }

    private List<String> keysFor(String user) {
        try (ACLContext context = ACL.as2(User.getById(user, true).impersonate2())) {
            return values(jenkins.jenkins
                    .getDescriptorByType(SlurmTargetConfiguration.DescriptorImpl.class)
                    .doFillCredentials(request(), "credentialsId"));
        }
    }

    private List<String> targetsFor(String user) {
        try (ACLContext context = ACL.as2(User.getById(user, true).impersonate2())) {
            return values(jenkins.jenkins
                    .getDescriptorByType(SubmitStep.DescriptorImpl.class)
                    .doFillTargetItems(project, "current"));
        }
    }

    @Test
    void onlyAnAdministratorSeesTheIdsOfKeys() {
        assertThat(keysFor("admin")).contains("dgx-key", "current");
        assertThat(keysFor("author")).containsExactly("current");
        assertThat(keysFor("reader")).containsExactly("current");
    }

    @Test
    void onlyWhoMayConfigureAJobSeesTheTargets() {
        assertThat(targetsFor("author")).contains("local");
        assertThat(targetsFor("reader")).containsExactly("current");
    }

    private List<Descriptor<?>> forms() {
        List<Descriptor<?>> forms = new ArrayList<>();
        for (Descriptor<?> form : jenkins.jenkins.getExtensionList(Descriptor.class)) {
            if (form.getClass().getName().startsWith(OURS)) {
                forms.add(form);
            }
        }
        return forms;
    }

    /** What the browser may call of a form. */
    private static List<Method> calls(Descriptor<?> form) {
        return Arrays.stream(form.getClass().getMethods())
                .filter(method -> method.getName().matches("do[A-Z].*"))
                .filter(method -> method.getDeclaringClass().getName().startsWith(OURS))
                .toList();
    }

    private List<Descriptor<?>> formsOfTargets() {
        return forms().stream()
                .filter(form -> TargetConfiguration.class.isAssignableFrom(form.clazz)
                        || form.clazz == S3Configuration.class
                        || form.clazz == SecurityContextConfiguration.class)
                .toList();
    }

    private static Object answer(Descriptor<?> form, Method call) throws Throwable {
        Object[] arguments = Arrays.stream(call.getParameterTypes())
                .map(type -> type == String.class ? "current" : type == StaplerRequest2.class ? request() : null)
                .toArray();
        try {
            return call.invoke(form, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Test
    void whoIsNoAdministratorHasNothingOfATargetChecked() throws Exception {
        try (ACLContext context = ACL.as2(User.getById("author", true).impersonate2())) {
            for (Descriptor<?> form : formsOfTargets()) {
                calls(form).stream()
                        .filter(call -> !call.getName().startsWith("doFill"))
                        .forEach(call -> assertThatThrownBy(() -> answer(form, call))
                                .as(call.toString())
                                .isInstanceOf(AccessDeniedException.class));
            }
        }
    }

    @Test
    void whoIsNoAdministratorIsOfferedNothingButWhatIsThere() throws Throwable {
        int lists = 0;
        try (ACLContext context = ACL.as2(User.getById("author", true).impersonate2())) {
            for (Descriptor<?> form : formsOfTargets()) {
                for (Method call : calls(form)) {
                    if (call.getName().matches("doFill.+Items|doFillCredentials") && call.getParameterCount() > 0) {
                        lists++;
                        assertThat(values((ListBoxModel) answer(form, call)))
                                .as(call.toString())
                                .contains("current")
                                .isSubsetOf("", "current");
                    }
                }
            }
        }
        assertThat(lists).isGreaterThan(8);
    }

    @Test
    void everyCheckAndEveryListTakesPostAlone() throws Exception {
        List<Method> web = forms().stream().flatMap(form -> calls(form).stream()).toList();
        assertThat(formsOfTargets()).hasSizeGreaterThan(6);
        assertThat(web).hasSizeGreaterThan(60).allMatch(method -> method.isAnnotationPresent(POST.class));

        try (JenkinsRule.WebClient client = jenkins.createWebClient().login("admin")) {
            client.setThrowExceptionOnFailingStatusCode(false);
            String check = "descriptorByName/" + SlurmTargetConfiguration.class.getName() + "/checkHosts?value=";
            assertThat(client.goTo(check, null).getWebResponse().getStatusCode()).isEqualTo(404);
        }
    }

    @Test
    void onlyAnAdministratorMayHaveTargetsChecked() throws Exception {
        assertThat(statusOfCheck("author")).isEqualTo(403);
        assertThat(statusOfCheck("admin")).isEqualTo(200);
    }

    private int statusOfCheck(String user) throws Exception {
        try (JenkinsRule.WebClient client = jenkins.createWebClient().login(user)) {
            client.setThrowExceptionOnFailingStatusCode(false);
            WebRequest request = new WebRequest(
                    new URL(jenkins.getURL(), "descriptorByName/" + SlurmTargetConfiguration.class.getName()
                            + "/checkHosts?value=x"),
                    HttpMethod.POST);
            client.addCrumb(request);
            return client.getPage(request).getWebResponse().getStatusCode();
        }
    }
}
