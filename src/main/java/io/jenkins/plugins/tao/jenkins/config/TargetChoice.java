package io.jenkins.plugins.tao.jenkins.config;

import hudson.model.Item;
import hudson.util.FormValidation;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.job.SpecFormat;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import jenkins.model.Jenkins;
import org.jspecify.annotations.Nullable;

/** What the forms of jobs offer and check. */
public final class TargetChoice {
    private TargetChoice() {}

    /** Whether there is any target. */
    public static boolean any() {
        return !TaoGlobalConfiguration.get().getTargets().isEmpty();
    }

    /** The names of all targets for whom may configure {@code item}; for others the current one alone. */
    public static ListBoxModel items(@Nullable Item item, @Nullable String current) {
        ListBoxModel model = new ListBoxModel();
        boolean allowed =
                item == null ? Jenkins.get().hasPermission(Jenkins.ADMINISTER) : item.hasPermission(Item.CONFIGURE);
        if (allowed) {
            TaoGlobalConfiguration.get().getTargets().forEach(target -> model.add(target.getName(), target.getName()));
        } else {
            FormText.text(current).ifPresent(name -> model.add(name, name));
        }
        return model;
    }

    /** What a spec may be written as. */
    public static ListBoxModel specFormats() {
        return Choices.of(SpecFormat.class);
    }

    /** What may become of a stalled job. */
    public static ListBoxModel stallActions() {
        return Choices.of(WatchPlan.OnStall.class);
    }

    /** What a pure reading of a text says of it. */
    public static FormValidation checked(Runnable reading) {
        return TargetDescriptor.checked(reading);
    }
}
