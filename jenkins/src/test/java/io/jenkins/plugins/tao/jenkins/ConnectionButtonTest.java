package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import com.cloudbees.jenkins.plugins.sshcredentials.impl.BasicSSHUserPrivateKey;
import com.cloudbees.plugins.credentials.CredentialsScope;
import com.cloudbees.plugins.credentials.SystemCredentialsProvider;
import io.jenkins.plugins.tao.jenkins.config.LocalTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.SlurmTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TargetDescriptor;
import java.io.ByteArrayOutputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import jenkins.model.Jenkins;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyPairResourceWriter;
import org.htmlunit.HttpMethod;
import org.htmlunit.WebRequest;
import org.htmlunit.html.DomNode;
import org.htmlunit.html.HtmlButton;
import org.htmlunit.html.HtmlInput;
import org.htmlunit.html.HtmlPage;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvnet.hudson.test.JenkinsRule;
import org.jvnet.hudson.test.MockAuthorizationStrategy;
import org.jvnet.hudson.test.junit.jupiter.WithJenkins;

/** The button of a target's form connects with what stands in the form, and shows what each check found. */
@WithJenkins
class ConnectionButtonTest {
    private static final Path RIG =
            Path.of(Optional.ofNullable(System.getenv("LAB_STATE")).orElse("/var/lib/slurmlab"));
    private static final String HOST_KEY = "[127.0.0.1]:1 ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINTllUoj3jI7p2grFx1gPsrH7P3NP6YEWKFgK93gk7wu";

    @TempDir
    private Path directory;

    private JenkinsRule jenkins;

    @BeforeEach
    void start(JenkinsRule rule) {
        jenkins = rule;
    }

    private static void key(String id, String text) throws Exception {
        SystemCredentialsProvider.getInstance()
                .getCredentials()
                .add(new BasicSSHUserPrivateKey(
                        CredentialsScope.GLOBAL,
                        id,
                        "tao",
                        new BasicSSHUserPrivateKey.DirectEntryPrivateKeySource(text),
                        "",
                        ""));
        SystemCredentialsProvider.getInstance().save();
    }

    private static String freshKey() throws Exception {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        OpenSSHKeyPairResourceWriter.INSTANCE.writePrivateKey(
                KeyPairGenerator.getInstance("RSA").generateKeyPair(), "test", null, text);
        return text.toString(StandardCharsets.UTF_8);
    }

    private static String rig(String file) throws Exception {
        Path path = RIG.resolve("keys").resolve(file);
        Assumptions.assumeTrue(
                Files.isReadable(path) && Files.exists(RIG.resolve("pid/login1.pid")), "no Slurm rig");
        return Files.readString(path);
    }

    private static SlurmTargetConfiguration slurm(String hosts, String key, String hostKeys) {
        return new SlurmTargetConfiguration("dgx", hosts, key, hostKeys, "/lustre/tao/button");
    }

    /** Shows the form of {@code target}, presses its button, and tells what stands beside it then. */
    private DomNode press(TargetConfiguration target) throws Exception {
        TaoGlobalConfiguration.get().setTargets(List.of(target));
        try (JenkinsRule.WebClient client = jenkins.createWebClient()) {
            return press(client, client.goTo("configure"));
        }
    }

    private static DomNode press(JenkinsRule.WebClient client, HtmlPage page) throws Exception {
        client.waitForBackgroundJavaScript(30_000); // fills the lists of credentials
        HtmlButton button = page.querySelector("[name=targets] .validate-button");
        button.click();
        client.waitForBackgroundJavaScript(30_000);
        return Objects.requireNonNull(
                page.querySelector("[name=targets] .jenkins-validate-button__container__status"));
    }

    @Test
    void aTargetThatAnswersShowsEachCheck() throws Exception {
        DomNode shown = press(new LocalTargetConfiguration("here", directory.toString()));

        assertThat(shown.asNormalizedText()).contains("directory is writable: " + directory);
        assertThat(shown.querySelectorAll(".error")).isEmpty();
        assertThat(shown.querySelectorAll(".ok")).isNotEmpty();
    }

