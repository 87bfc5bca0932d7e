package hudson;

import hudson.util.Secret;
import org.jspecify.annotations.Nullable;

public final class ProxyConfiguration {
    private ProxyConfiguration() {}

    public @Nullable String getName() {
        throw new UnsupportedOperationException();
    }

    public int getPort() {
        throw new UnsupportedOperationException();
    }

    public @Nullable String getUserName() {
        throw new UnsupportedOperationException();
    }

    public @Nullable Secret getSecretPassword() {
        throw new UnsupportedOperationException();
    }

    public @Nullable String getNoProxyHost() {
        throw new UnsupportedOperationException();
    }
}
