package io.jenkins.plugins.tao.jenkins.config;

import com.cloudbees.plugins.credentials.CredentialsMatchers;
import com.cloudbees.plugins.credentials.common.StandardCredentials;
import com.cloudbees.plugins.credentials.common.StandardListBoxModel;
import com.cloudbees.plugins.credentials.common.StandardUsernamePasswordCredentials;
import hudson.security.ACL;
import hudson.util.ListBoxModel;
import java.util.List;
import jenkins.model.Jenkins;
import org.jenkinsci.plugins.plaincredentials.StringCredentials;

/** What a drop-down of credentials offers: to an administrator all that Jenkins itself has, to others nothing new. */
final class CredentialChoices {
    private CredentialChoices() {}

    /** Secret texts, and usernames with passwords. */
    static ListBoxModel secrets(String current) {
        return of(current, List.of(StringCredentials.class, StandardUsernamePasswordCredentials.class));
    }

    static ListBoxModel of(String current, Class<? extends StandardCredentials> type) {
        return of(current, List.of(type));
    }

    private static ListBoxModel of(String current, List<Class<? extends StandardCredentials>> types) {
        if (!Jenkins.get().hasPermission(Jenkins.ADMINISTER)) {
            return new StandardListBoxModel().includeCurrentValue(current);
        }
        StandardListBoxModel model = new StandardListBoxModel();
        model.includeEmptyValue();
        types.forEach(type ->
                model.includeMatchingAs(ACL.SYSTEM2, Jenkins.get(), type, List.of(), CredentialsMatchers.always()));
        return model.includeCurrentValue(current);
    }
}
