package hudson.model.listeners;

import hudson.ExtensionPoint;
import hudson.model.Item;

public class ItemListener implements ExtensionPoint {
    public void onLoaded() {
        throw new UnsupportedOperationException();
    }

    public void onLocationChanged(Item item, String oldFullName, String newFullName) {
        throw new UnsupportedOperationException();
    }
}
