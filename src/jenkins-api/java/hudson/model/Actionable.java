package hudson.model;

public abstract class Actionable implements ModelObject {
    @Deprecated
    public java.util.List<Action> getActions() {
        throw new UnsupportedOperationException();
    }

    public void addAction(Action a) {
        throw new UnsupportedOperationException();
    }

    public boolean addOrReplaceAction(Action a) {
        throw new UnsupportedOperationException();
    }

    public <T extends Action> T getAction(Class<T> type) {
        throw new UnsupportedOperationException();
    }
}
