package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in an S3 storage: an object, or all objects below a path. A slash at the end changes nothing.
 *
 * @param bucket the bucket's name
 * @param key the path in it, without a slash at either end; empty for the whole bucket
 */
public record S3Address(String bucket, String key) {
    private static final Pattern FORM = Pattern.compile("(s3|aws)://([^/]*)/*(.*)", Pattern.DOTALL);
    private static final Pattern LEPTON = Pattern.compile("lepton:/*(.*)", Pattern.DOTALL);
    private static final Pattern BUCKET = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]");
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");
    private static final int MAX_KEY = 1024;

    public S3Address {
        require(
                BUCKET.matcher(bucket).matches(),
                "'%s' is not the name of an S3 bucket; write s3://bucket/path",
                printable(bucket));
        key = key.replaceAll("^/+|/+$", "");
        require(key.length() <= MAX_KEY, "the path in bucket '%s' has more than %d characters", bucket, MAX_KEY);
        require(
                !CONTROL.matcher(key).find(),
                "'s3://%s/%s' holds a line break or another control character",
                bucket,
                printable(key));
        require(
                !key.contains("//"),
                "'s3://%s/%s' has an empty part between two slashes; S3 takes that for another path",
                bucket,
                key);
        require(
                Arrays.stream(key.split("/", -1)).noneMatch(part -> part.equals(".") || part.equals("..")),
                "'s3://%s/%s' has a part that is only dots",
                bucket,
                key);
    }

    /** Whether {@code text} means an address of this kind, well-formed or not. */
    public static boolean isMeant(String text) {
        return FORM.matcher(text).matches() || LEPTON.matcher(text).matches();
    }

    /**
     * Reads {@code s3://bucket/path}, or {@code aws://bucket/path}, which means the same. Nothing is decoded: a percent
     * sign is a character of the path.
     *
     * @throws IllegalArgumentException if it is neither; a {@code lepton://} address is told in its right form
     */
    public static S3Address parse(String text) {
        Matcher lepton = LEPTON.matcher(text);
        require(
                !lepton.matches(),
                "'%s' is no address of data: Lepton's data layer is S3; write s3://%s",
                text,
                lepton.matches() ? lepton.group(1) : "");
        Matcher match = FORM.matcher(text);
        require(match.matches(), "'%s' is no S3 address; write s3://bucket/path", text);
        return new S3Address(match.group(2), match.group(3));
    }

    /** A path below this one. */
    public S3Address resolve(String path) {
        return new S3Address(bucket, key.isEmpty() ? path : key + "/" + path);
    }

    /** The path above this one. */
    S3Address parent() {
        return new S3Address(bucket, key.contains("/") ? key.substring(0, key.lastIndexOf('/')) : "");
    }

    /** The part behind the last slash; the bucket's name for the whole bucket. */
    public String name() {
        return key.isEmpty() ? bucket : key.substring(key.lastIndexOf('/') + 1);
    }

    /** {@code s3://bucket/path}. */
    @Override
    public String toString() {
        return "s3://" + bucket + (key.isEmpty() ? "" : "/" + key);
    }

    private static String printable(String text) {
        return CONTROL.matcher(text).replaceAll("?");
    }
}
