package io.jenkins.plugins.tao.jenkins.folder;

import com.cloudbees.hudson.plugins.folder.AbstractFolder;
import hudson.Extension;
import hudson.model.ItemGroup;
import io.jenkins.plugins.tao.jenkins.config.FolderSettings;
import io.jenkins.plugins.tao.jenkins.config.TargetConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import jenkins.model.Jenkins;

/** Reads what folders say from their {@link TaoFolderProperty}. */
@Extension(optional = true)
public final class FolderProperties extends FolderSettings {
    private static Optional<TaoFolderProperty> of(ItemGroup<?> group) {
        return group instanceof AbstractFolder<?> folder
                ? Optional.ofNullable(folder.getProperties().get(TaoFolderProperty.class))
                : Optional.empty();
    }

    @Override
    public List<TargetConfiguration> targets(ItemGroup<?> folder) {
        return of(folder)
                .map(property -> property.targets("the folder '" + folder.getFullName() + "'"))
                .orElse(List.of());
    }

    @Override
    public Map<String, String> defaults(ItemGroup<?> folder) {
        return of(folder).map(TaoFolderProperty::defaults).orElse(Map.of());
    }

    @Override
    @SuppressWarnings("rawtypes") // there is no class of AbstractFolder<?>
    public List<ItemGroup<?>> withTargets() {
        List<ItemGroup<?>> found = new ArrayList<>();
        for (AbstractFolder folder : Jenkins.get().getAllItems(AbstractFolder.class)) {
            ItemGroup<?> group = folder;
            if (!targets(group).isEmpty()) {
                found.add(group);
            }
        }
        return found;
    }
}
