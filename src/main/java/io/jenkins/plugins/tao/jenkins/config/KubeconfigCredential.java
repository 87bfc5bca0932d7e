package io.jenkins.plugins.tao.jenkins.config;

import io.jenkins.plugins.tao.backend.kubernetes.options.Kubeconfig;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jenkinsci.plugins.plaincredentials.FileCredentials;

/** A kubeconfig that is a credential. */
final class KubeconfigCredential {
    private KubeconfigCredential() {}

    /** A trusted kubeconfig may name programs: it is one of Jenkins itself, whatever a folder has by the same id. */
    static Kubeconfig trusted(String id) {
        return read(
                CredentialStore.ofJenkins()
                        .find(id, FileCredentials.class)
                        .orElseThrow(() -> new IllegalArgumentException("There is no credential '" + id
                                + "' of Jenkins itself to use as a kubeconfig, and with trustKubeconfig none of a"
                                + " folder is used. Create it as a 'Secret file' of Jenkins, or leave trustKubeconfig"
                                + " out.")),
                id);
    }

    static Kubeconfig of(String id, CredentialStore credentials) {
        return read(
                credentials
                        .find(id, FileCredentials.class)
                        .orElseThrow(() -> credentials.missing(id, CredentialKind.KUBECONFIG.words())),
                id);
    }

    private static Kubeconfig read(FileCredentials file, String id) {
        try (var content = file.getContent()) {
            String text = new String(content.readAllBytes(), StandardCharsets.UTF_8);
            return new Kubeconfig(Secret.of(text), "credential '" + id + "'");
        } catch (IOException e) {
            throw new IllegalArgumentException("The credential '" + id + "' cannot be read", e);
        }
    }
}
