package hudson.model;

@SuppressWarnings({"rawtypes", "unchecked"}) // getParent() is raw in Jenkins
public abstract class AbstractItem extends Actionable implements Item {
    @Override
    public String getName() {
        throw new UnsupportedOperationException();
    }

    public final String getUrl() {
        throw new UnsupportedOperationException();
    }

    public java.io.File getRootDir() {
        throw new UnsupportedOperationException();
    }

    @Override
    public ItemGroup getParent() {
        throw new UnsupportedOperationException();
    }

    @Override
    public final String getFullName() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String getDisplayName() {
        throw new UnsupportedOperationException();
    }
}
