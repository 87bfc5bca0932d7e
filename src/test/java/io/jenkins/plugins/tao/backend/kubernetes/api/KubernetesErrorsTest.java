package io.jenkins.plugins.tao.backend.kubernetes.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import java.io.IOException;
import java.net.ConnectException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Words of kube-apiserver 1.32.13, and of Java's TLS in front of it. */
class KubernetesErrorsTest {
    private static final String NONE = "selfsubjectaccessreviews.authorization.k8s.io is forbidden: User"
            + " \"system:anonymous\" cannot create resource \"selfsubjectaccessreviews\" in API group"
            + " \"authorization.k8s.io\" at the cluster scope";

    private static BackendException silence(Throwable cause) {
        IOException io = cause instanceof IOException given ? given : new SSLHandshakeException("handshake");
        if (io != cause) {
            io.initCause(cause);
        }
        return KubernetesErrors.of("lab", "ask", new KubernetesClientException("An error has occurred.", io));
    }

    @Test
    void anotherAuthorityIsAnsweredWithWhereToGiveTheRightOne() {
        BackendException told = silence(new CertificateException(
                "validation failed",
                new CertPathBuilderException("unable to find valid certification path to requested target")));

        assertThat(told)
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("unable to find valid certification path");
        assertThat(told.remedy()).contains("caCertificate", "certificate-authority-data");
    }

    @Test
    void aCertificateThatHasRunOutOrNamesAnotherHostIsNoMatterOfTheAuthority() {
        BackendException expired = silence(new CertificateException(
                "validation failed", new CertificateExpiredException("NotAfter: Sat Feb 01 00:00:00 UTC 2025")));
        BackendException other = silence(new SSLPeerUnverifiedException("Hostname 127.0.0.2 not verified"));

        assertThat(expired.remedy()).contains("has expired").doesNotContain("caCertificate");
        assertThat(other.remedy()).contains("made out to").doesNotContain("caCertificate");
    }

    @Test
    void anErrorOfTheInstallationIsNotAServerThatIsAway() {
        LinkageError missing = new NoClassDefFoundError("org/example/Cipher");

        assertThatThrownBy(() -> silence(missing))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("This installation of tao-run is at fault")
                .hasCause(missing);
        assertThatThrownBy(() -> KubernetesErrors.unusable(
                        "lab", "the kubeconfig", new KubernetesClientException("An error has occurred.", missing)))
                .hasCause(missing);
    }

    @Test
    void aServerThatIsNotThereIsAnsweredWithAddressAndNetwork() {
        assertThat(silence(new ConnectException("Connection refused")).remedy()).contains("Check the address");
    }

    private static BackendException refusal(int code, String message) {
        return KubernetesErrors.of(
                "lab",
                "create the Job 'x'",
                new KubernetesClientException(
                        new StatusBuilder().withCode(code).withMessage(message).build()));
    }

    /** By the sources of kube-apiserver: admission says 403 too, and etcd's limit comes as an internal error. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "403|jobs.batch \"x\" is forbidden: User \"ada\" cannot create resource \"jobs\" in API group \"batch\" in the namespace \"tao\"|Denied|Role",
                "403|jobs.batch is forbidden: User \"ada\" cannot list resource \"jobs\" in API group \"batch\" in the namespace \"tao\"|Denied|Role",
                "403|jobs.batch \"x\" is forbidden: ValidatingAdmissionPolicy 'limits' with binding 'all' denied request: replicas|Rejected|change this rule",
                "403|admission webhook \"validate.kyverno.svc-fail\" denied the request: no owner label|Rejected|change this rule",
                "403|pods \"x\" is forbidden: no PriorityClass with name high was found|Rejected|change this rule",
                "403|pods \"x\" is forbidden: unable to validate against any security context constraint: []|Rejected|change this rule",
                "403|jobs.batch \"x\" is forbidden: unable to create new content in namespace tao because it is being terminated|Rejected|change this rule",
                "403|jobs.batch \"x\" is forbidden: exceeded quota: q, requested: count/jobs.batch=1, used: count/jobs.batch=9, limited: count/jobs.batch=9|Rejected|larger quota",
                "403|jobs.batch \"x\" is forbidden: not yet ready to handle request|Unreachable|asked again",
                "403|jobs.batch \"x\" is forbidden: status unknown for quota: q, resources: count/jobs.batch|Unreachable|asked again",
                "422|jobs.batch \"x\" is forbidden: ValidatingAdmissionPolicy 'limits' with binding 'all' denied request: replicas|Rejected|tao preview",
                "500|etcdserver: request is too large|Rejected|tao preview",
                "500|rpc error: code = ResourceExhausted desc = trying to send message larger than max (2097353 vs. 2097152)|Rejected|tao preview",
                "413|Request entity too large: limit is 3145728|Rejected|tao preview",
                "500|Internal error occurred: failed calling webhook \"a\": Post \"https://a\": context deadline exceeded|Unreachable|asked again",
                "504|Timeout: request did not complete within requested timeout|Unreachable|asked again",
            })
    void aRefusalSaysWhoCanHelp(int code, String message, String kind, String remedy) {
        BackendException refusal = refusal(code, message);

        assertThat(refusal.getClass().getSimpleName()).isEqualTo(kind);
        assertThat(refusal).hasMessageContaining(message);
        assertThat(refusal.remedy()).contains(remedy);
    }

    @Test
    void aRequestWithoutALoginIsNoMatterOfRoles() {
        BackendException told = KubernetesErrors.of(
                "lab",
                "ask for its permissions",
                new KubernetesClientException(
                        new StatusBuilder().withCode(403).withMessage(NONE).build()));

        assertThat(told).isInstanceOf(Denied.class).hasMessageContaining("system:anonymous");
        assertThat(told.remedy()).contains("token", "client certificate").doesNotContain("Role");
    }
}
