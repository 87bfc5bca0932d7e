package hudson;

public final class FilePath {
    public FilePath(java.io.File localPath) {}

    public FilePath child(String relOrAbsolute) {
        throw new UnsupportedOperationException();
    }

    public boolean exists() throws java.io.IOException, InterruptedException {
        throw new UnsupportedOperationException();
    }

    public String readToString() throws java.io.IOException, InterruptedException {
        throw new UnsupportedOperationException();
    }

    public void write(String content, String encoding) throws java.io.IOException, InterruptedException {
        throw new UnsupportedOperationException();
    }

    public FilePath getParent() {
        throw new UnsupportedOperationException();
    }

    public void mkdirs() throws java.io.IOException, InterruptedException {
        throw new UnsupportedOperationException();
    }

    public void deleteRecursive() throws java.io.IOException, InterruptedException {
        throw new UnsupportedOperationException();
    }
}
