package io.jenkins.plugins.tao.remote.files;

import io.jenkins.plugins.tao.job.text.Fingerprint;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import lombok.RequiredArgsConstructor;

/** Passes everything on, counts it and takes its SHA-256. Closing it does not close what it passes to. */
@RequiredArgsConstructor
final class MeasuredOutput extends OutputStream {
    private final OutputStream sink;
    private final MessageDigest digest = Fingerprint.sha256();
    private long count;

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        sink.write(bytes, offset, length);
        digest.update(bytes, offset, length);
        count += length;
    }

    long count() {
        return count;
    }

    String sha256() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
