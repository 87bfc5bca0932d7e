package hudson.security;

import org.jvnet.localizer.Localizable;

public final class PermissionGroup {
    public PermissionGroup(Class<?> owner, Localizable title) throws IllegalStateException {
        throw new UnsupportedOperationException();
    }
}
