package jenkins.model;

import hudson.DescriptorExtensionList;
import hudson.ProxyConfiguration;
import hudson.model.Describable;
import hudson.model.Descriptor;
import hudson.model.Item;
import hudson.model.ItemGroup;
import hudson.model.ModelObject;
import hudson.security.AccessControlled;
import hudson.security.Permission;
import java.io.File;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;

public class Jenkins implements ModelObject, ItemGroup<Item>, AccessControlled {
    public static final Permission ADMINISTER = null;

    public static final hudson.util.XStream2 XSTREAM2 = null;

    protected Jenkins() {}

    public static Jenkins get() throws IllegalStateException {
        throw new UnsupportedOperationException();
    }

    public static Authentication getAuthentication2() {
        throw new UnsupportedOperationException();
    }

    public hudson.PluginManager getPluginManager() {
        throw new UnsupportedOperationException();
    }

    @Override
    public java.util.Collection<Item> getItems() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String getDisplayName() {
        throw new UnsupportedOperationException();
    }

    public String getRootUrl() throws IllegalStateException {
        throw new UnsupportedOperationException();
    }

    public File getRootDir() {
        throw new UnsupportedOperationException();
    }

    public @Nullable ProxyConfiguration getProxy() {
        throw new UnsupportedOperationException();
    }

    public String getLegacyInstanceId() {
        throw new UnsupportedOperationException();
    }

    public <T extends Describable<T>, D extends Descriptor<T>> DescriptorExtensionList<T, D> getDescriptorList(
            Class<T> type) {
        throw new UnsupportedOperationException();
    }

    public @Nullable Item getItemByFullName(String fullName) {
        throw new UnsupportedOperationException();
    }

    @SuppressWarnings("TypeParameterUnusedInFormals")
    public <T extends Item> List<T> getAllItems(Class<T> type) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String getFullName() {
        throw new UnsupportedOperationException();
    }
}
