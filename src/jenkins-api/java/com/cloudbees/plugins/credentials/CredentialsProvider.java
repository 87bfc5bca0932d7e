package com.cloudbees.plugins.credentials;

import com.cloudbees.plugins.credentials.common.IdCredentials;
import com.cloudbees.plugins.credentials.domains.DomainRequirement;
import hudson.model.Fingerprint;
import hudson.model.ItemGroup;
import hudson.model.Run;
import hudson.security.Permission;
import java.io.IOException;
import java.util.List;
import org.springframework.security.core.Authentication;

public abstract class CredentialsProvider {
    public static final Permission USE_ITEM = null;

    public static <C extends IdCredentials> C findCredentialById(
            String id, Class<C> type, Run<?, ?> run, List<DomainRequirement> domainRequirements) {
        throw new UnsupportedOperationException();
    }

    public static <C extends IdCredentials> C findCredentialByIdInItemGroup(
            String id,
            Class<C> type,
            ItemGroup<?> itemGroup,
            Authentication authentication,
            List<DomainRequirement> domainRequirements) {
        throw new UnsupportedOperationException();
    }

    public static Fingerprint getFingerprintOf(Credentials c) throws IOException {
        throw new UnsupportedOperationException();
    }

    public static <C extends Credentials> C track(Run<?, ?> build, C credentials) {
        throw new UnsupportedOperationException();
    }
}
