package hudson.model.listeners;

import hudson.ExtensionPoint;
import hudson.XmlFile;
import hudson.model.Saveable;

public abstract class SaveableListener implements ExtensionPoint {
    protected SaveableListener() {}

    public void onChange(Saveable o, XmlFile file) {
        throw new UnsupportedOperationException();
    }
}
