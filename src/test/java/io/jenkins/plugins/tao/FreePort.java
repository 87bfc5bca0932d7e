package io.jenkins.plugins.tao;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** A port for a server that cannot be asked to choose its own. */
public final class FreePort {
    private static final int FIRST = 20_000;
    /** From here on the kernel of Linux gives ports to processes that connect, also one that was free a moment ago. */
    private static final int END = 32_768;

    private FreePort() {}

    /** A port that nothing listens on now, and that the kernel gives to no other process. */
    public static int find() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (BindException e) {
                // another one, then
            }
        }
    }
}
