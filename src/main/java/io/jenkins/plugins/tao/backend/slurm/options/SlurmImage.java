package io.jenkins.plugins.tao.backend.slurm.options;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An image reference as Pyxis and Apptainer want it. */
public final class SlurmImage {
    private static final Pattern REGISTRY = Pattern.compile("([^/@#]*[.:][^/@#]*|localhost)/([^#]+)");
    private static final Pattern SCHEME = Pattern.compile("[a-z]+://.*");
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9._/@:#$+-]+");

    private SlurmImage() {}

    public static boolean isAllowed(String image) {
        return ALLOWED.matcher(image).matches();
    }

    /** {@code nvcr.io/a/b:1} becomes {@code nvcr.io#a/b:1}; paths, URLs and names without a registry stay. */
    public static String forPyxis(String image) {
        if (image.startsWith("/") || SCHEME.matcher(image).matches()) {
            return image;
        }
        Matcher registry = REGISTRY.matcher(image);
        return registry.matches() ? registry.group(1) + "#" + registry.group(2) : image;
    }

    /** A registry image gets {@code docker://}; files and URLs stay. */
    public static String forApptainer(String image) {
        String plain = image.replace('#', '/');
        return plain.startsWith("/") || SCHEME.matcher(plain).matches() ? plain : "docker://" + plain;
    }

    /** Whether pulling it may need the cluster's own NGC credentials. */
    public static boolean isNvcr(String image) {
        String name = image.replaceFirst("^[a-z]+://", "");
        return name.startsWith("nvcr.io/") || name.startsWith("nvcr.io#");
    }

    /** Whether a squash file can be made of it: it comes from a registry. */
    public static boolean isConvertible(String image) {
        String plain = plain(image);
        return !plain.isEmpty()
                && !isFile(plain)
                && !plain.endsWith(".sqsh")
                && !SCHEME.matcher(plain).matches();
    }

    /** The same text for every way of writing a registry image: {@code registry/name:tag}. */
    public static String plain(String image) {
        return image.replaceFirst("^docker://", "").replace('#', '/');
    }

    /** Whether a {@link #plain} reference names what may change tomorrow. */
    public static boolean isLatest(String plain) {
        String name = plain.substring(plain.lastIndexOf('/') + 1);
        return !name.contains("@") && (!name.contains(":") || name.endsWith(":latest"));
    }

    /** The name of its squash file: {@code nvcr.io/a/b:1} becomes {@code nvcr.io_a_b_1.sqsh}. */
    public static String cacheName(String plain) {
        return plain.replaceAll("[^A-Za-z0-9._@+-]", "_") + ".sqsh";
    }

    /** Whether it is a file on the cluster. */
    public static boolean isFile(String image) {
        return image.startsWith("/");
    }
}
