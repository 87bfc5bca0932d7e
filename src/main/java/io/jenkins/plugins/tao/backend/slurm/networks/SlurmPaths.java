package io.jenkins.plugins.tao.backend.slurm.networks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Paths on the cluster's shared filesystem, and URIs that stand for them. */
public final class SlurmPaths {
    private static final Pattern SLURM = Pattern.compile("slurm://(?:None(?=/))?/*(.*)", Pattern.DOTALL);
    private static final Pattern LUSTRE = Pattern.compile("lustre:/+(.*)", Pattern.DOTALL);
    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9_+.-]*)://.*", Pattern.DOTALL);
    private static final Pattern NODE_LOCAL = Pattern.compile("(/tmp|/var/tmp|/dev/shm|/local[^/]*|\\$TMPDIR)(/.*)?");
    private static final String HINT = "Copy it to the cluster's shared filesystem and write lustre:///path/to/it.";

    private SlurmPaths() {}

    /** {@code slurm://None/a}, {@code slurm:///a}, {@code lustre://a} are all {@code /a}; anything else stays. */
    public static String rewrite(String text) {
        Matcher slurm = SLURM.matcher(text);
        if (slurm.matches()) {
            return "/" + slurm.group(1);
        }
        Matcher lustre = LUSTRE.matcher(text);
        return lustre.matches() ? "/" + lustre.group(1) : text;
    }

    /** {@link #rewrite} for all values of a map. */
    public static Map<String, String> rewriteAll(Map<String, String> values) {
        Map<String, String> rewritten = new LinkedHashMap<>();
        values.forEach((name, value) -> rewritten.put(name, rewrite(value)));
        return rewritten;
    }

    /** Why an input cannot be seen from the nodes: what, then remedy; empty when it may be. */
    public static Optional<Problem> problemOfInput(String input, List<String> roots) {
        String path = rewrite(input);
        Matcher scheme = SCHEME.matcher(path);
        if (scheme.matches()) {
            return problemOfScheme(input, scheme.group(1));
        }
        if (!path.startsWith("/")) {
            return refused("'" + input + "' is a relative path.", "Write it from the root, as in lustre:///data/coco.");
        }
        if (roots.stream().noneMatch(root -> isBelow(path, root))) {
            return refused(
                    "'" + input + "' lies outside the shared filesystem (" + String.join(", ", roots) + ").",
                    HINT + " If the path is shared, add its root to the target's sharedRoots.");
        }
        return Optional.empty();
    }

    private static Optional<Problem> problemOfScheme(String input, String scheme) {
        return switch (scheme) {
            case "s3", "aws" ->
                Optional.of(new Problem(
                        false,
                        "'" + input
                                + "' is fetched by the job while its GPUs wait; idle jobs may be ended by the site.",
                        "Keep training data on the shared filesystem; small extra files may stay on S3."));
            case "hf_model", "ngc" -> Optional.empty();
            case "http", "https" ->
                refused("'" + input + "' is not fetched: no job on Slurm brings addresses of the web.", HINT);
            case "file", "local" -> refused("'" + input + "' lies on the controller, not on the cluster.", HINT);
            default ->
                refused(
                        "'" + input + "' has the unknown scheme " + scheme + "://.",
                        "Use lustre://, slurm://, s3://, hf_model://, ngc:// or an absolute path.");
        };
    }

    /** Whether results there would be lost: each node has its own, and it is emptied when the job ends. */
    public static boolean isNodeLocal(String path) {
        return NODE_LOCAL.matcher(path).matches();
    }

    /** Whether the input is a path on the cluster, so that its existence can be tested. */
    public static boolean isPath(String input) {
        return rewrite(input).startsWith("/");
    }

    public static boolean isBelow(String path, String root) {
        return path.equals(root) || path.startsWith(root.endsWith("/") ? root : root + "/");
    }

    private static Optional<Problem> refused(String what, String remedy) {
        return Optional.of(new Problem(true, what, remedy));
    }

    /** What is wrong with an input; not every problem is a reason to stop. */
    public record Problem(boolean fatal, String what, String remedy) {}
}
