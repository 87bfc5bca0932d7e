package io.jenkins.plugins.tao.backend.kubernetes.api;

import static org.assertj.core.api.Assertions.assertThat;

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
    void aServerThatIsNotThereIsAnsweredWithAddressAndNetwork() {
        assertThat(silence(new ConnectException("Connection refused")).remedy()).contains("Check the address");
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
