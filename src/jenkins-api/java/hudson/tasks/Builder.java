package hudson.tasks;

import hudson.ExtensionPoint;
import hudson.model.Describable;
import hudson.model.Descriptor;

public abstract class Builder extends BuildStepCompatibilityLayer implements Describable<Builder>, ExtensionPoint {
    @Override
    public Descriptor<Builder> getDescriptor() {
        throw new UnsupportedOperationException();
    }
}
