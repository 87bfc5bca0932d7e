package hudson.model.listeners;

import hudson.ExtensionPoint;

public class ItemListener implements ExtensionPoint {
    public void onLoaded() {
        throw new UnsupportedOperationException();
    }
}
