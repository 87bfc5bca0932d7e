package io.jenkins.plugins.tao.jenkins.config;

import com.cloudbees.plugins.credentials.CredentialsMatchers;
import com.cloudbees.plugins.credentials.common.StandardCredentials;
import com.cloudbees.plugins.credentials.common.StandardListBoxModel;
import com.cloudbees.plugins.credentials.common.StandardUsernamePasswordCredentials;
import hudson.model.ItemGroup;
import hudson.security.ACL;
import hudson.util.ListBoxModel;
import java.util.List;
import jenkins.model.Jenkins;
import org.jenkinsci.plugins.plaincredentials.StringCredentials;
import org.jspecify.annotations.Nullable;

/** What a drop-down of credentials offers: to an administrator all in reach of the folder whose form it is, or of Jenkins itself; to others nothing new. */
final class CredentialChoices {
    private CredentialChoices() {}

    /** Secret texts, and usernames with passwords. */
    static ListBoxModel secrets(@Nullable ItemGroup<?> place, String current) {
        return of(place, current, List.of(StringCredentials.class, StandardUsernamePasswordCredentials.class));
    }

    static ListBoxModel of(@Nullable ItemGroup<?> place, String current, Class<? extends StandardCredentials> type) {
        return of(place, current, List.of(type));
    }

    private static ListBoxModel of(
            @Nullable ItemGroup<?> place, String current, List<Class<? extends StandardCredentials>> types) {
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
}
