package io.jenkins.plugins.tao.backend.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.Response;
import io.fabric8.mockwebserver.http.WebSocket;
import io.fabric8.mockwebserver.http.WebSocketListener;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A program that the API server starts in a pod: a process, whose streams go over a web socket, each message with the number of its
 * channel before it, as {@code v4.channel.k8s.io} has it.
 */
final class SimulatedExec extends WebSocketListener {
    private static final int OUT = 1;
    private static final int ERR = 2;
    private static final int STATUS = 3;

    /** After how many bytes a connection is lost, and what happens then. */
    record Cut(long after, Runnable then) {
        static final Cut NEVER = new Cut(Long.MAX_VALUE, () -> {});
    }

    private final List<String> words;
    private final Cut cut;
    private volatile Optional<Process> running = Optional.empty();
    private long sent;

    private SimulatedExec(List<String> words, Cut cut) {
        this.words = words;
        this.cut = cut;
    }

    /** Answers a request; after so many bytes of standard output the connection may be lost. */
    static MockResponse answer(String path, Cut cut) {
        List<String> words = Stream.of(path.substring(path.indexOf('?') + 1).split("&"))
                .filter(each -> each.startsWith("command="))
                .map(each -> URLDecoder.decode(each.substring("command=".length()), UTF_8))
                .toList();
        return new MockResponse()
                .setHeader("Sec-WebSocket-Protocol", "v4.channel.k8s.io")
                .withWebSocketUpgrade(new SimulatedExec(words, cut));
    }

    @Override
    public void onOpen(WebSocket socket, Response response) {
        Process process;
        try {
            process = new ProcessBuilder(words).start();
            running = Optional.of(process);
        } catch (IOException e) {
            socket.close(1011, "cannot start: " + e.getMessage());
            return;
        }
        Thread err = pump(socket, process.getErrorStream(), ERR);
        Thread out = pump(socket, process.getInputStream(), OUT);
        Thread end = new Thread(() -> {
            try {
                out.join();
                err.join();
                int code = process.waitFor();
                if (sent <= cut.after()) {
                    message(socket, STATUS, status(code).getBytes(UTF_8));
                    socket.close(1000, "");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        end.setDaemon(true);
        end.start();
    }

    private static String status(int code) {
        return code == 0
                ? "{\"metadata\":{},\"status\":\"Success\"}"
                : "{\"metadata\":{},\"status\":\"Failure\",\"message\":\"command terminated with exit code " + code
                        + "\",\"reason\":\"NonZeroExitCode\",\"details\":{\"causes\":[{\"reason\":\"ExitCode\",\"message\":\""
                        + code + "\"}]}}";
    }

    private Thread pump(WebSocket socket, InputStream in, int channel) {
        Thread thread = new Thread(() -> {
            byte[] chunk = new byte[16 * 1024];
            try {
                for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
                    if (channel == OUT) {
                        sent += count;
                        if (sent > cut.after()) {
                            running.ifPresent(Process::destroyForcibly);
                            cut.then().run();
                            socket.close(1011, "the node is gone");
                            return;
                        }
                    }
                    message(socket, channel, Arrays.copyOf(chunk, count));
                }
            } catch (IOException e) {
                // the process was ended
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void message(WebSocket socket, int channel, byte[] bytes) {
        byte[] message = new byte[bytes.length + 1];
        message[0] = (byte) channel;
        System.arraycopy(bytes, 0, message, 1, bytes.length);
        synchronized (socket) {
            socket.send(message);
        }
    }

    @Override
    public void onMessage(WebSocket socket, byte[] bytes) {
        if (bytes.length < 2 || bytes[0] != 0) {
            return;
        }
        try {
            OutputStream in = running.orElseThrow().getOutputStream();
            in.write(bytes, 1, bytes.length - 1);
            in.flush();
        } catch (IOException e) {
            // it does not read any more
        }
    }

    @Override
    public void onClosed(WebSocket socket, int code, String reason) {
        running.ifPresent(Process::destroyForcibly);
    }
}
