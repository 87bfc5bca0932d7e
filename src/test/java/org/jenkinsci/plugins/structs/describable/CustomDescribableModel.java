package org.jenkinsci.plugins.structs.describable;

import java.util.Map;

/** Stands in for Jenkins' own in tests: changes nothing, unless it is told to. */
public interface CustomDescribableModel {
    default Map<String, Object> customInstantiate(Map<String, Object> arguments) {
        return arguments;
    }

    default UninstantiatedDescribable customUninstantiate(UninstantiatedDescribable described) {
        return described;
    }
}
