package hudson.remoting;

@SuppressWarnings("serial")
public final class RemoteOutputStream extends java.io.OutputStream implements java.io.Serializable {
    public RemoteOutputStream(java.io.OutputStream core) {}

    @Override
    public void write(int b) throws java.io.IOException {
        throw new UnsupportedOperationException();
    }
}
