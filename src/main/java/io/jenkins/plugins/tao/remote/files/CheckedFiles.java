package io.jenkins.plugins.tao.remote.files;

import io.jenkins.plugins.tao.backend.SourceTree;
import io.jenkins.plugins.tao.job.text.Fingerprint;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Passes on the contents of files, one after another, and stops at the first that is not what its checksum says. */
final class CheckedFiles extends FilterOutputStream {
    private final Iterator<Map.Entry<String, SourceTree.Entry>> files;
    private final MessageDigest digest = Fingerprint.sha256();
    private String name = "";
    private String expected = "";
    private long left;

    CheckedFiles(OutputStream out, List<Map.Entry<String, SourceTree.Entry>> files) {
        super(out);
        this.files = files.stream()
                .filter(file -> file.getValue().size() > 0)
                .toList()
                .iterator();
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
            if (left == 0) {
                next();
            }
            int count = (int) Math.min(rest, left);
            digest.update(bytes, at, count);
            left -= count;
            if (left == 0 && !HexFormat.of().formatHex(digest.digest()).equals(expected)) {
                throw new SourceTree.Unfit("'" + name + "' was changed while it was sent");
            }
            out.write(bytes, at, count);
            at += count;
            rest -= count;
        }
    }

    private void next() throws IOException {
        if (!files.hasNext()) {
            throw new SourceTree.Unfit("more bytes came than the files have");
        }
        Map.Entry<String, SourceTree.Entry> file = files.next();
        name = file.getKey();
        expected = file.getValue().sha256();
        left = file.getValue().size();
    }
}
