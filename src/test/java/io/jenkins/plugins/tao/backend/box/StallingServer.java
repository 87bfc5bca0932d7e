package io.jenkins.plugins.tao.backend.box;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Serves one file over HTTP, with ranges; the first answer stops half-way and says nothing more. */
public final class StallingServer implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService workers = Executors.newCachedThreadPool();
    private final CountDownLatch over = new CountDownLatch(1);
    private final byte[] file;
    private final List<Long> starts = new CopyOnWriteArrayList<>();

    public StallingServer(byte[] file) throws IOException {
        this.file = file;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(workers);
        server.createContext("/", this::answer);
        server.start();
    }

    public String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/model.bin";
    }

    /** From which byte each answer began. */
    public List<Long> starts() {
        return starts;
    }

    private void answer(HttpExchange exchange) throws IOException {
        String range = exchange.getRequestHeaders().getFirst("Range");
        int from = range == null ? 0 : Integer.parseInt(range.replaceAll("bytes=(\\d+)-.*", "$1"));
        starts.add((long) from);
        int length = file.length - from;
        if (from > 0) {
            exchange.getResponseHeaders()
                    .add("Content-Range", "bytes " + from + "-" + (file.length - 1) + "/" + file.length);
        }
        exchange.sendResponseHeaders(from > 0 ? 206 : 200, length);
        try (OutputStream out = exchange.getResponseBody()) {
            if (starts.size() == 1) {
                out.write(file, 0, length / 2);
                out.flush();
                over.await();
            } else {
                out.write(file, from, length);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        over.countDown();
        server.stop(0);
        workers.shutdownNow();
    }
}
