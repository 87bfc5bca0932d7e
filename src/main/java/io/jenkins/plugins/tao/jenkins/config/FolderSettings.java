package io.jenkins.plugins.tao.jenkins.config;

import hudson.ExtensionPoint;
import hudson.model.ItemGroup;
import java.util.List;
import java.util.Map;

/** What folders say of targets and jobs. The plugin for folders need not be there: then nobody says anything. */
public abstract class FolderSettings implements ExtensionPoint {
    /** The targets of {@code folder} itself. */
    public abstract List<TargetConfiguration> targets(ItemGroup<?> folder);

    /** What {@code folder} itself says of its jobs, by the names of parameters; blank ones are absent. */
    public abstract Map<String, String> defaults(ItemGroup<?> folder);

    /** All folders that have targets. */
    public abstract List<ItemGroup<?>> withTargets();
}
