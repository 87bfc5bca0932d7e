package io.jenkins.plugins.tao.job;

import java.util.function.Supplier;
import lombok.AccessLevel;
import lombok.RequiredArgsConstructor;

/**
 * Where a secret is kept that only some jobs need: nothing is looked up before {@link #read}, and each reading looks
 * anew. Two that name the same place are equal.
 */
@RequiredArgsConstructor(access = AccessLevel.PRIVATE)
public final class SecretSource {
    private final Object place;
    private final Supplier<Secret> lookUp;

    /**
     * A secret that is looked up.
     *
     * @param place what tells it from all others, by {@code equals}; nothing secret
     * @param lookUp fails with {@link IllegalArgumentException} where there is none
     */
    public static SecretSource of(Object place, Supplier<Secret> lookUp) {
        return new SecretSource(place, lookUp);
    }

    /** A secret that is at hand. */
    public static SecretSource known(Secret value) {
        return new SecretSource(value, () -> value);
    }

    /**
     * The secret, looked up now.
     *
     * @throws IllegalArgumentException if there is none; the message names the place
     */
    public Secret read() {
        return lookUp.get();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SecretSource source && source.place.equals(place);
    }

    @Override
    public int hashCode() {
        return place.hashCode();
    }

    @Override
    public String toString() {
        return "***";
    }
}
