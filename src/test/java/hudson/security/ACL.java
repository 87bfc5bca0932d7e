package hudson.security;

import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;

/** Stands in for Jenkins' own in tests: everybody may do all, until a test says otherwise. */
public abstract class ACL {
    public static final @Nullable Authentication SYSTEM2 = null;

    private static volatile boolean denied;

    /** Lets nobody do anything, or everybody all. */
    public static void deny(boolean all) {
        denied = all;
    }

    /** Whether nobody may do anything. */
    public static boolean denies() {
        return denied;
    }

    /** Throws what an interrupted request ends with where nobody may do anything. */
    public static void check() {
        if (denied) {
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
