package hudson.model;

public interface Saveable {
    void save() throws java.io.IOException;
}
