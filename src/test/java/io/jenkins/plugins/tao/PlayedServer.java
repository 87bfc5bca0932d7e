package io.jenkins.plugins.tao;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import javax.net.ServerSocketFactory;
import mockwebserver3.MockWebServer;

/**
 * An HTTP server of a test. It sends each part of an answer at once, as real servers do: with Nagle's algorithm, the
 * body behind the headers waits 40 ms for the client's acknowledgement.
 */
public final class PlayedServer {
    private PlayedServer() {}

    /** One that has not been started. */
    public static MockWebServer create() {
        MockWebServer server = new MockWebServer();
        server.setServerSocketFactory(new NoDelay());
        return server;
    }

    private static final class NoDelay extends ServerSocketFactory {
        @Override
        public ServerSocket createServerSocket() throws IOException {
            return new ServerSocket() {
                @Override
                public Socket accept() throws IOException {
                    Socket socket = super.accept();
                    socket.setTcpNoDelay(true);
                    return socket;
                }
            };
        }

        @Override
        public ServerSocket createServerSocket(int port) {
            throw new UnsupportedOperationException("MockWebServer binds by itself");
        }

        @Override
        public ServerSocket createServerSocket(int port, int backlog) {
            throw new UnsupportedOperationException("MockWebServer binds by itself");
        }

        @Override
        public ServerSocket createServerSocket(int port, int backlog, InetAddress address) {
            throw new UnsupportedOperationException("MockWebServer binds by itself");
        }
    }
}
