package io.jenkins.plugins.tao.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ObjIntConsumer;
import okhttp3.Response;

/** The body of a good answer, read as it comes. A broken connection is {@link Unreachable}, never an IOException. */
public final class HttpStream implements AutoCloseable {
    private static final int BUFFER = 64 * 1024;

    private final Response response;
    private final InputStream body;
    private final Refusal refusal;
    private final long maxBytes;

    HttpStream(Response response, Refusal refusal, long maxBytes) {
        this.maxBytes = maxBytes;
        this.response = response;
        this.body = response.body().byteStream();
        this.refusal = refusal;
    }

    /** Without parameters, in small letters: {@code text/plain}; empty when not told. */
    public String contentType() {
        String type = Optional.ofNullable(response.header("Content-Type")).orElse("");
        return type.replaceAll(";.*", "").strip().toLowerCase(Locale.ROOT);
    }

    /** How many bytes will come, when told. */
    public OptionalLong length() {
        long length = response.body().contentLength();
        return length < 0 ? OptionalLong.empty() : OptionalLong.of(length);
    }

    /** Reads some bytes into {@code buffer}; -1 at the end. */
    public int read(byte[] buffer) throws Unreachable {
        try {
            return body.read(buffer);
        } catch (IOException e) {
            throw refusal.broken(e);
        }
    }

    /**
     * Copies all of it.
     *
     * @param maxBytes no more than this
     * @return bytes copied
     * @throws BackendException.Unreadable if there are more; {@code to} has {@code maxBytes} or fewer then
     * @throws IOException if {@code to} does not take them
     */
    public long copyTo(OutputStream to, long maxBytes) throws BackendException, IOException {
        byte[] buffer = new byte[BUFFER];
        long total = 0;
        for (int n = read(buffer); n >= 0; n = read(buffer)) {
            total += n;
            if (total > maxBytes) {
                throw refusal.tooLong(maxBytes);
            }
            to.write(buffer, 0, n);
        }
        return total;
    }

    /** The rest of the body as JSON, within the limit of the settings. */
    public JsonNode json() throws BackendException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        byte[] buffer = new byte[BUFFER];
        for (int n = read(buffer); n >= 0; n = read(buffer)) {
            whole.write(buffer, 0, n);
            if (whole.size() > maxBytes) {
                throw refusal.tooLong(maxBytes);
            }
        }
        String text = whole.toString(StandardCharsets.UTF_8);
        Optional<JsonNode> value = Json.parse(text);
        if (value.isPresent()) {
            return value.get();
        }
        throw refusal.unreadable(contentType(), text);
    }

    /**
     * Takes what has come of a stream that may never end: until its end, a silence ({@link HttpRequest#quietFor}), the
     * time of the whole call, or {@code maxBytes}.
     */
    public byte[] takeUntilQuiet(int maxBytes) throws Unreachable {
        ByteArrayOutputStream taken = new ByteArrayOutputStream();
        takeUntilQuiet(maxBytes, (bytes, count) -> taken.write(bytes, 0, count));
        return taken.toByteArray();
    }

    /**
     * The same, piece by piece, so that a stream of any length needs no memory.
     *
     * @param pieces is given an array that it must not keep, and how many bytes of it count
     */
    public void takeUntilQuiet(long maxBytes, ObjIntConsumer<byte[]> pieces) throws Unreachable {
        byte[] buffer = new byte[BUFFER];
        long taken = 0;
        try {
            int wanted = (int) Math.min(buffer.length, maxBytes);
            for (int n = body.read(buffer, 0, wanted); n > 0; n = body.read(buffer, 0, wanted)) {
                pieces.accept(buffer, n);
                taken += n;
                wanted = (int) Math.min(buffer.length, maxBytes - taken);
            }
        } catch (InterruptedIOException quiet) {
            return;
        } catch (IOException e) {
            if (taken == 0) {
                throw refusal.broken(e);
            }
        }
    }

    /** Ends the call, also in the middle. */
    @Override
    public void close() {
        response.close();
    }
}
