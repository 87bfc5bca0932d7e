package hudson;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;

/** What becomes of an object on its way to another process. */
final class Travel {
    private Travel() {}

    @SuppressWarnings("unchecked") // it is of the class that it was
    static <T> T of(T sent) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(sent);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (T) in.readObject();
        } catch (ClassNotFoundException e) {
            throw new IOException(e);
        }
    }
}
