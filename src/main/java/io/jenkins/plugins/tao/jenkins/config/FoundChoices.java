package io.jenkins.plugins.tao.jenkins.config;

import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Discovery;
import io.jenkins.plugins.tao.backend.Target;
import java.util.stream.Collectors;
import jenkins.model.Jenkins;

/**
 * What a drop-down offers that a target itself must be asked for. Only an administrator's form asks, for the question
 * uses a credential; without an answer the value that is there stays, and the reason stands beside it.
 */
final class FoundChoices {
    private FoundChoices() {}

    static ListBoxModel of(TargetConfiguration form, String field, String current) {
        ListBoxModel model = new ListBoxModel();
        model.add(Messages.Choices_default(), "");
        String kept = FormText.kept(current);
        if (Jenkins.get().hasPermission(Jenkins.ADMINISTER)) {
            ask(form, field, model);
        }
        if (model.stream().noneMatch(option -> option.value.equals(kept))) {
            model.add(kept, kept);
        }
        return model;
    }

    private static void ask(TargetConfiguration form, String field, ListBoxModel model) {
        try {
            Target target = form.toTarget(CredentialStore.ofJenkins());
            if (BackendTypes.load().of(target) instanceof Discovery discovery) {
                discovery.discover(target, field).forEach(found -> model.add(words(found), found.value()));
            }
        } catch (IllegalArgumentException | BackendException e) {
            model.add(Messages.Choices_unanswered(String.valueOf(e.getMessage())), "");
        }
    }

    private static String words(Discovery.Found found) {
        String facts = found.facts().entrySet().stream()
                .map(fact -> fact.getKey() + " " + fact.getValue())
                .collect(Collectors.joining(", "));
        return facts.isEmpty() ? found.value() : found.value() + " (" + facts + ")";
    }
}
