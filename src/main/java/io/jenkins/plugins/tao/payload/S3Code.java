package io.jenkins.plugins.tao.payload;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.CodeStore.Delivery;
import io.jenkins.plugins.tao.backend.SourceTree;
import io.jenkins.plugins.tao.backend.Tidying.Tidied;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.job.CodeId;
import io.jenkins.plugins.tao.remote.files.TreeTar;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * The code of jobs in the bucket of a target: {@code code/ID.tar}, once per content, and {@code code/ID.used}, which is written anew
 * when the code is asked for on another day. For one thread at a time.
 */
public record S3Code(S3Settings settings, String bucket, HttpSettings http) {
    static final String FOLDER = "code/";
    private static final String TAR = ".tar";
    private static final String USED = ".used";
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration KEPT = Duration.ofDays(30);
    private static final int MOST = 100;
    private static final int KIB = 1024;
    private static final Pattern NAME = Pattern.compile(FOLDER + "[0-9a-f]{" + CodeId.DIGITS + "}\\.(?:tar|used)");

    /** The store of a target; empty where it has no bucket. */
    public static Optional<S3Code> of(Optional<S3Settings> settings, HttpSettings http) {
        return settings.flatMap(s3 -> s3.bucket().map(bucket -> new S3Code(s3, bucket, http)));
    }

    /** The same, where code is to be sent. */
    public static S3Code required(String target, Optional<S3Settings> settings, HttpSettings http) throws Rejected {
        return of(settings, http)
                .orElseThrow(() -> new Rejected(
                        "The target '" + target
                                + "' has no S3 bucket, through which the code of a directory reaches its jobs.",
                        "Give the target S3 settings with a bucket, or use code: git(url: ..., commit: ...), or bring the"
                                + " code in the image."));
    }

    /** Where the code of a job lies. */
    static String key(CodeId id) {
        return FOLDER + id + TAR;
    }

    /** Sends {@code tree} unless it is there. */
    public Delivery deliver(SourceTree tree) throws BackendException {
        String key = FOLDER + tree.version() + TAR;
        int files = tree.files().size() + tree.links().size();
        try (S3Bucket client = new S3Bucket(settings, bucket, http)) {
            Map<String, S3Object> there = client.list(FOLDER + tree.version() + ".", MOST, any -> true).stream()
                    .collect(Collectors.toMap(S3Object::key, object -> object));
            long sent = there.containsKey(key) ? 0 : send(client, tree, key);
            touch(client, tree.version(), there);
            return new Delivery("s3://" + bucket + "/" + key, files, sent);
        }
    }

    private static long send(S3Bucket client, SourceTree tree, String key) throws BackendException {
        try (S3Upload upload = new S3Upload(client, key)) {
            TreeTar.write(tree, upload);
            return upload.complete();
        } catch (SourceTree.Unfit e) {
            throw new Rejected("A file changed while it was sent: " + e.getMessage() + ".", "Submit again.");
        } catch (S3Http.Failed e) {
            throw e.why;
        } catch (IOException e) {
            throw new Rejected(
                    "The code could not be read while it was sent: " + e.getMessage() + ".", "Submit again.");
        }
    }

    private static void touch(S3Bucket client, String version, Map<String, S3Object> there) throws BackendException {
        Optional<Instant> used =
                Optional.ofNullable(there.get(FOLDER + version + USED)).map(S3Object::lastModified);
        Optional<Instant> now = client.time();
        if (used.isEmpty() || now.isEmpty() || used.get().plus(DAY).isBefore(now.get())) {
            client.put(FOLDER + version + USED, new byte[0]);
        }
    }

    /** Removes code that no job was sent with for 30 days; what has no time that can be read stays. */
    public Tidied tidy(boolean dryRun) throws BackendException {
        List<String> removed = new ArrayList<>();
        long bytes = 0;
        try (S3Bucket client = new S3Bucket(settings, bucket, http)) {
            Map<String, List<S3Object>> trees = client.list(FOLDER, Integer.MAX_VALUE, NAME.asMatchPredicate()).stream()
                    .collect(Collectors.groupingBy(S3Code::version, LinkedHashMap::new, Collectors.toList()));
            Instant oldest = client.time().orElse(Instant.EPOCH).minus(KEPT);
            for (Map.Entry<String, List<S3Object>> tree : trees.entrySet()) {
                boolean old = tree.getValue().stream()
                        .allMatch(object -> object.lastModified() != null
                                && object.lastModified().isBefore(oldest));
                if (old && removed.size() < MOST) {
                    removed.add("code " + tree.getKey());
                    for (S3Object object : tree.getValue()) {
                        bytes += object.size();
                        if (!dryRun) {
                            client.delete(object.key());
                        }
                    }
                }
            }
        }
        return new Tidied(removed, bytes / KIB, removed.size() >= MOST);
    }

    private static String version(S3Object object) {
        return object.key().replaceAll(FOLDER + "|\\..*", "");
    }
}
