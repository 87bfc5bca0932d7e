package hudson;

import java.io.File;
import java.io.IOException;

public final class XmlFile {
    public XmlFile(File file) {}

    public Object read() throws IOException {
        throw new UnsupportedOperationException();
    }

    public void write(Object o) throws IOException {
        throw new UnsupportedOperationException();
    }
}
