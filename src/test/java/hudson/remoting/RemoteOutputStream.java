package hudson.remoting;

import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands in for Jenkins' own in tests: what travels is a number, and what is written arrives at the stream of that number. */
public final class RemoteOutputStream extends OutputStream implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final AtomicInteger NEXT = new AtomicInteger();
    private static final Map<Integer, OutputStream> STREAMS = new ConcurrentHashMap<>();

    private final int number = NEXT.incrementAndGet();

    public RemoteOutputStream(OutputStream core) {
        STREAMS.put(number, core);
    }

    private OutputStream stream() {
        return STREAMS.get(number);
    }

    @Override
    public void write(int letter) throws IOException {
        stream().write(letter);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        stream().write(bytes, from, count);
    }

    @Override
    public void close() throws IOException {
        stream().close();
        STREAMS.remove(number);
    }

    @Override
    public void flush() throws IOException {
        stream().flush();
    }
}
