package io.jenkins.plugins.tao.jenkins.config;

import hudson.model.Item;
import hudson.model.Queue;
import hudson.model.queue.Tasks;
import hudson.security.ACL;
import hudson.util.ListBoxModel;
import jenkins.model.Jenkins;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;

/** What the forms of jobs offer and check. */
public final class TargetChoice {
    private TargetChoice() {}

    /** Whether there is any target in reach of {@code item}. */
    public static boolean any(@Nullable Item item) {
        return !Targets.of(item).usable(identity(item)).isEmpty();
    }

    /**
     * The targets that builds of {@code item} may use, for whom may configure it; for others the current one alone. One that is
     * chosen already stays, with a word if it may not be used: saving a form changes nothing that was not touched.
     */
    public static ListBoxModel items(@Nullable Item item, @Nullable String current) {
        ListBoxModel model = new ListBoxModel();
        if (mayConfigure(item)) {
            String standard = item == null ? "" : JobDefaults.of(item).or("target", "");
            if (!standard.isEmpty()) {
                model.add(Messages.Choices_ofFolder(standard), "");
            }
            addUsable(model, item);
            if (standard.isEmpty()) {
                model.add(Messages.Choices_ofFile(), "");
            }
        }
        FormText.text(current)
                .filter(name -> model.stream().noneMatch(option -> option.value.equals(name)))
                .ifPresent(name -> model.add(mayConfigure(item) ? Messages.Choices_notHere(name) : name, name));
        return model;
    }

    /** The same for the default of a folder, which may be none. */
    public static ListBoxModel defaults(@Nullable Item folder, @Nullable String current) {
        ListBoxModel model = new ListBoxModel();
        model.add(Messages.Choices_none(), "");
        if (mayConfigure(folder)) {
            addUsable(model, folder);
        }
        FormText.text(current)
                .filter(name -> model.stream().noneMatch(option -> option.value.equals(name)))
                .ifPresent(name -> model.add(name, name));
        return model;
    }

    private static boolean mayConfigure(@Nullable Item item) {
        return item == null ? Jenkins.get().hasPermission(Jenkins.ADMINISTER) : item.hasPermission(Item.CONFIGURE);
    }

    private static void addUsable(ListBoxModel model, @Nullable Item item) {
        Targets.of(item).usable(identity(item)).forEach(target -> model.add(target.getName(), target.getName()));
    }

    /** As whom builds of {@code item} run, as far as that is known before there is one. */
    private static @Nullable Authentication identity(@Nullable Item item) {
        return item instanceof Queue.Task task ? Tasks.getAuthenticationOf2(task) : ACL.SYSTEM2;
    }
}