    @Test
    void whatStandsInTheFormIsTestedThoughItIsNotSaved() throws Exception {
        TaoGlobalConfiguration.get().setTargets(List.of(new LocalTargetConfiguration("here", directory.toString())));
        try (JenkinsRule.WebClient client = jenkins.createWebClient()) {
            HtmlPage page = client.goTo("configure");
            HtmlInput field = page.querySelector("[name=targets] [name='_.baseDirectory']");
            field.setValue("relative/<b>path</b>");

            DomNode shown = press(client, page);

            assertThat(shown.querySelector(".error").asNormalizedText()).contains("relative/<b>path</b>");
            assertThat(shown.querySelectorAll("b")).isEmpty();
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aRealClusterAcceptsTheJobThatNobodyRuns() throws Exception {
        key("dgx-key", rig("tao_ed25519"));

        DomNode shown = press(slurm("127.0.0.1:2222", "dgx-key", rig("known_hosts")));

        assertThat(shown.asNormalizedText()).contains("login: as tao", "sbatch --test-only: accepted");
        assertThat(shown.querySelectorAll(".error")).isEmpty();
    }

    @Test
    void aWrongPortIsTold() throws Exception {
        key("dgx-key", freshKey());

        DomNode shown = press(slurm("127.0.0.1:1", "dgx-key", HOST_KEY));

        assertThat(shown.querySelector(".error").asNormalizedText()).contains("127.0.0.1:1 (Connection refused)");
    }

    @Test
    void aKeyThatIsRefusedIsNamedAndNotShown() throws Exception {
        String known = rig("known_hosts");
        key("wrong-key", freshKey());

        DomNode shown = press(slurm("127.0.0.1:2222", "wrong-key", known));

        assertThat(shown.querySelector(".error").asNormalizedText()).contains("refused the key credential 'wrong-key'");
        assertThat(shown.asXml()).doesNotContain("PRIVATE KEY");
    }

    @Test
    void aCredentialThatIsNotThereIsNamed() throws Exception {
        DomNode shown = press(slurm("127.0.0.1:1", "nobody", HOST_KEY));

        assertThat(shown.querySelector(".error").asNormalizedText()).contains("no credential 'nobody'");
    }

    @Test
    void nobodyElseMayMakeJenkinsConnect() throws Exception {
        jenkins.jenkins.setSecurityRealm(jenkins.createDummySecurityRealm());
        jenkins.jenkins.setAuthorizationStrategy(new MockAuthorizationStrategy()
                .grant(Jenkins.ADMINISTER)
                .everywhere()
                .to("admin")
                .grant(Jenkins.READ, Jenkins.MANAGE, Jenkins.SYSTEM_READ)
                .everywhere()
                .to("manager"));

        assertThat(status("manager", HttpMethod.POST)).isEqualTo(403);
        assertThat(status("admin", HttpMethod.POST)).isEqualTo(200);
        assertThat(status("admin", HttpMethod.GET)).isEqualTo(404);
    }

    private int status(String user, HttpMethod method) throws Exception {
        try (JenkinsRule.WebClient client = jenkins.createWebClient().login(user)) {
            client.setThrowExceptionOnFailingStatusCode(false);
            WebRequest request = new WebRequest(
                    new URL(jenkins.getURL(), "descriptorByName/" + LocalTargetConfiguration.class.getName()
                            + "/testConnection?name=x&baseDirectory=" + directory),
                    method);
            client.addCrumb(request);
            return client.getPage(request).getWebResponse().getStatusCode();
        }
    }

    /** The button sends what it finds by name above it: a field that a form lacks would be read from another target's. */
    @Test
    void everyFieldThatIsTestedStandsInItsForm() throws Exception {
        for (TargetDescriptor form : jenkins.jenkins.getExtensionList(TargetDescriptor.class)) {
            String page = jelly(form.clazz);

            assertThat(Stream.of(form.getFieldsToTest().split(",")))
                    .as(form.getDisplayName())
                    .allMatch(field -> page.contains("field=\"" + field + "\""));
        }
    }

    private static String jelly(Class<?> form) throws Exception {
        Path resources = Path.of("../src/main/resources/io/jenkins/plugins/tao/jenkins/config");
        String page = Files.readString(resources.resolve(form.getSimpleName()).resolve("config.jelly"))
                + Files.readString(resources.resolve("TargetConfiguration/test.jelly"));
        return page.contains("settings.jelly")
                ? page + Files.readString(resources.resolve("BoxTargetConfiguration/settings.jelly"))
                : page;
    }
}
