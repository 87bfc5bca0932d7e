package hudson;

import hudson.model.Describable;
import hudson.model.Descriptor;

public class DescriptorExtensionList<T extends Describable<T>, D extends Descriptor<T>> extends ExtensionList<D> {
    protected DescriptorExtensionList() {}
}
