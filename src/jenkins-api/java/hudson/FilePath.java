package hudson;

public final class FilePath {
    public FilePath(java.io.File localPath) {}

    public interface FileCallable<T> extends java.io.Serializable, org.jenkinsci.remoting.RoleSensitive {
        T invoke(java.io.File f, hudson.remoting.VirtualChannel channel)
                throws java.io.IOException, InterruptedException;
    }

    public <T> T act(FileCallable<T> callable) throws java.io.IOException, InterruptedException {
        throw new UnsupportedOperationException();
    }

    public long length() throws java.io.IOException, InterruptedException {
        throw new UnsupportedOperationException();
    }

    public FilePath child(String relOrAbsolute) {
        throw new UnsupportedOperationException();
    }

    public boolean exists() throws java.io.IOException, InterruptedException {
        throw new UnsupportedOperationException();
    }

    public java.io.InputStream read() throws java.io.IOException, InterruptedException {
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
