package io.jenkins.plugins.tao.backend.slurm.options;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What may stand in an {@code #SBATCH} line: Slurm reads these with a quoting of its own, so we send nothing it could misread. */
public final class SlurmWords {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@+-]*");
    private static final Pattern NAMES =
            Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@+-]*+(,[A-Za-z0-9][A-Za-z0-9._@+-]*+)*+");
    private static final Pattern NODES = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._,\\[\\]-]*");
    private static final Pattern CONSTRAINT = Pattern.compile("[A-Za-z0-9\\[(][A-Za-z0-9._@+*&|,:\\[\\]()-]*");
    private static final Pattern MEMORY = Pattern.compile("\\d{1,9}[KMGT]?");
    private static final Pattern SIGNAL = Pattern.compile("(B:)?(SIG)?[A-Z0-9]{2,8}(@\\d{1,5})?");
    private static final Pattern DEPENDENCY = Pattern.compile(
            "[a-z]++(:JOB)*+([,?][a-z]++(:JOB)*+)*+".replace("JOB", "\\d++(_\\d++|_\\*)?+(\\+\\d++)?+"));
    /** PATH_MAX of Linux, with room for the names of files below. */
    private static final int PATH_LENGTH = 3500;

    private static final Pattern PATH = Pattern.compile("/[A-Za-z0-9._/@+=,:-]*");
    private static final Pattern MOUNT = Pattern.compile("[A-Za-z0-9._/@+=:{}$-]+");
    private static final Pattern DIRECTIVE = Pattern.compile("--([a-z][a-z-]*+)(=[A-Za-z0-9._/@+*&|,:=\\[\\]()-]++)?+");
    private static final Set<String> OURS = words("""
            job-name comment output error open-mode nodes ntasks ntasks-per-node time export export-file requeue no-requeue no-kill
            wrap array chdir uid gid parsable wait quiet test-only input clusters hold begin account partition qos reservation
            constraint exclude nodelist mem exclusive gres cpus-per-task signal dependency wait-all-nodes container-image
            container-env container-mounts help usage version get-user-env""");

    /** Those of {@link #OURS} that a job can set under the same name. */
    private static final Set<String> SETTINGS =
            words("account partition qos reservation constraint exclude nodelist mem exclusive signal dependency");

    private SlurmWords() {}

    private static Set<String> words(String text) {
        return Set.of(text.split("\\s+", -1));
    }

    static void name(String what, Optional<String> value) {
        check(what, value, NAME, "letters, digits and . _ @ + -");
    }

    static void names(String what, Optional<String> value) {
        check(what, value, NAMES, "names separated by commas, without blanks");
    }

    static void nodes(String what, Optional<String> value) {
        check(what, value, NODES, "node names as in gpu01,gpu[03-07]");
    }

    static void constraint(String what, Optional<String> value) {
        check(what, value, CONSTRAINT, "features joined by & or |, without blanks");
    }

    static void memory(String what, Optional<String> value) {
        check(what, value, MEMORY, "a number with K, M, G or T, as in 200G; 0 for all of the node");
    }

    static void signal(String what, Optional<String> value) {
        check(what, value, SIGNAL, "a signal and seconds before the end, as in B:TERM@360");
    }

    static void dependency(String what, Optional<String> value) {
        check(what, value, DEPENDENCY, "a type and job ids, as in afterok:4711");
    }

    static void mount(String value) {
        check("containerMounts", Optional.of(value), MOUNT, "SRC, SRC:DST or SRC:DST:FLAGS without blanks");
    }

    public static void path(String what, String value) {
        require(
                value.length() <= PATH_LENGTH,
                "%s must have at most %d characters, had %d",
                what,
                PATH_LENGTH,
                value.length());
        check(what, Optional.of(value), PATH, "an absolute path of letters, digits and . _ @ + = , : -");
        require(!(value + "/").contains("/../"), "%s must not contain '..', was '%s'", what, value);
    }

    /** Checks a directive the user adds: {@code --mail-type=FAIL}, none that this backend writes itself. */
    static void directive(String text) {
        require(!text.startsWith("--array"), "sbatch option '%s': use array, as in array: '0-15%%4'", text);
        var match = DIRECTIVE.matcher(text);
        require(match.matches(), "sbatch option '%s' must look like --name or --name=value, without blanks", text);
        require(
                !isOurs(match.group(1)),
                "sbatch option '%s' is written by tao-run itself: leave it out%s",
                text,
                setting(match.group(1)));
    }

    /** sbatch takes a long option by as many of its first letters as tell it from others. */
    private static boolean isOurs(String option) {
        return OURS.contains(option) || (option.length() > 1 && OURS.stream().anyMatch(own -> own.startsWith(option)));
    }

    private static String setting(String option) {
        return SETTINGS.contains(option) ? ", and set " + option + " beside sbatch" : "";
    }

    /** Whether {@code text} can be the name of one node. */
    public static boolean isNode(String text) {
        return NAME.matcher(text).matches();
    }

    private static void check(String what, Optional<String> value, Pattern form, String allowed) {
        value.ifPresent(text -> require(form.matcher(text).matches(), "%s must be %s, was '%s'", what, allowed, text));
    }
}
