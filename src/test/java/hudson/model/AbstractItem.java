package hudson.model;

import java.io.File;

/** Stands in for Jenkins' own in tests: an item at the top. */
public abstract class AbstractItem extends Actionable implements Item {
    @Override
    public String getName() {
        throw new UnsupportedOperationException();
    }

    @Override
    public ItemGroup<? extends Item> getParent() {
        return jenkins.model.Jenkins.get();
    }

    /** Its path: a test names it so. */
    @Override
    public final String getFullName() {
        return getName();
    }

    public final String getUrl() {
        return "job/" + getName() + "/";
    }

    public File getRootDir() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String getDisplayName() {
        return getName();
    }
}
