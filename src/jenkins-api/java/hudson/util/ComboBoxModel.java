package hudson.util;

public class ComboBoxModel extends java.util.ArrayList<String> {
    private static final long serialVersionUID = 1L;

    public ComboBoxModel(String... values) {
        throw new UnsupportedOperationException();
    }
}
