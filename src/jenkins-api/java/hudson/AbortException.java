package hudson;

public class AbortException extends java.io.IOException {
    private static final long serialVersionUID = 1L;

    public AbortException(String message) {
        super(message);
    }
}
