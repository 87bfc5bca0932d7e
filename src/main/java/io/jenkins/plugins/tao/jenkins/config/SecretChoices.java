package io.jenkins.plugins.tao.jenkins.config;

import com.cloudbees.plugins.credentials.CredentialsMatchers;
import com.cloudbees.plugins.credentials.common.StandardListBoxModel;
import com.cloudbees.plugins.credentials.common.StandardUsernamePasswordCredentials;
import hudson.security.ACL;
import hudson.util.ListBoxModel;
import java.util.List;
import jenkins.model.Jenkins;
import org.jenkinsci.plugins.plaincredentials.StringCredentials;

/** What a drop-down of tokens and keys offers: to an administrator all that Jenkins itself has, to others nothing new. */
final class SecretChoices {
    private SecretChoices() {}

    static ListBoxModel of(String current) {
        if (!Jenkins.get().hasPermission(Jenkins.ADMINISTER)) {
            return new StandardListBoxModel().includeCurrentValue(current);
        }
        return new StandardListBoxModel()
                .includeEmptyValue()
                .includeMatchingAs(
                        ACL.SYSTEM2, Jenkins.get(), StringCredentials.class, List.of(), CredentialsMatchers.always())
                .includeMatchingAs(
                        ACL.SYSTEM2,
                        Jenkins.get(),
                        StandardUsernamePasswordCredentials.class,
                        List.of(),
                        CredentialsMatchers.always())
                .includeCurrentValue(current);
    }
}
