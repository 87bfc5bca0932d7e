package hudson.security;

import org.jspecify.annotations.Nullable;
import org.jvnet.localizer.Localizable;

/** Stands in for Jenkins' own in tests: a name. */
public final class Permission {
    private final String name;

    public Permission(
            @Nullable PermissionGroup group,
            String name,
            @Nullable Localizable description,
            @Nullable Permission impliedBy,
            @Nullable PermissionScope scope) {
        this.name = name;
    }

    @Override
    public String toString() {
        return name;
    }
}
