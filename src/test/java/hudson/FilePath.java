package hudson;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;

/** Stands in for Jenkins' own in tests: a file of this machine; deletes nothing, which the folder of the test does. */
public final class FilePath {
    private final File file;

    public FilePath(File localPath) {
        file = localPath;
    }

    /** As Jenkins declares it. */
    public interface FileCallable<T> extends java.io.Serializable, org.jenkinsci.remoting.RoleSensitive {
        T invoke(File f, hudson.remoting.VirtualChannel channel) throws IOException, InterruptedException;
    }

    /** Another process would get the callable and give the answer as bytes: so does this one. */
    public <T> T act(FileCallable<T> callable) throws IOException, InterruptedException {
        return Travel.of(Travel.of(callable).invoke(file, null));
    }

    public long length() throws IOException, InterruptedException {
        return file.length();
    }

    public FilePath child(String path) {
        return new FilePath(new File(file, path));
    }

    public FilePath getParent() {
        return new FilePath(file.getParentFile());
    }

    public void mkdirs() throws IOException, InterruptedException {
        Files.createDirectories(file.toPath());
    }

    public boolean exists() throws IOException, InterruptedException {
        return file.exists();
    }

    public java.io.InputStream read() throws IOException, InterruptedException {
        return Files.newInputStream(file.toPath());
    }

    public void write(String content, String encoding) throws IOException, InterruptedException {
        Files.writeString(file.toPath(), content, java.nio.charset.Charset.forName(encoding));
    }

    public void deleteRecursive() throws IOException, InterruptedException {
        // the test looks into what would be gone
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
