package hudson;

public class EnvVars extends java.util.TreeMap<String, String> {
    private static final long serialVersionUID = 1L;
}
