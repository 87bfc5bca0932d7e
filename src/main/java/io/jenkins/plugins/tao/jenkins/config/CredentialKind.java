package io.jenkins.plugins.tao.jenkins.config;

import com.cloudbees.jenkins.plugins.sshcredentials.SSHUserPrivateKey;
import com.cloudbees.plugins.credentials.CredentialsMatchers;
import com.cloudbees.plugins.credentials.common.StandardCredentials;
import com.cloudbees.plugins.credentials.common.StandardListBoxModel;
import com.cloudbees.plugins.credentials.common.StandardUsernamePasswordCredentials;
import hudson.model.ItemGroup;
import hudson.security.ACL;
import hudson.util.FormValidation;
import hudson.util.ListBoxModel;
import java.util.List;
import jenkins.model.Jenkins;
import org.jenkinsci.plugins.plaincredentials.FileCredentials;
import org.jenkinsci.plugins.plaincredentials.StringCredentials;
import org.jspecify.annotations.Nullable;

/**
 * Kind of credential that a field of a form names by its id.
 *
 * @param words as errors name it
 */
record CredentialKind(String words, List<Class<? extends StandardCredentials>> types) {
    static final CredentialKind SSH_KEY =
            new CredentialKind("an 'SSH Username with private key'", List.of(SSHUserPrivateKey.class));
    static final CredentialKind SECRET = new CredentialKind(
            "a 'Secret text' or a 'Username with password'",
            List.of(StringCredentials.class, StandardUsernamePasswordCredentials.class));
    static final CredentialKind KEYS = new CredentialKind(
            "a 'Username with password' (the access key and the secret key)",
            List.of(StandardUsernamePasswordCredentials.class));
    static final CredentialKind KUBECONFIG =
            new CredentialKind("a 'Secret file' with a kubeconfig", List.of(FileCredentials.class));

    /** Offers an administrator all in reach of the folder whose form it is, or of Jenkins itself; others nothing new. */
    ListBoxModel choices(@Nullable ItemGroup<?> place, String current) {
        if (!Jenkins.get().hasPermission(Jenkins.ADMINISTER)) {
            return new StandardListBoxModel().includeCurrentValue(current);
        }
        StandardListBoxModel model = new StandardListBoxModel();
        model.includeEmptyValue();
        ItemGroup<?> reach = place == null ? Jenkins.get() : place;
        types.forEach(
                type -> model.includeMatchingAs(ACL.SYSTEM2, reach, type, List.of(), CredentialsMatchers.always()));
        return model.includeCurrentValue(current);
    }

    /** An error if there is no such credential in reach; what an expression such as {@code ${KEY}} finds is not known yet. */
    FormValidation check(@Nullable ItemGroup<?> place, String id) {
        CredentialStore store = CredentialStore.in(place == null ? Jenkins.get() : place);
        return id.isBlank()
                        || id.contains("$")
                        || types.stream().anyMatch(type -> store.find(id, type).isPresent())
                ? FormValidation.ok()
                : FormValidation.error(String.valueOf(store.missing(id, words).getMessage()));
    }
}
