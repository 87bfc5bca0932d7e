package hudson.model;

public abstract class Actionable implements ModelObject {
    public void addAction(Action a) {
        throw new UnsupportedOperationException();
    }

    public <T extends Action> T getAction(Class<T> type) {
        throw new UnsupportedOperationException();
    }
}
