package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import com.cloudbees.jenkins.plugins.sshcredentials.impl.BasicSSHUserPrivateKey;
import com.cloudbees.plugins.credentials.CredentialsScope;
import com.cloudbees.plugins.credentials.SystemCredentialsProvider;
import hudson.model.FreeStyleProject;
import hudson.model.Item;
import hudson.model.User;
import hudson.security.ACL;
import hudson.security.ACLContext;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.jenkins.config.LocalTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.SlurmTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.jenkins.step.SubmitStep;
import java.lang.reflect.Method;
import java.net.URL;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import jenkins.model.Jenkins;
import org.htmlunit.HttpMethod;
import org.htmlunit.WebRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvnet.hudson.test.JenkinsRule;
import org.jvnet.hudson.test.MockAuthorizationStrategy;
import org.jvnet.hudson.test.junit.jupiter.WithJenkins;
import org.kohsuke.stapler.verb.POST;

/** Who may see what in forms. */
@WithJenkins
class PermissionsTest {
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

    private List<String> keysFor(String user) {
        try (ACLContext context = ACL.as2(User.getById(user, true).impersonate2())) {
            return values(jenkins.jenkins
                    .getDescriptorByType(SlurmTargetConfiguration.DescriptorImpl.class)
                    .doFillCredentialsIdItems("current"));
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

    @Test
    void everyCheckAndEveryListTakesPostAlone() throws Exception {
        List<Method> web = Stream.of(
                        SlurmTargetConfiguration.DescriptorImpl.class,
                        LocalTargetConfiguration.DescriptorImpl.class,
                        SubmitStep.DescriptorImpl.class,
                        io.jenkins.plugins.tao.jenkins.step.WaitStep.DescriptorImpl.class,
                        io.jenkins.plugins.tao.jenkins.freestyle.TaoBuilder.DescriptorImpl.class,
                        io.jenkins.plugins.tao.jenkins.config.SlurmOptionsConfiguration.DescriptorImpl.class)
                .flatMap(type -> Arrays.stream(type.getMethods()))
                .filter(method -> method.getName().matches("do(Check|Fill).*"))
                .filter(method -> method.getDeclaringClass().getName().startsWith("io.jenkins.plugins.tao"))
                .toList();
        assertThat(web).hasSizeGreaterThan(15).allMatch(method -> method.isAnnotationPresent(POST.class));

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
