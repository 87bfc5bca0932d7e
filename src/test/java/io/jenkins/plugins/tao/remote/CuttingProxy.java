package io.jenkins.plugins.tao.remote;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A line on loopback that can be cut: at once, or after so many bytes. */
public final class CuttingProxy implements AutoCloseable {
    private final ServerSocket server;
    private final int to;
    private final ExecutorService pumps = Executors.newCachedThreadPool();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicLong down = new AtomicLong();
    private final AtomicLong up = new AtomicLong();
    private final AtomicLong cutAfter = new AtomicLong(Long.MAX_VALUE);
    private final AtomicInteger connections = new AtomicInteger();
    private volatile boolean dead;

    /** Leads to {@code port} of this machine. */
    public CuttingProxy(int port) throws IOException {
        to = port;
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        pumps.execute(this::accept);
    }

    public int port() {
        return server.getLocalPort();
    }

    /** Lines that were let through so far. */
    public int connections() {
        return connections.get();
    }

    /** Bytes that came from the other end. */
    public long down() {
        return down.get();
    }

    /** Bytes that went to the other end. */
    public long up() {
        return up.get();
    }

    /** Cuts all lines now; new ones are refused until {@link #mend}. */
    public void cut() {
        dead = true;
        drop();
    }

    public void mend() {
        dead = false;
    }

    /** Cuts all lines once, when so many more bytes have gone either way; new lines are let through. */
    public void cutOnceAfter(long bytes) {
        cutAfter.set(down.get() + up.get() + bytes);
    }

    private void drop() {
        sockets.forEach(CuttingProxy::quietly);
        sockets.clear();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket here = server.accept();
                if (dead) {
                    quietly(here);
                    continue;
                }
                Socket there = new Socket(InetAddress.getLoopbackAddress(), to);
                connections.incrementAndGet();
                sockets.add(here);
                sockets.add(there);
                pumps.execute(() -> pump(here, there, up));
                pumps.execute(() -> pump(there, here, down));
            } catch (IOException e) {
                // closed, or the other end is down: the caller sees its line end
            }
        }
    }

    private void pump(Socket from, Socket into, AtomicLong count) {
        byte[] chunk = new byte[16 * 1024];
        try (from;
                into) {
            InputStream in = from.getInputStream();
            OutputStream out = into.getOutputStream();
            for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
                out.write(chunk, 0, length);
                count.addAndGet(length);
                if (down.get() + up.get() >= cutAfter.get()) {
                    cutAfter.set(Long.MAX_VALUE);
                    drop();
                }
            }
        } catch (IOException e) {
            // a cut line
        }
    }

    private static void quietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is gone
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        drop();
        pumps.shutdownNow();
    }
}
