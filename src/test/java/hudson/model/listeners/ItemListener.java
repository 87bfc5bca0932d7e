package hudson.model.listeners;

import hudson.ExtensionPoint;
import hudson.model.Item;

/** Stands in for Jenkins' own in tests: hears, and does nothing. */
public class ItemListener implements ExtensionPoint {
    public void onLoaded() {
        // nothing
    }

    public void onLocationChanged(Item item, String oldFullName, String newFullName) {
        // nothing
    }
}
