package hudson.security;

import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;

/** Stands in for Jenkins' own in tests: asks the one {@link ACL}. */
public interface AccessControlled {
    default void checkPermission(@Nullable Permission permission) {
        ACL.check(permission);
    }

    default boolean hasPermission(@Nullable Permission permission) {
        return !ACL.denies(permission);
    }

    /** Jenkins itself may do all. */
    default boolean hasPermission2(@Nullable Authentication who, @Nullable Permission permission) {
        return who == null || !ACL.denies(permission);
    }
}
