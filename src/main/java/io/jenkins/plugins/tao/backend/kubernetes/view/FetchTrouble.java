package io.jenkins.plugins.tao.backend.kubernetes.view;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Why a pod that is to read a volume does not. Pure. */
public final class FetchTrouble {
    /** What waiting does not mend. A first failure to pull has another name, and may pass. */
    private static final Set<String> FINAL = Set.of(
            "ImagePullBackOff",
            "InvalidImageName",
            "ErrImageNeverPull",
            "CreateContainerConfigError",
            "CreateContainerError",
            "RunContainerError");

    private FetchTrouble() {}

    /** Why it will never run, or has ended by a fault. */
    public static Optional<String> of(Pod pod) {
        PodView view = new PodView(pod);
        Optional<String> stuck = view.waiting()
                .filter(state -> state.getReason() != null && FINAL.contains(state.getReason()))
                .map(state -> "cannot start: " + state.getReason() + ": "
                        + Objects.requireNonNullElse(state.getMessage(), "").strip() + ".");
        boolean ended = view.phase().equals("Failed")
                || (view.isOver() && view.terminated().isEmpty());
        return stuck.or(() -> ended ? Optional.of("ended before it was done: " + end(view) + ".") : Optional.empty());
    }

    private static String end(PodView view) {
        String words = (view.reason() + " " + view.message()).strip();
        return words.isEmpty()
                ? view.terminated()
                        .map(state -> "exit code " + state.getExitCode()
                                + Optional.ofNullable(state.getMessage())
                                        .map(text -> ": " + text.strip())
                                        .orElse(""))
                        .orElse(view.phase())
                : words;
    }

    /** What it waits for, in the cluster's words. */
    public static String waiting(Pod pod) {
        PodView view = new PodView(pod);
        Optional<String> container = view.waiting()
                .map(state -> Objects.requireNonNullElse(state.getReason(), "") + " "
                        + Objects.requireNonNullElse(state.getMessage(), ""));
        Optional<String> scheduler = pod.getStatus() == null
                ? Optional.empty()
                : pod.getStatus().getConditions().stream()
                        .filter(each -> "PodScheduled".equals(each.getType()) && "False".equals(each.getStatus()))
                        .map(PodCondition::getMessage)
                        .filter(Objects::nonNull)
                        .findFirst();
        return container
                        .or(() -> scheduler)
                        .orElse("the cluster does not say what it waits for")
                        .strip() + ".";
    }
}
