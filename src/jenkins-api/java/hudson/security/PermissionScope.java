package hudson.security;

public final class PermissionScope {
    public static final PermissionScope ITEM = null;

    private PermissionScope() {}
}
