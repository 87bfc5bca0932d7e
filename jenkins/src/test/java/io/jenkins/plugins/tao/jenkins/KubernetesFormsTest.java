package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import hudson.ProxyConfiguration;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget.PodSecurity;
import io.jenkins.plugins.tao.backend.kubernetes.options.RunAs;
import io.jenkins.plugins.tao.http.HttpProxy;
import io.jenkins.plugins.tao.jenkins.config.CredentialStore;
import io.jenkins.plugins.tao.jenkins.config.KaggleOptionsConfiguration;
import io.jenkins.plugins.tao.jenkins.config.KubernetesOptionsConfiguration;
import io.jenkins.plugins.tao.jenkins.config.KubernetesTargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.SecurityContextConfiguration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.jvnet.hudson.test.JenkinsRule;
import org.jvnet.hudson.test.junit.jupiter.WithJenkins;

/** What becomes of the texts of Kubernetes' forms; a word that is none names its field. */
@WithJenkins
class KubernetesFormsTest {
    @Test
    void theProxyOfJenkinsIsTaken(JenkinsRule jenkins) {
        jenkins.jenkins.setProxy(new ProxyConfiguration("proxy.corp", 3128, "", "", "*.corp"));
        KubernetesTargetConfiguration form = new KubernetesTargetConfiguration("gpu-cluster");

        HttpProxy proxy = ((KubernetesTarget) form.toTarget(CredentialStore.ofJenkins())).proxy().orElseThrow();

        assertThat(proxy.host()).isEqualTo("proxy.corp");
        assertThat(proxy.except()).containsExactly("*.corp");
    }

    @Test
    void aShellThatNobodyHasIsToldByItsField(JenkinsRule jenkins) {
        KubernetesOptionsConfiguration options = new KubernetesOptionsConfiguration();
        options.setShell("zsh");

        assertThatIllegalArgumentException()
                .isThrownBy(options::toOptions)
                .withMessage("shell must be one of [bash, sh], was 'zsh'");
    }

    @Test
    void aRequestForCancelThatIsNoneIsToldByItsField(JenkinsRule jenkins) {
        KaggleOptionsConfiguration options = new KaggleOptionsConfiguration();
        options.setOnCancel("stop");

        assertThatIllegalArgumentException()
                .isThrownBy(options::toOptions)
                .withMessage("onCancel must be one of [leave, delete], was 'stop'");
    }

    @Test
    void theUserAndTheStandardOfPodsComeOutOfTheForm(JenkinsRule jenkins) {
        KubernetesTargetConfiguration form = new KubernetesTargetConfiguration("gpu-cluster");
        SecurityContextConfiguration context = new SecurityContextConfiguration();
        context.setRunAsUser("1000680000");
        context.setFsGroup(" 2000 ");
        form.setPodSecurity("restricted");
        form.setSecurityContext(context);

        KubernetesTarget target = (KubernetesTarget) form.toTarget(CredentialStore.ofJenkins());

        assertThat(target.podSecurity()).contains(PodSecurity.RESTRICTED);
        assertThat(target.securityContext())
                .contains(new RunAs(OptionalLong.of(1_000_680_000), OptionalLong.empty(), OptionalLong.of(2000)));
    }

    @Test
    void aUserByNameIsToldByItsField(JenkinsRule jenkins) {
        KubernetesTargetConfiguration form = new KubernetesTargetConfiguration("gpu-cluster");
        SecurityContextConfiguration context = new SecurityContextConfiguration();
        context.setRunAsUser("trainer");
        form.setSecurityContext(context);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> form.toTarget(CredentialStore.ofJenkins()))
                .withMessage("runAsUser must be a whole number, was 'trainer'");
    }
}
