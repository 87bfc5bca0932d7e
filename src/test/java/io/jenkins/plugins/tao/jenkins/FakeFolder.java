package io.jenkins.plugins.tao.jenkins;

import hudson.model.AbstractItem;
import hudson.model.Item;
import hudson.model.ItemGroup;
import io.jenkins.plugins.tao.jenkins.config.FolderSettings;
import io.jenkins.plugins.tao.jenkins.config.TargetConfiguration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A folder of a {@link FakeJenkins}. */
public final class FakeFolder extends AbstractItem implements ItemGroup<Item> {
    private final String name;
    private final Optional<FakeFolder> above;

    private FakeFolder(String name, Optional<FakeFolder> above) {
        this.name = name;
        this.above = above;
    }

    /** One at the top. */
    public static FakeFolder of(String fullName) {
        return new FakeFolder(fullName, Optional.empty());
    }

    /** One in this one. */
    public FakeFolder with(String fullName) {
        return new FakeFolder(fullName, Optional.of(this));
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public ItemGroup<? extends Item> getParent() {
        return above.isPresent() ? above.get() : super.getParent();
    }

    @Override
    public Collection<Item> getItems() {
        return List.of();
    }

    /** What folders say, as a test enters it. */
    public static final class Settings extends FolderSettings {
        private final Map<ItemGroup<?>, List<TargetConfiguration>> targets = new HashMap<>();
        private final Map<ItemGroup<?>, Map<String, String>> defaults = new HashMap<>();

        /** Lets {@code folder} have targets. */
        public void enter(FakeFolder folder, TargetConfiguration... own) {
            targets.put(folder, List.of(own));
        }

        /** Lets {@code folder} have defaults. */
        public void enter(FakeFolder folder, Map<String, String> own) {
            defaults.put(folder, own);
        }

        @Override
        public List<TargetConfiguration> targets(ItemGroup<?> folder) {
            return targets.getOrDefault(folder, List.of());
        }

        @Override
        public Map<String, String> defaults(ItemGroup<?> folder) {
            return defaults.getOrDefault(folder, Map.of());
        }

        @Override
        public List<ItemGroup<?>> withTargets() {
            return List.copyOf(targets.keySet());
        }
    }
}
