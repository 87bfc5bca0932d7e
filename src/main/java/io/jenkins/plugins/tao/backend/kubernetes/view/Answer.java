package io.jenkins.plugins.tao.backend.kubernetes.view;

import io.jenkins.plugins.tao.backend.BackendException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What came of asking for a list. A list that was refused or did not come is never an empty one. Pure. */
public sealed interface Answer<T> {
    /** The server listed these, maybe none. */
    record Listed<T>(List<T> items) implements Answer<T> {
        public Listed {
            items = List.copyOf(items);
        }
    }

    /** The account may not list them (403). */
    record Refused<T>(BackendException why) implements Answer<T> {}

    /** The server does not serve this resource, or no answer came, or only a part of one. */
    record Unknown<T>(BackendException why) implements Answer<T> {}

    /** The answer that holds {@code items}. */
    static <T> Answer<T> of(List<T> items) {
        return new Listed<>(items);
    }

    /** The items, when the server listed them. */
    default Optional<List<T>> listed() {
        return this instanceof Listed<T> answer ? Optional.of(answer.items()) : Optional.empty();
    }

    /** The items for readers that only add words to what is known without: none where there is no answer. */
    default List<T> orNone() {
        return listed().orElse(List.of());
    }

    /** Why there is no list. */
    default Optional<BackendException> gap() {
        if (this instanceof Refused<T> refused) {
            return Optional.of(refused.why());
        }
        return this instanceof Unknown<T> unknown ? Optional.of(unknown.why()) : Optional.empty();
    }

    /** The same about what {@code reader} makes of the items. */
    default <R> Answer<R> map(Function<List<T>, List<R>> reader) {
        if (this instanceof Refused<T> refused) {
            return new Refused<>(refused.why());
        }
        return this instanceof Unknown<T> unknown
                ? new Unknown<>(unknown.why())
                : new Listed<>(reader.apply(((Listed<T>) this).items()));
    }
}
