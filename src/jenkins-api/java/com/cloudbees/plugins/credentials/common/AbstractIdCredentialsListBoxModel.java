package com.cloudbees.plugins.credentials.common;

import com.cloudbees.plugins.credentials.CredentialsMatcher;
import com.cloudbees.plugins.credentials.domains.DomainRequirement;
import hudson.model.Item;
import hudson.model.ItemGroup;
import hudson.util.ListBoxModel;
import java.util.List;
import org.springframework.security.core.Authentication;

public abstract class AbstractIdCredentialsListBoxModel<
                T extends AbstractIdCredentialsListBoxModel<T, C>, C extends IdCredentials>
        extends ListBoxModel {
    private static final long serialVersionUID = 1L;

    public AbstractIdCredentialsListBoxModel<T, C> includeEmptyValue() {
        throw new UnsupportedOperationException();
    }

    public AbstractIdCredentialsListBoxModel<T, C> includeCurrentValue(String value) {
        throw new UnsupportedOperationException();
    }

    public AbstractIdCredentialsListBoxModel<T, C> includeMatchingAs(
            Authentication authentication,
            Item context,
            Class<? extends C> type,
            List<DomainRequirement> domainRequirements,
            CredentialsMatcher matcher) {
        throw new UnsupportedOperationException();
    }

    @SuppressWarnings("rawtypes")
    public AbstractIdCredentialsListBoxModel<T, C> includeMatchingAs(
            Authentication authentication,
            ItemGroup context,
            Class<? extends C> type,
            List<DomainRequirement> domainRequirements,
            CredentialsMatcher matcher) {
        throw new UnsupportedOperationException();
    }
}
