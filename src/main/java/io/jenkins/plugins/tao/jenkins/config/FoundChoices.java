package io.jenkins.plugins.tao.jenkins.config;

import hudson.model.Computer;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Discovery;
import io.jenkins.plugins.tao.backend.Target;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import jenkins.model.Jenkins;

/**
 * What a drop-down offers that a target itself must be asked for. Only an administrator's form asks, for the question
 * uses a credential; without an answer the value that is there stays, and the reason stands beside it.
 */
final class FoundChoices {
    private static final BriefQuestions<List<Discovery.Found>> QUESTIONS =
            new BriefQuestions<>(Computer.threadPoolForRemoting, Duration.ofSeconds(2));

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
            Optional<List<Discovery.Found>> found =
                    QUESTIONS.ask(List.of(target, field), () -> discovered(target, field));
            found.ifPresentOrElse(
                    values -> values.forEach(value -> model.add(words(value), value.value())),
                    () -> model.add(Messages.Choices_asking(), ""));
        } catch (IllegalArgumentException e) {
            model.add(Messages.Choices_unanswered(String.valueOf(e.getMessage())), "");
        } catch (ExecutionException e) {
            model.add(
                    Messages.Choices_unanswered(Optional.ofNullable(e.getCause())
                            .map(Throwable::getMessage)
                            .orElse("")),
                    "");
        }
    }

    private static List<Discovery.Found> discovered(Target target, String field) throws BackendException {
        return BackendTypes.load().of(target) instanceof Discovery discovery
                ? List.copyOf(discovery.discover(target, field))
                : List.of();
    }

    private static String words(Discovery.Found found) {
        String facts = found.facts().entrySet().stream()
                .map(fact -> fact.getKey() + " " + fact.getValue())
                .collect(Collectors.joining(", "));
        return facts.isEmpty() ? found.value() : found.value() + " (" + facts + ")";
    }
}
