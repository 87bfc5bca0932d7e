package hudson.util;

/** Stands in for Jenkins' own in tests: a text. */
public final class Secret implements java.io.Serializable {
    private static final long serialVersionUID = 1L;

    private final String text;

    private Secret(String text) {
        this.text = text;
    }

    public static Secret fromString(String text) {
        return new Secret(text);
    }

    public String getPlainText() {
        return text;
    }
}
