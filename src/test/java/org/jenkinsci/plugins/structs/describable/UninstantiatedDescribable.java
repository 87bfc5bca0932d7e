package org.jenkinsci.plugins.structs.describable;

import java.util.Map;

/** Stands in for Jenkins' own in tests: arguments, and nothing else. */
public final class UninstantiatedDescribable {
    private final Map<String, ?> arguments;

    public UninstantiatedDescribable(Map<String, ?> arguments) {
        this.arguments = arguments;
    }

    public UninstantiatedDescribable withArguments(Map<String, ?> others) {
        return new UninstantiatedDescribable(others);
    }

    public Map<String, ?> getArguments() {
        return arguments;
    }
}
