package com.cloudbees.hudson.plugins.folder;

import hudson.model.AbstractDescribableImpl;
import hudson.model.Descriptor;
import net.sf.json.JSONObject;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.StaplerRequest2;

public abstract class AbstractFolderProperty<C extends AbstractFolder<?>>
        extends AbstractDescribableImpl<AbstractFolderProperty<?>> {
    public AbstractFolderProperty<?> reconfigure(StaplerRequest2 req, @Nullable JSONObject form)
            throws Descriptor.FormException {
        throw new UnsupportedOperationException();
    }

    public C getOwner() {
        throw new UnsupportedOperationException();
    }
}
