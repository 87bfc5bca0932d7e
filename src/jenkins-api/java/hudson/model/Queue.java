package hudson.model;

public class Queue {
    protected Queue() {}

    public interface Task extends ModelObject {}

    public interface Executable {}
}
