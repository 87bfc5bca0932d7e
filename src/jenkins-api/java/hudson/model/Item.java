package hudson.model;

import hudson.security.AccessControlled;
import hudson.security.Permission;

public interface Item extends ModelObject, AccessControlled {
    Permission CONFIGURE = null;

    Permission EXTENDED_READ = null;
}
