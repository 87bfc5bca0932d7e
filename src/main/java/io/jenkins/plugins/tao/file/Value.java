package io.jenkins.plugins.tao.file;

import io.jenkins.plugins.tao.job.text.Suggestions;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A piece of configuration that knows where a person wrote it: {@code job.yaml:3:5}, or a variable's name. */
public sealed interface Value {
    /** Where it was written. */
    String where();

    /** What kind of thing it is, in words for a message. */
    String kind();

    /** A single value; a {@code quoted} one is text whatever it looks like. */
    record Text(String where, String text, boolean quoted) implements Value {
        @Override
        public String kind() {
            return "a single value"; // not the value itself: it may be a secret in the wrong place
        }
    }

    /** A key without a value, or with {@code null}. */
    record Nothing(String where) implements Value {
        @Override
        public String kind() {
            return "nothing";
        }
    }

    /** A list. */
    record Items(String where, List<Value> values) implements Value {
        public Items {
            values = List.copyOf(values);
        }

        @Override
        public String kind() {
            return "a list";
        }
    }

    /** Keys with values, each key once, in the order written. */
    record Keyed(String where, Map<String, Entry> entries) implements Value {
        /** What a message quotes, and the key that it may begin with. */
        private static final Pattern WORD = Pattern.compile("'[^']+'|^\\w+");

        public Keyed {
            entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
        }

        @Override
        public String kind() {
            return "a mapping";
        }

        /** The value of {@code key}; a key without a value counts as absent. */
        public Optional<Value> get(String key) {
            Entry entry = entries.get(key);
            return entry == null || entry.value() instanceof Nothing ? Optional.empty() : Optional.of(entry.value());
        }

        /**
         * The same.
         *
         * @throws FileMistake for a key that is not one of {@code known}
         */
        public Keyed checked(Collection<String> known) {
            entries.forEach((key, entry) -> {
                if (!known.contains(key)) {
                    throw new FileMistake(
                            entry.where() + ": unknown key '" + key + "'. " + Suggestions.advice(key, known, "keys"));
                }
            });
            return this;
        }

        /**
         * The same with {@code value} at {@code path}: keys from the outside in, made where they are missing.
         *
         * @throws FileMistake if a key on the way holds something that has no keys
         */
        public Keyed with(List<String> path, Value value) {
            String key = path.get(0);
            Map<String, Entry> all = new LinkedHashMap<>(entries);
            if (path.size() == 1) {
                all.put(key, new Entry(value.where(), value));
                return new Keyed(where, all);
            }
            Value inner = get(key).orElseGet(() -> new Keyed(value.where(), Map.of()));
            if (!(inner instanceof Keyed keyed)) {
                throw new FileMistake(value.where() + ": '" + key + "' holds " + inner.kind() + " at " + inner.where()
                        + ", which has no '" + path.get(1) + "' to replace.");
            }
            Keyed changed = keyed.with(path.subList(1, path.size()), value);
            all.put(key, new Entry(all.containsKey(key) ? inner.where() : value.where(), changed));
            return new Keyed(where, all);
        }

        /**
         * What {@code reading} makes of it.
         *
         * @throws FileMistake for what it refuses, with the place of that
         */
        public <T> T read(Supplier<T> reading) {
            try {
                return reading.get();
            } catch (FileMistake e) {
                throw e;
            } catch (IllegalArgumentException e) {
                throw new FileMistake(placeOf(String.valueOf(e.getMessage())) + ": " + e.getMessage() + ".", e);
            }
        }

        /**
         * Where what {@code message} is about stands: the value that it quotes, first below the key that it begins with, as {@code inputs}
         * for {@code input 'a'}; else the key that it names first, else all of this.
         */
        public String placeOf(String message) {
            List<String> words = WORD.matcher(message)
                    .results()
                    .map(found -> found.group().replace("'", ""))
                    .toList();
            Stream<Value> about = words.stream()
                    .limit(1)
                    .flatMap(word -> Stream.of(word, word + "s"))
                    .flatMap(key -> get(key).stream());
            Stream<Value> quoted = Stream.concat(about, Stream.of(this))
                    .flatMap(whole -> words.stream()
                            .flatMap(word -> Stream.concat(Stream.of(Map.entry("", whole)), within(whole))
                                    .map(Map.Entry::getValue)
                                    .filter(value -> value instanceof Text text
                                            && text.text().equals(word))));
            Stream<Value> named = words.stream()
                    .flatMap(word -> within(this)
                            .filter(each -> each.getKey().equals(word))
                            .map(Map.Entry::getValue)
                            .filter(value -> !(value instanceof Nothing)));
            return Stream.concat(quoted, named).findFirst().map(Value::where).orElse(where);
        }

        /** The same without {@code key}. */
        public Keyed without(String key) {
            Map<String, Entry> rest = new LinkedHashMap<>(entries);
            rest.remove(key);
            return new Keyed(where, rest);
        }
    }

    /** All values within {@code value} with their keys, which are empty for those of a list. */
    private static Stream<Map.Entry<String, Value>> within(Value value) {
        Stream<Map.Entry<String, Value>> direct = value instanceof Keyed keyed
                ? keyed.entries().entrySet().stream()
                        .map(each -> Map.entry(each.getKey(), each.getValue().value()))
                : value instanceof Items items ? items.values().stream().map(item -> Map.entry("", item)) : Stream.of();
        return direct.flatMap(each -> Stream.concat(Stream.of(each), within(each.getValue())));
    }

    /** One key: where it stands, and its value. */
    record Entry(String where, Value value) {}
}
