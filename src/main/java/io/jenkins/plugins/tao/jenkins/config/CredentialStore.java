package io.jenkins.plugins.tao.jenkins.config;

import com.cloudbees.jenkins.plugins.sshcredentials.SSHUserPrivateKey;
import com.cloudbees.plugins.credentials.CredentialsProvider;
import com.cloudbees.plugins.credentials.common.IdCredentials;
import com.cloudbees.plugins.credentials.common.StandardUsernamePasswordCredentials;
import hudson.model.ItemGroup;
import hudson.model.Run;
import hudson.security.ACL;
import io.jenkins.plugins.tao.job.Secret;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import jenkins.model.Jenkins;
import org.jenkinsci.plugins.plaincredentials.StringCredentials;

/** Where credentials are looked up, at the moment of use. */
public interface CredentialStore {
    /** The credential of this kind and id, when there is one in reach. */
    <C extends IdCredentials> Optional<C> find(String id, Class<C> type);

    /** What this store reaches, by a name: stores of the same reach find the same. */
    String reach();

    /** What {@code run} may use, its folders included; each use is tracked. */
    static CredentialStore of(Run<?, ?> run) {
        return new CredentialStore() {
            @Override
            public <C extends IdCredentials> Optional<C> find(String id, Class<C> type) {
                return Optional.ofNullable(CredentialsProvider.findCredentialById(id, type, run, List.of()));
            }

            @Override
            public String reach() {
                return run.getParent().getFullName();
            }
        };
    }

    /** What Jenkins itself may use; for an administrator's checks. */
    static CredentialStore ofJenkins() {
        return in(Jenkins.get());
    }

    /** What {@code folder} may use, those of folders above it and of Jenkins itself included; for an administrator's checks. */
    static CredentialStore in(ItemGroup<?> folder) {
        return new CredentialStore() {
            @Override
            public <C extends IdCredentials> Optional<C> find(String id, Class<C> type) {
                return Optional.ofNullable(
                        CredentialsProvider.findCredentialByIdInItemGroup(id, type, folder, ACL.SYSTEM2, List.of()));
            }

            @Override
            public String reach() {
                return folder.getFullName();
            }
        };
    }

    /**
     * The SSH key of this id.
     *
     * @throws IllegalArgumentException if there is none in reach
     */
    default SSHUserPrivateKey sshKey(String id) {
        return find(id, SSHUserPrivateKey.class).orElseThrow(() -> missing(id, "an 'SSH Username with private key'"));
    }

    /**
     * The value of a secret text, or the password of a username and password.
     *
     * @throws IllegalArgumentException if there is none in reach
     */
    default Secret secret(String id) {
        Optional<StringCredentials> text = find(id, StringCredentials.class);
        if (text.isPresent()) {
            return Secret.of(text.get().getSecret().getPlainText());
        }
        return find(id, StandardUsernamePasswordCredentials.class)
                .map(both -> Secret.of(both.getPassword().getPlainText()))
                .orElseThrow(() -> missing(id, "a 'Secret text' or a 'Username with password'"));
    }

    /**
     * The values of secrets whose ids are given by variable.
     *
     * @throws IllegalArgumentException if one is out of reach
     */
    default Map<String, Secret> secrets(Map<String, String> ids) {
        Map<String, Secret> values = new LinkedHashMap<>();
        ids.forEach((variable, id) -> values.put(variable, secret(id)));
        return values;
    }

    private static IllegalArgumentException missing(String id, String kind) {
        String what = id.isEmpty()
                ? "No credential is named. Name " + kind + " of the build's folder or of Jenkins itself."
                : "There is no credential '" + id + "' that may be used here. Create it as " + kind
                        + " in the build's folder or in Jenkins itself, or name another one.";
        return new IllegalArgumentException(what);
    }
}
