package hudson.security;

import org.springframework.security.core.Authentication;

public interface AccessControlled {
    default void checkPermission(Permission permission) {
        throw new UnsupportedOperationException();
    }

    default boolean hasPermission(Permission permission) {
        throw new UnsupportedOperationException();
    }

    default boolean hasPermission2(Authentication a, Permission permission) {
        throw new UnsupportedOperationException();
    }
}
