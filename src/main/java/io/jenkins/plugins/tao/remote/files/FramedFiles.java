package io.jenkins.plugins.tao.remote.files;

import io.jenkins.plugins.tao.backend.SourceTree;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Makes tar entries of files whose contents come as one stream of bytes, one after another. */
final class FramedFiles extends OutputStream {
    private final OutputStream out;
    private final TarWriter tar;
    private final Iterator<Map.Entry<String, SourceTree.Entry>> files;
    private String name = "";
    private long size;
    private long left;

    FramedFiles(OutputStream out, TarWriter tar, List<Map.Entry<String, SourceTree.Entry>> files) {
        this.out = out;
        this.tar = tar;
        this.files = files.iterator();
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
            if (left == 0 && !next()) {
                throw new SourceTree.Unfit("more bytes came than the files have");
            }
            int count = (int) Math.min(rest, left);
            out.write(bytes, at, count);
            at += count;
            rest -= count;
            took(count);
        }
    }

    private void took(int count) throws IOException {
        left -= count;
        if (left == 0) {
            tar.pad(size);
        }
    }

    /** The header of the next file that has content; those without any are written on the way. */
    private boolean next() throws IOException {
        while (files.hasNext()) {
            Map.Entry<String, SourceTree.Entry> file = files.next();
            name = file.getKey();
            size = file.getValue().size();
            left = size;
            tar.begin("./" + name, size, file.getValue().executable());
            if (left > 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * The files without content at the end.
     *
     * @throws SourceTree.Unfit if a file is not complete
     */
    void finish() throws IOException {
        if (left > 0 || next()) {
            throw new SourceTree.Unfit("'" + name + "' is " + left + " bytes shorter than it was");
        }
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }
}
