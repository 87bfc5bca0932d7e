package io.jenkins.plugins.tao.jenkins.config;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What all doors to the configuration check of a list of targets: the form, configuration as code, and scripts. */
public final class TargetNames {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

    private TargetNames() {}

    /** Whether jobs can call a target so. */
    static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /**
     * Checks names and fields; credentials are looked up only when a job needs them.
     *
     * @throws IllegalArgumentException naming the target and what is wrong with it
     */
    public static void check(List<TargetConfiguration> targets) {
        Set<String> names = new HashSet<>();
        for (TargetConfiguration target : targets) {
            String name = target.getName();
            require(isName(name), "The target name '%s' must consist of letters, digits, '.', '_' and '-'.", name);
            require(names.add(name), "Two targets are called '%s'. Give each its own name.", name);
            fields(target);
        }
    }

    private static void fields(TargetConfiguration target) {
        try {
            for (String field : target.needed()) {
                require(FormBinder.isGiven(target, field), "'%s' is empty, and no job can run without it.", field);
            }
            target.checkFields();
            FormBinder.text(target, "baseDirectory")
                    .ifPresent(path ->
                            require(path.startsWith("/"), "baseDirectory must be an absolute path, was '%s'", path));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Target '" + target.getName() + "': " + e.getMessage(), e);
        }
    }
}
