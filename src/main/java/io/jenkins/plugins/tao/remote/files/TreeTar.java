package io.jenkins.plugins.tao.remote.files;

import io.jenkins.plugins.tao.backend.SourceTree;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;

/** A tree as one tar stream: its files in their order as {@code ./NAME}, then its links; equal bytes for equal trees. */
public final class TreeTar {
    private TreeTar() {}

    /**
     * Writes it.
     *
     * @throws SourceTree.Unfit if a file is not what the tree says it is
     */
    public static void write(SourceTree tree, OutputStream out) throws IOException {
        TarWriter tar = new TarWriter(out);
        List<Map.Entry<String, SourceTree.Entry>> files =
                List.copyOf(tree.files().entrySet());
        FramedFiles framed = new FramedFiles(out, tar, files);
        tree.write(files.stream().map(Map.Entry::getKey).toList(), new CheckedFiles(framed, files));
        framed.finish();
        for (Map.Entry<String, String> link : tree.links().entrySet()) {
            tar.link("./" + link.getKey(), link.getValue());
        }
        tar.end();
    }
}
