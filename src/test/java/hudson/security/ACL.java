package hudson.security;

import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;

/** Stands in for Jenkins' own in tests: everybody may do all, until a test says otherwise. */
public abstract class ACL {
    public static final @Nullable Authentication SYSTEM2 = null;

    private static volatile boolean denied;
    private static volatile @Nullable Permission refused;

    /** Lets nobody do anything, or everybody all. */
    public static void deny(boolean all) {
        denied = all;
    }

    /** Lets nobody have {@code permission}; {@code null} takes that back. */
    public static void deny(@Nullable Permission permission) {
        refused = permission;
    }

    /** Whether nobody may do anything. */
    public static boolean denies() {
        return denied;
    }

    /** Whether nobody has {@code permission}. */
    public static boolean denies(@Nullable Permission permission) {
        return denied || (permission != null && permission == refused);
    }

    /** Throws what an interrupted request ends with where nobody may do anything. */
    public static void check() {
        check(null);
    }

    /** The same where nobody has {@code permission}. */
    public static void check(@Nullable Permission permission) {
        if (denies(permission)) {
            throw new SecurityException("lacks the permission");
        }
    }

    public static ACLContext as2(@Nullable Authentication who) {
        return new ACLContext() {
            @Override
            public void close() {
                // nothing to take back
            }
        };
    }
}
