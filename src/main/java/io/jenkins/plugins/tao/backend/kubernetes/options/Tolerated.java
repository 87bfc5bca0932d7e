package io.jenkins.plugins.tao.backend.kubernetes.options;

import static io.jenkins.plugins.tao.job.Require.require;

import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A taint that the pods bear, as text: {@code key=value:Effect}, {@code key:Effect} for any value, {@code key} for any
 * effect, {@code *} for every taint.
 *
 * @param key the taint's key; empty for every taint
 * @param value the taint's value; empty for any
 * @param effect the taint's effect; empty for any
 */
public record Tolerated(Optional<String> key, Optional<String> value, Optional<String> effect) {
    private static final Set<String> EFFECTS = Set.of("NoSchedule", "PreferNoSchedule", "NoExecute");

    public static Tolerated parse(String text) {
        String plain = text.strip();
        if (plain.equals("*")) {
            return new Tolerated(Optional.empty(), Optional.empty(), Optional.empty());
        }
        int colon = plain.lastIndexOf(':');
        Optional<String> effect = colon < 0 ? Optional.empty() : Optional.of(plain.substring(colon + 1));
        String rest = colon < 0 ? plain : plain.substring(0, colon);
        int equals = rest.indexOf('=');
        String key = equals < 0 ? rest : rest.substring(0, equals);
        Optional<String> value = equals < 0 ? Optional.empty() : Optional.of(rest.substring(equals + 1));
        KubernetesWords.labelKey("tolerations", key);
        value.ifPresent(
                word -> require(KubernetesWords.isLabelValue(word), "tolerations: '%s' is no value of a taint", word));
        effect.ifPresent(word -> require(
                EFFECTS.contains(word),
                "tolerations: the effect of '%s' must be NoSchedule, PreferNoSchedule or NoExecute",
                plain));
        return new Tolerated(Optional.of(key), value, effect);
    }

    public Toleration toleration() {
        TolerationBuilder toleration = new TolerationBuilder().withOperator(value.isPresent() ? "Equal" : "Exists");
        key.ifPresent(toleration::withKey);
        value.ifPresent(toleration::withValue);
        effect.ifPresent(toleration::withEffect);
        return toleration.build();
    }

    /** Whether a pod that bears this may run on a node that has {@code taint}. */
    public boolean bears(Taint taint) {
        return (key.isEmpty() || key.get().equals(taint.getKey()))
                && (value.isEmpty() || value.get().equals(Objects.requireNonNullElse(taint.getValue(), "")))
                && (effect.isEmpty() || effect.get().equals(taint.getEffect()));
    }
}
