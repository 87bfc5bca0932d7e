package hudson.util;

public class ListBoxModel extends java.util.ArrayList<ListBoxModel.Option> {
    private static final long serialVersionUID = 1L;

    public void add(String displayName, String value) {
        throw new UnsupportedOperationException();
    }

    public ListBoxModel add(String nameAndValue) {
        throw new UnsupportedOperationException();
    }

    public static final class Option {
        public String name = "";
        public String value = "";

        private Option() {}
    }
}
