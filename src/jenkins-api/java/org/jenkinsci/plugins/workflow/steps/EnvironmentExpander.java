package org.jenkinsci.plugins.workflow.steps;

public abstract class EnvironmentExpander implements java.io.Serializable {
    private static final long serialVersionUID = 1L;

    public abstract void expand(hudson.EnvVars env) throws java.io.IOException, InterruptedException;

    public java.util.Set<String> getSensitiveVariables() {
        return java.util.Set.of();
    }

    public static EnvironmentExpander merge(EnvironmentExpander original, EnvironmentExpander subsequent) {
        return subsequent;
    }

    public static EnvironmentExpander constant(java.util.Map<String, String> env) {
        return new EnvironmentExpander() {
            private static final long serialVersionUID = 1L;

            @Override
            public void expand(hudson.EnvVars into) {
                into.putAll(env);
            }
        };
    }
}
