package io.jenkins.plugins.tao.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import okhttp3.Credentials;
import okhttp3.OkHttpClient;

/** Sends each request through the proxy, or around it. */
final class ProxyRoute extends ProxySelector {
    private static final String LOGIN = "Proxy-Authorization";

    private final HttpProxy proxy;

    private ProxyRoute(HttpProxy proxy) {
        this.proxy = proxy;
    }

    static OkHttpClient.Builder of(Optional<HttpProxy> proxy, OkHttpClient.Builder client) {
        if (proxy.isEmpty()) {
            return client.proxy(Proxy.NO_PROXY);
        }
        HttpProxy way = proxy.get();
        way.user()
                .ifPresent(user -> client.proxyAuthenticator((route, response) -> {
                    boolean refused = response.request().header(LOGIN) != null;
                    String login = Credentials.basic(
                            user, way.password().map(secret -> secret.reveal()).orElse(""));
                    return refused
                            ? null
                            : response.request()
                                    .newBuilder()
                                    .header(LOGIN, login)
                                    .build();
                }));
        return client.proxySelector(new ProxyRoute(way));
    }

    @Override
    public List<Proxy> select(URI uri) {
        boolean direct = uri.getHost() == null || proxy.spares(uri.getHost());
        return direct
                ? List.of(Proxy.NO_PROXY)
                : List.of(new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved(proxy.host(), proxy.port())));
    }

    @Override
    public void connectFailed(URI uri, SocketAddress address, IOException failure) {
        // OkHttp tells the failure itself; there is only one proxy to choose
    }
}
