package io.jenkins.plugins.tao.backend;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The kinds of backend that are installed. */
public final class BackendTypes {
    private final Map<String, BackendType> byName;

    private BackendTypes(Map<String, BackendType> byName) {
        this.byName = Collections.unmodifiableMap(byName);
    }

    /** Loads the adapters of this plugin; Jenkins' threads do not carry its class loader, so it is named here. */
    public static BackendTypes load() {
        return load(BackendType.class);
    }

    /** Loads those that are registered as {@code service}. */
    public static BackendTypes load(Class<? extends BackendType> service) {
        Map<String, BackendType> found = new TreeMap<>();
        ServiceLoader.load(service, BackendTypes.class.getClassLoader()).forEach(type -> found.put(type.name(), type));
        return new BackendTypes(found);
    }

    /** Exactly {@code types}, for tests and embedders. */
    public static BackendTypes of(BackendType... types) {
        Map<String, BackendType> found = new TreeMap<>();
        for (BackendType type : types) {
            found.put(type.name(), type);
        }
        return new BackendTypes(found);
    }

    /** All kinds, by name. */
    public Collection<BackendType> all() {
        return byName.values();
    }

    /**
     * The kind called {@code name}.
     *
     * @throws IllegalArgumentException with the names there are
     */
    public BackendType named(String name) {
        BackendType type = byName.get(name);
        if (type == null) {
            throw new IllegalArgumentException(
                    "There is no backend '" + name + "'. Use one of: " + String.join(", ", byName.keySet()) + ".");
        }
        return type;
    }

    /** The kind that {@code target} belongs to. */
    public BackendType of(Target target) {
        return byName.values().stream()
                .filter(type -> type.targetType().isInstance(target))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No backend takes the target '" + target.name() + "' ("
                        + target.getClass().getName() + ")."));
    }
}
