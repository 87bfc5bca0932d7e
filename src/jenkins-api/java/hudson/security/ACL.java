package hudson.security;

import org.springframework.security.core.Authentication;

public abstract class ACL {
    public static final Authentication SYSTEM2 = null;

    public static ACLContext as2(Authentication auth) {
        throw new UnsupportedOperationException();
    }
}
