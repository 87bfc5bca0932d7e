package io.jenkins.plugins.tao.jenkins.config;

import hudson.security.Permission;
import hudson.security.PermissionGroup;
import hudson.security.PermissionScope;
import jenkins.model.Jenkins;

/** The permissions of this plugin, as authorization strategies list them. */
public final class TaoPermissions {
    private static final PermissionGroup GROUP =
            new PermissionGroup(TaoPermissions.class, Messages._Permissions_group());

    /** To let builds of an item use targets that ask for it. Whoever administers Jenkins has it. */
    public static final Permission USE =
            new Permission(GROUP, "Use", Messages._Permissions_use(), Jenkins.ADMINISTER, PermissionScope.ITEM);

    private TaoPermissions() {}
}
