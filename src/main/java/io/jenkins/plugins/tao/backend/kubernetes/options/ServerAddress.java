package io.jenkins.plugins.tao.backend.kubernetes.options;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/** Where an API server, or a proxy before it, is: what may be wrong with such an address. Pure. */
public final class ServerAddress {
    private ServerAddress() {}

    /**
     * What is wrong with the address of an API server, in words that follow the address; empty when nothing is.
     *
     * @param plain whether {@code http} is allowed beyond this machine: then a token can be read on its way
     */
    public static Optional<String> fault(String address, boolean plain) {
        if (!address.matches("(?i)[a-z][a-z0-9+.-]*://.*")) {
            return Optional.of("begins with no https://");
        }
        Optional<URI> uri = parse(address);
        if (uri.isEmpty() || uri.get().getHost() == null) {
            return Optional.of("is no address as in https://host:6443");
        }
        if (uri.get().getUserInfo() != null) {
            return Optional.of("holds a user or password, which belong to the user's entry");
        }
        String scheme = uri.get().getScheme();
        if (scheme.equalsIgnoreCase("http")) {
            return plain || isLoopback(uri.get().getHost())
                    ? Optional.empty()
                    : Optional.of("is without TLS, so that the token could be read on the network");
        }
        return scheme.equalsIgnoreCase("https") ? Optional.empty() : Optional.of("begins with no https://");
    }

    /** What is wrong with the address of a proxy; empty when nothing is. */
    public static Optional<String> proxyFault(String address) {
        boolean known = parse(address)
                .filter(uri -> uri.getHost() != null)
                .filter(uri -> uri.getScheme().matches("(?i)https?|socks5h?"))
                .isPresent();
        return known ? Optional.empty() : Optional.of("is no address as in http://proxy:3128");
    }

    /** An address of this machine: what goes there travels on no wire. */
    private static boolean isLoopback(String host) {
        return host.equals("localhost") || host.equals("[::1]") || host.equals("127.0.0.1");
    }

    private static Optional<URI> parse(String address) {
        try {
            URI uri = new URI(address);
            return uri.getScheme() == null ? Optional.empty() : Optional.of(uri);
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }
}
