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
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;

/** Stands in for Jenkins' own in tests: has a home, and nothing else. */
public class Jenkins implements ModelObject, ItemGroup<Item>, AccessControlled {
    public static final Permission ADMINISTER = new Permission(null, "Administer", null, null, null);

    public static final hudson.util.XStream2 XSTREAM2 = new hudson.util.XStream2();

    private static final java.util.List<Item> ITEMS = new java.util.concurrent.CopyOnWriteArrayList<>();

    private static volatile @Nullable File home;

    protected Jenkins() {}

    /** Lets {@code folder} be the home. */
    public static void live(File folder) {
        home = folder;
        ITEMS.clear();
    }

    public static Jenkins get() {
        return new Jenkins();
    }

    public static Authentication getAuthentication2() {
        return new TestingAuthenticationToken("ana", "");
    }

    /** No plugin is there. */
    public hudson.PluginManager getPluginManager() {
        return new hudson.PluginManager() {
            @Override
            public hudson.@Nullable PluginWrapper getPlugin(String shortName) {
                return null;
            }
        };
    }

    @Override
    public java.util.Collection<Item> getItems() {
        return ITEMS;
    }

    /** Lets a test have another item at the top. */
    public static void add(Item item) {
        ITEMS.add(item);
    }

    @Override
    public String getDisplayName() {
        return "Jenkins";
    }

    public @Nullable String getRootUrl() {
        return null;
    }

    public @Nullable File getRootDir() {
        return home;
    }

    public @Nullable ProxyConfiguration getProxy() {
        return null;
    }

    public String getLegacyInstanceId() {
        return "a test";
    }

    public <T extends Describable<T>, D extends Descriptor<T>> DescriptorExtensionList<T, D> getDescriptorList(
            Class<T> type) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String getFullName() {
        return "";
    }

    /** What a test has added, by its full name. */
    public @Nullable Item getItemByFullName(String fullName) {
        return ITEMS.stream()
                .filter(item -> item.getFullName().equals(fullName))
                .findFirst()
                .orElse(null);
    }
}
