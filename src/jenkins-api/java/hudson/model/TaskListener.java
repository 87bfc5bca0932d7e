package hudson.model;

public interface TaskListener extends java.io.Serializable {
    TaskListener NULL = () -> {
        throw new UnsupportedOperationException();
    };

    java.io.PrintStream getLogger();
}
