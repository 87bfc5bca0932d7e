package io.jenkins.plugins.tao.file;

import io.jenkins.plugins.tao.bind.BindException;
import io.jenkins.plugins.tao.bind.RecordBinder;
import io.jenkins.plugins.tao.bind.Unquoted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes records of what files say; a wrong value is reported with its place.
 *
 * @param records with types that only one door reads, such as paths of a terminal
 */
public record FileReader(RecordBinder records) {
    /** For records that mean the same for each door. */
    public FileReader() {
        this(new RecordBinder(Map.of()));
    }

    /**
     * Makes a {@code record} of {@code section}.
     *
     * @param given components that are not read from the section, by name
     * @param usual values in place of those of the section, by key
     * @throws FileMistake if a key is unknown or missing, or a value is wrong
     */
    public <R> R bind(Value.Keyed section, Class<R> record, Map<String, ?> given, Map<String, ?> usual) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        section.entries()
                .forEach((key, entry) ->
                        fields.put(key, staysAsWritten(record, key) ? written(entry.value()) : plain(entry.value())));
        fields.putAll(usual);
        try {
            return records.bind(fields, given, record);
        } catch (BindException e) {
            throw new FileMistake(place(section, e) + ": " + e.inFile(), e);
        }
    }

    /** Makes a {@code record} of the keys of {@code section} that it knows. */
    <R> R bindPart(Value.Keyed section, Class<R> record) {
        Map<String, Value.Entry> own = new LinkedHashMap<>(section.entries());
        own.keySet().retainAll(keys(record));
        return bind(new Value.Keyed(section.where(), own), record);
    }

    /** Makes a {@code record} of {@code section} alone. */
    public <R> R bind(Value.Keyed section, Class<R> record) {
        return bind(section, record, Map.of(), Map.of());
    }

    /** The keys that {@link #bind} knows for {@code record}. */
    public List<String> keys(Class<?> record) {
        return records.keys(record);
    }

    /** A part that is read later, when it is known as what. */
    private static boolean staysAsWritten(Class<?> record, String key) {
        return Arrays.stream(record.getRecordComponents())
                .filter(component -> component.getName().equals(key))
                .anyMatch(component -> component.getGenericType().getTypeName().contains(Value.Keyed.class.getName()));
    }

    private static Object written(Value value) {
        return value instanceof Value.Items items ? items.values() : value;
    }

    private static @Nullable Object plain(Value value) {
        if (value instanceof Value.Keyed keyed) {
            Map<String, @Nullable Object> map = new LinkedHashMap<>();
            keyed.entries().forEach((key, entry) -> map.put(key, plain(entry.value())));
            return map;
        }
        if (value instanceof Value.Items items) {
            List<@Nullable Object> list = new ArrayList<>();
            items.values().forEach(item -> list.add(plain(item)));
            return list;
        }
        if (value instanceof Value.Text text) {
            return text.quoted() ? text.text() : new Unquoted(text.text());
        }
        return new Unquoted("");
    }

    /** Where the value stands; a record's groups are no keys of the file. */
    private static String place(Value.Keyed section, BindException wrong) {
        Value found = section;
        String where = section.where();
        for (String step : wrong.path()) {
            if (found instanceof Value.Keyed keyed && keyed.entries().get(step) != null) {
                Value.Entry entry = keyed.entries().get(step);
                found = entry.value();
                where = wrong.aboutKey() ? entry.where() : found.where();
            } else if (found instanceof Value.Items items && step.matches("\\d+")) {
                found = items.values().get(Integer.parseInt(step));
                where = found.where();
            }
        }
        return found instanceof Value.Keyed whole && !wrong.aboutKey() ? whole.placeOf(wrong.inFile()) : where;
    }
}
