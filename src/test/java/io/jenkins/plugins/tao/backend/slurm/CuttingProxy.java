package io.jenkins.plugins.tao.backend.slurm;

import io.jenkins.plugins.tao.remote.SshAddress;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A network on loopback before a login host: it counts bytes, breaks after a number of them, and goes away. */
final class CuttingProxy implements AutoCloseable {
    private final int behind;
    private final int port;
    private final AtomicInteger connections = new AtomicInteger();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Way up = new Way();
    private final Way down = new Way();
    private volatile ServerSocket listener;

    /** Listens before the port {@code behind}. */
    CuttingProxy(int behind) throws IOException {
        this.behind = behind;
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        port = listener.getLocalPort();
        start(() -> accept(listener));
    }

    /** One direction: how many bytes went through, and after how many it breaks. */
    static final class Way {
        private final AtomicLong bytes = new AtomicLong();
        private final AtomicLong left = new AtomicLong(Long.MAX_VALUE);

        long bytes() {
            return bytes.get();
        }

        /** Lets everything break once {@code count} more bytes went this way. */
        void breakAfter(long count) {
            left.set(count);
        }
    }

    SshAddress address() {
        return new SshAddress("127.0.0.1", port);
    }

    Way up() {
        return up;
    }

    Way down() {
        return down;
    }

    int connections() {
        return connections.get();
    }

    /** Ends all connections and refuses new ones. */
    void goAway() throws IOException {
        listener.close();
        cut();
    }

    /** Takes connections again. */
    void comeBack() throws IOException {
        ServerSocket again = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        listener = again;
        start(() -> accept(again));
    }

    /** Ends all connections. */
    void cut() {
        sockets.forEach(CuttingProxy::closeQuietly);
        sockets.clear();
    }

    /** Breaks nothing from now on. */
    void mend() {
        up.breakAfter(Long.MAX_VALUE);
        down.breakAfter(Long.MAX_VALUE);
    }

    @Override
    public void close() throws IOException {
        goAway();
    }

    private void accept(ServerSocket from) {
        while (!from.isClosed()) {
            try {
                Socket near = from.accept();
                Socket far = new Socket(InetAddress.getLoopbackAddress(), behind);
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
                connections.incrementAndGet();
                sockets.add(near);
                sockets.add(far);
                start(() -> pump(near, far, up));
                start(() -> pump(far, near, down));
            } catch (IOException e) {
                if (!from.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private void pump(Socket from, Socket to, Way way) {
        byte[] chunk = new byte[16 * 1024];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
                int through = (int) Math.min(count, way.left.getAndAdd(-count));
                out.write(chunk, 0, Math.max(0, through));
                way.bytes.addAndGet(through);
                if (through < count) {
                    break;
                }
            }
        } catch (IOException e) {
            way.bytes.get(); // the other end has gone: so does this one
        }
        closeQuietly(from);
        closeQuietly(to);
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "cutting proxy");
        thread.setDaemon(true);
        thread.start();
    }
}
