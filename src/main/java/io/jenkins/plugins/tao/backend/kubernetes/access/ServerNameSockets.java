package io.jenkins.plugins.tao.backend.kubernetes.access;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** Sends a name other than the address as the server name (SNI): by it a load balancer chooses between clusters. */
public final class ServerNameSockets extends SSLSocketFactory {
    private final SSLSocketFactory sockets;
    private final SNIHostName name;

    /** Sockets as {@code sockets} makes them, that ask for {@code name}. */
    public ServerNameSockets(SSLSocketFactory sockets, String name) {
        this.sockets = sockets;
        this.name = new SNIHostName(name);
    }

    private Socket named(Socket socket) {
        if (socket instanceof SSLSocket secure) {
            SSLParameters parameters = secure.getSSLParameters();
            parameters.setServerNames(List.of(name));
            secure.setSSLParameters(parameters);
        }
        return socket;
    }

    @Override
    public String[] getDefaultCipherSuites() {
        return sockets.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return sockets.getSupportedCipherSuites();
    }

    @Override
    public Socket createSocket() throws IOException {
        return named(sockets.createSocket());
    }

    @Override
    public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
        return named(sockets.createSocket(socket, host, port, autoClose));
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return named(sockets.createSocket(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        return named(sockets.createSocket(host, port, localHost, localPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return named(sockets.createSocket(host, port));
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
            throws IOException {
        return named(sockets.createSocket(address, port, localAddress, localPort));
    }
}
