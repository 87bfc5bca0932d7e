package hudson.model;

import hudson.security.AccessControlled;
import hudson.security.Permission;

public interface Item extends ModelObject, AccessControlled {
    String getName();

    Permission CONFIGURE = null;

    Permission CANCEL = null;

    Permission EXTENDED_READ = null;
}
