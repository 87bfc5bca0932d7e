package io.jenkins.plugins.tao.payload;

import io.jenkins.plugins.tao.backend.BackendException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import lombok.RequiredArgsConstructor;

/**
 * An object on its way to S3, in parts of bounded size: nothing lies on a disk here, and there is no object before
 * {@link #complete}. Closed before that, what came is dropped.
 */
@RequiredArgsConstructor
final class S3Upload extends OutputStream {
    private static final int PART = 16 << 20;
    private static final int TRIES = 4;

    private final S3Client client;
    private final String key;
    private final ByteArrayOutputStream part = new ByteArrayOutputStream();
    private final List<String> etags = new ArrayList<>();
    private String id = "";
    private long sent;
    private boolean done;

    /** What S3 answered to a part; it is unwrapped where the stream was begun. */
    static final class Failed extends IOException {
        private static final long serialVersionUID = 1L;
        private final transient BackendException why;

        Failed(BackendException why) {
            super(why);
            this.why = why;
        }

        BackendException why() {
            return why;
        }
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        int at = from;
        int rest = length;
        while (rest > 0) {
            int count = Math.min(rest, PART - part.size());
            part.write(bytes, at, count);
            sent += count;
            at += count;
            rest -= count;
            if (part.size() == PART) {
                sendPart();
            }
        }
    }

    private void sendPart() throws IOException {
        try {
            if (id.isEmpty()) {
                id = client.beginParts(key);
            }
            byte[] bytes = part.toByteArray();
            etags.add(tried(() -> client.putPart(key, id, etags.size() + 1, bytes)));
            part.reset();
        } catch (BackendException e) {
            throw new Failed(e);
        }
    }

    private interface Step {
        String run() throws BackendException;
    }

    /** A part that is sent twice is the same part. */
    private static String tried(Step step) throws BackendException {
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
            tried(() -> client.put(key, bytes));
        } else {
            if (part.size() > 0) {
                sendPart();
            }
            client.completeParts(key, id, etags);
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
            client.dropParts(key, id);
        } catch (BackendException e) {
            // a rule of the bucket removes what was never completed; the failure before this one is the one to tell
        }
    }
}
