package com.cloudbees.plugins.credentials;

import com.cloudbees.plugins.credentials.common.IdCredentials;
import com.cloudbees.plugins.credentials.domains.DomainRequirement;
import hudson.model.Fingerprint;
import hudson.model.ItemGroup;
import hudson.model.Run;
import hudson.security.Permission;
import hudson.util.Secret;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jenkinsci.plugins.plaincredentials.StringCredentials;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;

/** Stands in for the plugin's own in tests: secret texts of folders, and of Jenkins itself as the folder without a name. */
public abstract class CredentialsProvider {
    public static final @Nullable Permission USE_ITEM = null;

    private static final Map<String, String> SECRETS = new HashMap<>();
    private static final Set<String> USES = new TreeSet<>();
    private static boolean denied;

    /** Lets {@code folder} have a secret text. */
    public static synchronized void put(String folder, String id, String secret) {
        SECRETS.put(folder + "|" + id, secret);
    }

    /** Forgets all. */
    public static synchronized void removeAll() {
        SECRETS.clear();
        USES.clear();
        denied = false;
    }

    /** Lets builds find nothing, as where their user may not use credentials. */
    public static synchronized void denyBuilds() {
        denied = true;
    }

    /** Builds with the ids that they have used. */
    public static synchronized Set<String> uses() {
        return Set.copyOf(USES);
    }

    public static <C extends IdCredentials> @Nullable C findCredentialById(
            String id, Class<C> type, Run<?, ?> run, List<DomainRequirement> domainRequirements) {
        return denied ? null : find(run.getParent().getFullName(), id, type);
    }

    public static @Nullable Fingerprint getFingerprintOf(Credentials credentials) {
        return null;
    }

    public static synchronized <C extends Credentials> C track(Run<?, ?> run, C credentials) {
        USES.add(run.getExternalizableId() + " " + ((IdCredentials) credentials).getId());
        return credentials;
    }

    public static <C extends IdCredentials> @Nullable C findCredentialByIdInItemGroup(
            String id,
            Class<C> type,
            ItemGroup<?> itemGroup,
            @Nullable Authentication authentication,
            List<DomainRequirement> domainRequirements) {
        return find(itemGroup.getFullName() + "/", id, type);
    }

    private static synchronized <C> @Nullable C find(String from, String id, Class<C> type) {
        String path = from;
        while (!path.isEmpty()) {
            path = path.substring(0, Math.max(0, path.lastIndexOf('/')));
            String secret = SECRETS.get(path + "|" + id);
            if (secret != null) {
                return type.isAssignableFrom(StringCredentials.class) ? type.cast(new Text(id, secret)) : null;
            }
        }
        return null;
    }

    /** A secret text. */
    private record Text(String id, String text) implements StringCredentials {
        @Override
        public CredentialsDescriptor getDescriptor() {
            return new Kind();
        }

        @Override
        public String getId() {
            return id;
        }

        @Override
        public Secret getSecret() {
            return Secret.fromString(text);
        }
    }

    /** Its kind. */
    private static final class Kind extends CredentialsDescriptor {
        @Override
        public String getDisplayName() {
            return "Secret text";
        }
    }
}
