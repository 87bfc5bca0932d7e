package io.jenkins.plugins.tao.jenkins.config;

import com.cloudbees.jenkins.plugins.sshcredentials.SSHUserPrivateKey;
import com.cloudbees.plugins.credentials.CredentialsProvider;
import com.cloudbees.plugins.credentials.common.IdCredentials;
import com.cloudbees.plugins.credentials.common.StandardUsernamePasswordCredentials;
import hudson.model.Fingerprint;
import hudson.model.ItemGroup;
import hudson.model.Run;
import hudson.security.ACL;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
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

    /** What {@code run} may use, its folders included; each use is recorded with the credential. */
    static CredentialStore of(Run<?, ?> run) {
        return new CredentialStore() {
            @Override
            public <C extends IdCredentials> Optional<C> find(String id, Class<C> type) {
                return Optional.ofNullable(CredentialsProvider.findCredentialById(id, type, run, List.of()))
                        .map(found -> recorded(found, run));
            }

            @Override
            public IllegalArgumentException missing(String id, String kind) {
                String job = run.getParent().getFullName();
                boolean there = in(run.getParent().getParent())
                        .find(id, IdCredentials.class)
                        .isPresent();
                return find(id, IdCredentials.class).isPresent() || !there
                        ? CredentialStore.super.missing(id, kind)
                        : new IllegalArgumentException("The user that builds of '" + job
                                + "' run as by default may not use the credential '" + id
                                + "'. Give that user the permission Job/Configure on '" + job + "'.");
            }

            @Override
            public String reach() {
                return run.getParent().getFullName();
            }
        };
    }

    /** Writes its record once a build. */
    private static <C extends IdCredentials> C recorded(C credential, Run<?, ?> run) {
        try {
            Fingerprint uses = CredentialsProvider.getFingerprintOf(credential);
            boolean known = uses != null
                    && uses.getRangeSet(run.getParent().getFullName()).includes(run.getNumber());
            return known ? credential : CredentialsProvider.track(run, credential);
        } catch (IOException e) { // of the record, which no build needs
            return credential;
        }
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
        return find(id, SSHUserPrivateKey.class).orElseThrow(() -> missing(id, CredentialKind.SSH_KEY.words()));
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
                .orElseThrow(() -> missing(id, CredentialKind.SECRET.words()));
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

    /** Why there is no credential of this id and {@code kind}, and what to do. */
    default IllegalArgumentException missing(String id, String kind) {
        if (id.isEmpty()) {
            return new IllegalArgumentException(
                    "No credential is named. Name " + kind + " of the build's folder or of Jenkins itself.");
        }
        return new IllegalArgumentException(find(id, IdCredentials.class)
                .map(other -> "The credential '" + id + "' is a '"
                        + other.getDescriptor().getDisplayName() + "'. Name " + kind + " instead.")
                .orElse("There is no credential '" + id + "' that may be used here. Create it as " + kind
                        + " in the build's folder or in Jenkins itself, or name another one."));
    }
}
