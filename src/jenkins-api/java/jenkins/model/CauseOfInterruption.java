package jenkins.model;

public abstract class CauseOfInterruption implements java.io.Serializable {
    private static final long serialVersionUID = 1L;

    public abstract String getShortDescription();
}
