package hudson.util;

/** Stands in for Jenkins' own in tests: a text, written backwards where it is kept. */
public final class Secret implements java.io.Serializable {
    private static final long serialVersionUID = 1L;

    private final String text;

    private Secret(String text) {
        this.text = text;
    }

    public static Secret fromString(String text) {
        return new Secret(new StringBuilder(text).reverse().toString());
    }

    public String getPlainText() {
        return new StringBuilder(text).reverse().toString();
    }
}
