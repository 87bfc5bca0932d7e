package hudson.security;

import org.jspecify.annotations.Nullable;
import org.jvnet.localizer.Localizable;

public final class Permission {
    public Permission(
            PermissionGroup group,
            String name,
            @Nullable Localizable description,
            @Nullable Permission impliedBy,
            PermissionScope scope)
            throws IllegalStateException {
        throw new UnsupportedOperationException();
    }
}
