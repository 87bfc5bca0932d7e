package hudson.model;

public abstract class AbstractDescribableImpl<T extends AbstractDescribableImpl<T>> implements Describable<T> {
    @Override
    public Descriptor<T> getDescriptor() {
        throw new UnsupportedOperationException();
    }
}
