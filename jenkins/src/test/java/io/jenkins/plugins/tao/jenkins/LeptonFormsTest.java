package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import com.cloudbees.plugins.credentials.CredentialsScope;
import com.cloudbees.plugins.credentials.SystemCredentialsProvider;
import hudson.ProxyConfiguration;
import hudson.model.User;
import hudson.security.ACL;
import hudson.security.ACLContext;
import hudson.util.ListBoxModel;
import hudson.util.Secret;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonTarget;
import io.jenkins.plugins.tao.http.HttpProxy;
import io.jenkins.plugins.tao.jenkins.config.CredentialStore;
import io.jenkins.plugins.tao.jenkins.config.LeptonOptionsConfiguration;
import io.jenkins.plugins.tao.jenkins.config.LeptonTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.S3Configuration;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TargetConfiguration;
import io.jenkins.plugins.tao.jenkins.step.SubmitStep;
import java.util.List;
import jenkins.model.Jenkins;
import org.jenkinsci.plugins.plaincredentials.impl.StringCredentialsImpl;
import org.jenkinsci.plugins.workflow.cps.SnippetizerTester;
import org.jenkinsci.plugins.workflow.steps.StepConfigTester;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvnet.hudson.test.JenkinsRule;
import org.jvnet.hudson.test.MockAuthorizationStrategy;
import org.jvnet.hudson.test.junit.jupiter.WithJenkins;

/** The forms of Lepton keep what is entered; the proxy of Jenkins is taken; only administrators make them ask. */
@WithJenkins
class LeptonFormsTest {
    private JenkinsRule jenkins;

    @BeforeEach
    void start(JenkinsRule rule) throws Exception {
        jenkins = rule;
        SystemCredentialsProvider.getInstance()
                .getCredentials()
                .add(new StringCredentialsImpl(
                        CredentialsScope.GLOBAL, "lepton-token", "", Secret.fromString("tok-1")));
        SystemCredentialsProvider.getInstance().save();
    }

    private static LeptonTargetConfiguration target() {
        LeptonTargetConfiguration lepton = new LeptonTargetConfiguration("cloud", "vision", "lepton-token");
        lepton.setUrl("http://127.0.0.1:1");
        lepton.setNodeGroup("my-h100-pool");
        lepton.setResourceShape("gpu.8xh100-sxm");
        lepton.setMounts("fsw:/team=/mnt/lustre\nscratch=/mnt/s:ro");
        lepton.setPullSecret("ngc");
        lepton.setSharedMemory("65536");
        lepton.setArchiveAfter("2d");
        lepton.setFailureAnalysis("jobs/{job}/why");
        return lepton;
    }

    @Test
    void aTargetSurvivesTheSystemPageThoughItsServiceIsSilent() throws Exception {
        LeptonTargetConfiguration lepton = target();
        S3Configuration storage = new S3Configuration("");
        storage.setBucket("results");
        lepton.setS3(storage);
        List<TargetConfiguration> given = List.of(lepton);
        TaoGlobalConfiguration.get().setTargets(given);

        jenkins.configRoundtrip();

        assertThat(TaoGlobalConfiguration.get().getTargets())
                .usingRecursiveComparison()
                .isEqualTo(given);
    }

    @Test
    void theOptionsOfAJobSurviveItsForm() throws Exception {
        LeptonOptionsConfiguration options = new LeptonOptionsConfiguration();
        options.setResourceShape("gpu.1x");
        options.setNodeGroup("pool");
        options.setNodes("node-a, node-b");
        options.setMounts("fsw=/mnt/x");
        options.setSharedMemory("1024");
        options.setArchiveAfter("1h");
        options.setVisibility("public");
        options.setPriority("high-7000");
        options.setCanBePreempted("false");
        options.setCanPreempt("true");
        options.setReservation("r1");
        options.setSecretRefs("HF_TOKEN: team-hf");
        SubmitStep step = new SubmitStep("cloud", "true");
        step.setOptions(options);
        TaoGlobalConfiguration.get().setTargets(List.of(target()));

        jenkins.assertEqualDataBoundBeans(step, new StepConfigTester(jenkins).configRoundTrip(step));
    }

    @Test
    void theSnippetGeneratorWritesTheSymbol() throws Exception {
        SubmitStep step = new SubmitStep("cloud", "true");
        LeptonOptionsConfiguration options = new LeptonOptionsConfiguration();
        options.setNodeGroup("pool");
        step.setOptions(options);

        new SnippetizerTester(jenkins)
                .assertRoundTrip(step, "taoSubmit command: 'true', options: lepton(nodeGroup: 'pool'), target: 'cloud'");
    }

    @Test
    void theProxyOfJenkinsIsTaken() {
        jenkins.jenkins.setProxy(new ProxyConfiguration("proxy.corp", 3128, "me", "pw", "*.corp\n10.0.*"));

        HttpProxy proxy = ((LeptonTarget) target().toTarget(CredentialStore.ofJenkins())).proxy().orElseThrow();

        assertThat(proxy.host()).isEqualTo("proxy.corp");
        assertThat(proxy.port()).isEqualTo(3128);
        assertThat(proxy.user()).contains("me");
        assertThat(proxy.password().orElseThrow().reveal()).isEqualTo("pw");
        assertThat(proxy.except()).containsExactly("*.corp", "10.0.*");
    }

    @Test
    void onlyAnAdministratorMakesAFormAskTheService() throws Exception {
        jenkins.jenkins.setSecurityRealm(jenkins.createDummySecurityRealm());
        jenkins.jenkins.setAuthorizationStrategy(
                new MockAuthorizationStrategy().grant(Jenkins.READ).everywhere().to("reader"));
        LeptonTargetConfiguration.DescriptorImpl form =
                jenkins.jenkins.getDescriptorByType(LeptonTargetConfiguration.DescriptorImpl.class);

        try (ACLContext context = ACL.as2(User.getById("reader", true).impersonate2())) {
            ListBoxModel offered =
                    form.doFillNodeGroupItems("vision", "lepton-token", "http://127.0.0.1:1", "mine");

            assertThat(offered).extracting(option -> option.value).containsExactly("", "mine");
        }
    }
}
