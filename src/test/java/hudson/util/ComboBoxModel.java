package hudson.util;

import java.util.ArrayList;
import java.util.List;

/** Stands in for Jenkins' own in tests: a list of texts. */
public class ComboBoxModel extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    public ComboBoxModel(String... values) {
        super(List.of(values));
    }
}
