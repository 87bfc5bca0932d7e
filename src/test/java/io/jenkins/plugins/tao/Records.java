package io.jenkins.plugins.tao;

import io.jenkins.plugins.tao.bind.RecordBinder;
import java.util.LinkedHashMap;
import java.util.Map;

/** Records with many components, of which a test names the few that it is about. */
public final class Records {
    private static final RecordBinder BINDER = new RecordBinder(Map.of());

    private Records() {}

    /** The record with these components, as in {@code of(SlurmOptions.class, "partition", "polar", "mem", "64G")}. */
    public static <R> R of(Class<R> record, Object... namesAndValues) {
        Draft<R> draft = draft(record);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            draft.with((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return draft.build();
    }

    /** A record to be completed by others. */
    public static <R> Draft<R> draft(Class<R> record) {
        return new Draft<>(record);
    }

    /** A record with some of its components. */
    public static final class Draft<R> {
        private final Class<R> record;
        private final Map<String, Object> components = new LinkedHashMap<>();

        private Draft(Class<R> record) {
            this.record = record;
        }

        /** The same with the component {@code name}. */
        public Draft<R> with(String name, Object value) {
            components.put(name, value);
            return this;
        }

        /** The record, checked. */
        public R build() {
            return BINDER.bind(Map.of(), components, record);
        }
    }
}
