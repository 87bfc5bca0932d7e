package hudson.model;

import hudson.ExtensionPoint;
import hudson.security.Permission;

public abstract class ManagementLink implements ExtensionPoint, Action {
    @Override
    public abstract String getIconFileName();

    public String getDescription() {
        throw new UnsupportedOperationException();
    }

    public Permission getRequiredPermission() {
        throw new UnsupportedOperationException();
    }

    public Category getCategory() {
        throw new UnsupportedOperationException();
    }

    public enum Category {
        STATUS
    }
}
