package hudson.model;

public interface TaskListener extends java.io.Serializable {
    java.io.PrintStream getLogger();
}
