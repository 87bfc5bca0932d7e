package hudson.model;

public abstract class AbstractItem extends Actionable implements Item {
    @Override
    public String getName() {
        throw new UnsupportedOperationException();
    }

    public java.io.File getRootDir() {
        throw new UnsupportedOperationException();
    }

    public ItemGroup<? extends Item> getParent() {
        throw new UnsupportedOperationException();
    }

    public final String getFullName() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String getDisplayName() {
        throw new UnsupportedOperationException();
    }
}
