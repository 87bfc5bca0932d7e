package io.jenkins.plugins.tao.payload;

import io.jenkins.plugins.tao.backend.BackendException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import lombok.RequiredArgsConstructor;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/**
 * An object on its way to S3, in parts of bounded size: nothing lies on a disk here, and there is no object before
 * {@link #complete}. Closed before that, what came is dropped.
 */
@RequiredArgsConstructor
final class S3Upload extends OutputStream {
    private static final int PART = 8 << 20;
    private static final int TRIES = 4;

    private final S3Bucket bucket;
    private final String key;
    private final ByteArrayOutputStream part = new ByteArrayOutputStream();
    private final List<CompletedPart> parts = new ArrayList<>();
    private String id = "";
    private long sent;
    private boolean done;

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        part.write(bytes, from, length);
        sent += length;
        if (part.size() >= PART) {
            sendPart();
        }
    }

    private void sendPart() throws IOException {
        byte[] bytes = part.toByteArray();
        int number = parts.size() + 1;
        try {
            if (id.isEmpty()) {
                id = bucket.beginParts(key);
            }
            parts.add(tried(() -> bucket.putPart(key, id, number, bytes)));
            part.reset();
        } catch (BackendException e) {
            throw new S3Http.Failed(e);
        }
    }

    /** A part that is sent twice is the same part. */
    private static <T> T tried(S3Http.Call<T> step) throws BackendException {
        for (int attempt = 1; ; attempt++) {
            try {
                return step.run();
            } catch (BackendException.Unreachable e) {
                if (attempt == TRIES) {
                    throw e;
                }
            }
        }
    }

    /** Makes the object of all that was written, and tells how many bytes that were. */
    long complete() throws BackendException, IOException {
        if (id.isEmpty()) {
            byte[] bytes = part.toByteArray();
            tried(() -> bucket.put(key, bytes));
        } else {
            if (part.size() > 0) {
                sendPart();
            }
            bucket.completeParts(key, id, parts);
        }
        done = true;
        return sent;
    }

    @Override
    public void close() {
        if (done || id.isEmpty()) {
            return;
        }
        try {
            bucket.dropParts(key, id);
        } catch (BackendException e) {
            // a rule of the bucket removes what was never completed; the failure before this one is the one to tell
        }
    }
}
