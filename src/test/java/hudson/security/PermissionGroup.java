package hudson.security;

import org.jvnet.localizer.Localizable;

/** Stands in for Jenkins' own in tests: holds nothing. */
public final class PermissionGroup {
    public PermissionGroup(Class<?> owner, Localizable title) {
        // nothing to keep
    }
}
