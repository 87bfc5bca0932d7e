package com.cloudbees.hudson.plugins.folder;

import hudson.model.AbstractItem;
import hudson.model.ItemGroup;
import hudson.model.TopLevelItem;
import hudson.util.DescribableList;

@SuppressWarnings("unchecked") // getParent() is raw in Jenkins
public abstract class AbstractFolder<I extends TopLevelItem> extends AbstractItem
        implements TopLevelItem, ItemGroup<I> {
    public DescribableList<AbstractFolderProperty<?>, AbstractFolderPropertyDescriptor> getProperties() {
        throw new UnsupportedOperationException();
    }
}
