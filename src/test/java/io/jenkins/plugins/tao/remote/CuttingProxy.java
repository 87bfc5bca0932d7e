package io.jenkins.plugins.tao.remote;

import io.jenkins.plugins.tao.remote.ssh.SshAddress;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A network on loopback before one host: it counts bytes, breaks after a number of them, and goes away. */
public final class CuttingProxy implements AutoCloseable {
    private final ServerSocket listener;
    private final int behind;
    private final Set<Line> lines = new HashSet<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final Way up = new Way();
    private final Way down = new Way();
    private final AtomicLong untilTheCut = new AtomicLong(Long.MAX_VALUE);
    private boolean away;

    /** Leads to the port {@code behind} of this machine. */
    public CuttingProxy(int behind) throws IOException {
        this.behind = behind;
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    /** One direction: how many bytes went through, and after how many it breaks. */
    public static final class Way {
        private final AtomicLong bytes = new AtomicLong();
        private final AtomicLong left = new AtomicLong(Long.MAX_VALUE);

        private Way() {}

        /** What went through so far. */
        public long bytes() {
            return bytes.get();
        }

        /** Breaks each line that sends more than the {@code count} bytes that may still go this way. */
        public void breakAfter(long count) {
            left.set(count);
        }

        /** Lets what may still go through; whether that was all. */
        private boolean send(byte[] chunk, int count, OutputStream out) throws IOException {
            int through = (int) Math.max(0, Math.min(count, left.getAndAdd(-count)));
            out.write(chunk, 0, through);
            bytes.addAndGet(through);
            return through == count;
        }
    }

    /** Both ends of one connection. */
    private record Line(Socket near, Socket far) {
        void end() {
            for (Socket end : List.of(near, far)) {
                try {
                    end.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    /** Where it listens. */
    public SshAddress address() {
        return new SshAddress("127.0.0.1", listener.getLocalPort());
    }

    /** What goes to the host behind. */
    public Way up() {
        return up;
    }

    /** What comes from the host behind. */
    public Way down() {
        return down;
    }

    /** Lines that were let through so far. */
    public int connections() {
        return connections.get();
    }

    /** Ends all lines once, when so many more bytes have gone either way; a line that comes after is let through. */
    public void cutOnceAfter(long bytes) {
        untilTheCut.set(bytes);
    }

    /** Ends all lines, and each new one at once. */
    public void goAway() {
        synchronized (lines) {
            away = true;
        }
        cut();
    }

    /** Lets lines through again. */
    public void comeBack() {
        synchronized (lines) {
            away = false;
        }
    }

    /** Breaks neither way from now on. */
    public void mend() {
        up.breakAfter(Long.MAX_VALUE);
        down.breakAfter(Long.MAX_VALUE);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        goAway();
    }

    /** Only what is open now: whoever sees its line end and comes again at once is not ended again. */
    private void cut() {
        List<Line> open;
        synchronized (lines) {
            open = new ArrayList<>(lines);
            lines.clear();
        }
        open.forEach(Line::end);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                connect(listener.accept());
            } catch (IOException e) {
                if (!listener.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private void connect(Socket near) throws IOException {
        try {
            Line line = new Line(near, new Socket(InetAddress.getLoopbackAddress(), behind));
            near.setTcpNoDelay(true);
            line.far().setTcpNoDelay(true);
            if (takes(line)) {
                connections.incrementAndGet();
                start(() -> pump(line, near, line.far(), up));
                start(() -> pump(line, line.far(), near, down));
            } else {
                line.end();
            }
        } catch (IOException e) {
            near.close(); // the host behind is down: the caller sees its line end
        }
    }

    private boolean takes(Line line) {
        synchronized (lines) {
            return !away && lines.add(line);
        }
    }

    private void pump(Line line, Socket from, Socket to, Way way) {
        byte[] chunk = new byte[16 * 1024];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            int count = in.read(chunk);
            while (count >= 0 && way.send(chunk, count, out)) {
                if (passesTheCut(count)) {
                    cut();
                }
                count = in.read(chunk);
            }
        } catch (IOException e) {
            way.bytes.get(); // the other end has gone: so does this one
        }
        line.end();
        synchronized (lines) {
            lines.remove(line);
        }
    }

    /** True for one of all that count, however many do so at once. */
    private boolean passesTheCut(int count) {
        long before = untilTheCut.getAndAdd(-count);
        return before > 0 && before <= count;
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "cutting proxy");
        thread.setDaemon(true);
        thread.start();
    }
}
