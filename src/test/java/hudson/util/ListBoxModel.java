package hudson.util;

import java.util.ArrayList;

/** Stands in for Jenkins' own in tests: a list of names and values. */
public class ListBoxModel extends ArrayList<ListBoxModel.Option> {
    private static final long serialVersionUID = 1L;

    public void add(String displayName, String value) {
        add(new Option(displayName, value));
    }

    public ListBoxModel add(String nameAndValue) {
        add(nameAndValue, nameAndValue);
        return this;
    }

    /** One of them. */
    public static final class Option {
        public final String name;
        public final String value;

        private Option(String name, String value) {
            this.name = name;
            this.value = value;
        }
    }
}
