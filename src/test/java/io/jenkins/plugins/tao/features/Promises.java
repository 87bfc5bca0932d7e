package io.jenkins.plugins.tao.features;

import io.jenkins.plugins.tao.Promise;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the promises that a test carries: its own, and those of its classes. */
final class Promises {
    private Promises() {}

    /** Those of {@code method}, of what it overrides, of {@code type} and of everything {@code type} extends or lies in. */
    static Set<String> of(Class<?> type, @Nullable Method method) {
        Set<String> ids = new LinkedHashSet<>();
        collect(type, method, ids);
        return ids;
    }

    private static void collect(@Nullable Class<?> type, @Nullable Method method, Set<String> ids) {
        if (type == null) {
            return;
        }
        add(type.getAnnotation(Promise.class), ids);
        if (method != null) {
            Arrays.stream(type.getDeclaredMethods())
                    .filter(declared -> declared.getName().equals(method.getName()))
                    .filter(declared -> Arrays.equals(declared.getParameterTypes(), method.getParameterTypes()))
                    .forEach(declared -> add(declared.getAnnotation(Promise.class), ids));
        }
        collect(type.getSuperclass(), method, ids);
        collect(type.getEnclosingClass(), null, ids);
        for (Class<?> contract : type.getInterfaces()) {
            collect(contract, method, ids);
        }
    }

    private static void add(@Nullable Promise promise, Set<String> ids) {
        if (promise != null) {
            ids.addAll(Arrays.asList(promise.value()));
        }
    }
}
