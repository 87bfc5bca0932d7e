package hudson.scm;

import hudson.model.Run;
import java.util.Map;

public abstract class SCM {
    public void buildEnvironment(Run<?, ?> build, Map<String, String> env) {
        throw new UnsupportedOperationException();
    }
}
