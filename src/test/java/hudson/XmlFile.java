package hudson;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.StreamCorruptedException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;

/** Stands in for Jenkins' own in tests: a file that is there once it was written; what Java can serialize is read back, else a text. */
public final class XmlFile {
    private final File file;

    public XmlFile(File file) {
        this.file = file;
    }

    public Object read() throws IOException {
        byte[] bytes = Files.readAllBytes(file.toPath());
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return in.readObject();
        } catch (StreamCorruptedException | ClassNotFoundException e) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    public void write(Object o) throws IOException {
        Files.createDirectories(file.getParentFile().toPath());
        if (!(o instanceof Serializable)) {
            Files.writeString(file.toPath(), o.toString());
            return;
        }
        try (ObjectOutputStream out = new ObjectOutputStream(Files.newOutputStream(file.toPath()))) {
            out.writeObject(o);
        }
    }
}
