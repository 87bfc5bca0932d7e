package org.jenkinsci.plugins.structs.describable;

/** Stands in for Jenkins' own in tests: a name and a type. */
public final class DescribableParameter {
    private final String name;
    private final Class<?> type;

    DescribableParameter(String name, Class<?> type) {
        this.name = name;
        this.type = type;
    }

    public String getName() {
        return name;
    }

    @SuppressWarnings("rawtypes") // as Jenkins declares it
    public Class getErasedType() {
        return type;
    }
}
