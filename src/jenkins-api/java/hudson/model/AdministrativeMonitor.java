package hudson.model;

import hudson.ExtensionPoint;

public abstract class AdministrativeMonitor implements ExtensionPoint, ModelObject {
    public final String id = "";

    protected AdministrativeMonitor() {}

    @Override
    public String getDisplayName() {
        throw new UnsupportedOperationException();
    }

    public abstract boolean isActivated();
}
