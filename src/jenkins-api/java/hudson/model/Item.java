package hudson.model;

import hudson.security.AccessControlled;
import hudson.security.Permission;

public interface Item extends ModelObject, AccessControlled {
    ItemGroup<? extends Item> getParent();

    String getName();

    String getFullName();

    Permission CONFIGURE = null;

    Permission CANCEL = null;

    Permission BUILD = null;

    Permission EXTENDED_READ = null;
}
