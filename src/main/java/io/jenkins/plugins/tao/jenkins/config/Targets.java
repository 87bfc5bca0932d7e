package io.jenkins.plugins.tao.jenkins.config;

import hudson.ExtensionList;
import hudson.model.Item;
import hudson.model.ItemGroup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import jenkins.model.Jenkins;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;

/**
 * The targets in reach of an item: those of its folders, the nearest first, and those of Jenkins itself. A nearer one takes the
 * place of one of the same name. Which of them its builds may use is another question.
 */
public final class Targets {
    private final @Nullable Item item;

    private Targets(@Nullable Item item) {
        this.item = item;
    }

    /** Those in reach of {@code item}; of Jenkins itself where there is none. */
    public static Targets of(@Nullable Item item) {
        return new Targets(item);
    }

    /**
     * Those in reach of a build, which may be gone, and so may its job: then those of the nearest folder that is there.
     *
     * @param build its id, as {@code folder/job#12}
     */
    public static Targets ofBuild(String build) {
        String name = build.substring(0, Math.max(0, build.lastIndexOf('#')));
        while (!name.isEmpty()) {
            Item found = Jenkins.get().getItemByFullName(name);
            if (found != null) {
                return of(found);
            }
            name = name.substring(0, Math.max(0, name.lastIndexOf('/')));
        }
        return of(null);
    }

    /** The folders of {@code item}, itself included, the nearest first. */
    static List<ItemGroup<?>> folders(@Nullable Item item) {
        List<ItemGroup<?>> folders = new ArrayList<>();
        if (item instanceof ItemGroup<?> itself) {
            folders.add(itself);
        }
        ItemGroup<?> above = item == null ? null : item.getParent();
        while (above instanceof Item folder) {
            folders.add(above);
            above = folder.getParent();
        }
        return folders;
    }

    private List<TargetConfiguration> inReach() {
        Map<String, TargetConfiguration> targets = new LinkedHashMap<>();
        for (ItemGroup<?> folder : folders(item)) {
            ExtensionList.lookup(FolderSettings.class)
                    .forEach(settings ->
                            settings.targets(folder).forEach(target -> targets.putIfAbsent(target.getName(), target)));
        }
        TaoGlobalConfiguration.get().getTargets().forEach(target -> targets.putIfAbsent(target.getName(), target));
        return List.copyOf(targets.values());
    }

    /** Whether a target of this name is in reach. */
    public boolean has(String name) {
        return inReach().stream().anyMatch(target -> target.getName().equals(name));
    }

    /**
     * The target that jobs call {@code name}, whoever may use it: for a job that it has already.
     *
     * @throws IllegalArgumentException with the names there are
     */
    public TargetConfiguration named(String name) {
        return inReach().stream()
                .filter(target -> target.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(missing(name)));
    }

    private String missing(String name) {
        List<TargetConfiguration> all = inReach();
        String there = all.isEmpty() ? "None is" : names(all) + (all.size() == 1 ? " is" : " are");
        String what = name.isEmpty()
                ? "No target is named, and no folder has a default one. "
                : "There is no TAO target '" + name + "'. ";
        return what + there + " configured in Manage Jenkins, System, TAO jobs"
                + (folders(item).isEmpty() ? "." : ", or in a folder of " + place() + ".");
    }

    /**
     * The target that jobs call {@code name}, for builds that run as {@code who}.
     *
     * @throws IllegalArgumentException if there is none, or these builds may not use it
     */
    public TargetConfiguration usable(String name, @Nullable Authentication who) {
        TargetConfiguration target = named(name);
        refusal(target, who).ifPresent(why -> {
            List<TargetConfiguration> others = usable(who);
            String use = others.size() == 1 ? " Or use " : " Or use one of: ";
            throw new IllegalArgumentException(others.isEmpty() ? why : why + use + names(others) + ".");
        });
        return target;
    }

    /** All that builds that run as {@code who} may use. */
    public List<TargetConfiguration> usable(@Nullable Authentication who) {
        return inReach().stream()
                .filter(target -> refusal(target, who).isEmpty())
                .toList();
    }

    private Optional<String> refusal(TargetConfiguration target, @Nullable Authentication who) {
        Item user = item;
        if (user == null) {
            return Optional.empty();
        }
        if (!FolderPatterns.parse(target.getFolders()).hold(user.getFullName())) {
            return Optional.of("Builds of '" + place() + "' may not use the target '" + target.getName()
                    + "': it is for " + String.join(", ", FormText.list(target.getFolders()))
                    + " alone. Ask an administrator to add the folder to the target.");
        }
        if (target.isPermitted() && !user.hasPermission2(who, TaoPermissions.USE)) {
            return Optional.of("The target '" + target.getName() + "' asks for the permission TAO/Use on '" + place()
                    + "', which " + (who == null ? "the anonymous user" : "'" + who.getName() + "'")
                    + ", as whom this build runs, does not have. Ask an administrator for it.");
        }
        return Optional.empty();
    }

    private String place() {
        return item == null ? "Jenkins" : item.getFullName();
    }

    private static String names(List<TargetConfiguration> targets) {
        return targets.stream().map(TargetConfiguration::getName).collect(Collectors.joining(", "));
    }

    /** Each target of this controller with where it is configured, those of Jenkins itself first. */
    public static List<Place> everywhere() {
        List<Place> all = new ArrayList<>();
        TaoGlobalConfiguration.get().getTargets().forEach(target -> all.add(new Place(Jenkins.get(), target)));
        for (FolderSettings settings : ExtensionList.lookup(FolderSettings.class)) {
            for (ItemGroup<?> folder : settings.withTargets()) {
                settings.targets(folder).forEach(target -> all.add(new Place(folder, target)));
            }
        }
        return all;
    }

    /**
     * A target and where it is configured.
     *
     * @param folder Jenkins itself, or a folder
     */
    public record Place(ItemGroup<?> folder, TargetConfiguration target) {
        /** What administrators call it: with the path of its folder. */
        public String label() {
            String path = folder.getFullName();
            return path.isEmpty() ? target.getName() : path + "/" + target.getName();
        }

        /** The credentials in its reach. */
        public CredentialStore credentials() {
            return CredentialStore.in(folder);
        }
    }
}
