package io.jenkins.plugins.tao.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.PlayedServer;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.job.Secret;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpProxyTest {
    @Test
    void theEnvironmentNamesTheProxyInEitherSpelling() {
        HttpProxy small = HttpProxy.ofEnvironment(
                        Map.of("https_proxy", "http://me:p%40ss@proxy.corp:3128/", "no_proxy", "a.b, .corp"))
                .orElseThrow();
        HttpProxy capital = HttpProxy.ofEnvironment(Map.of("HTTPS_PROXY", "proxy.corp:3128"))
                .orElseThrow();

        assertThat(small)
                .isEqualTo(new HttpProxy(
                        "proxy.corp",
                        3128,
                        Optional.of("me"),
                        Optional.of(Secret.of("p@ss")),
                        List.of("a.b", ".corp")));
        assertThat(capital.host()).isEqualTo("proxy.corp");
        assertThat(HttpProxy.ofEnvironment(Map.of("https_proxy", ""))).isEmpty();
        assertThat(HttpProxy.ofEnvironment(Map.of("ALL_PROXY", "socks5://proxy.corp:1080")))
                .isEmpty();
        assertThat(small.toString()).doesNotContain("p@ss");
    }

    @ParameterizedTest
    @ValueSource(strings = {"socks5://user:pa55@proxy:1080", "http://", "http://user:pa55@:1"})
    void aProxyThatCannotBeReadIsRefusedWithoutShowingIt(String text) {
        assertThatThrownBy(() -> HttpProxy.parse(text, List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .contains("http://host:port")
                .doesNotContain("pa55");
    }

    @ParameterizedTest
    @CsvSource({
        "api.example.com, true",
        "example.com, true",
        "badexample.com, false",
        "x.wild.org, true",
        "10.0.3.4, true",
        "10.1.3.4, false",
        "EXACT.net, true",
        "127.0.0.1, true",
        "localhost, true",
        "elsewhere.io, false"
    })
    void someHostsAreReachedWithoutIt(String host, boolean direct) {
        HttpProxy proxy = HttpProxy.parse("http://p:1", List.of(".example.com", "*.wild.org", "10.0.*", "exact.net"));

        assertThat(proxy.spares(host)).isEqualTo(direct);
    }

    @Test
    void requestsGoThroughTheProxyWithItsLoginAndTheTokenOnlyInsideTheTunnel() throws Exception {
        try (MockWebServer proxy = PlayedServer.create()) {
            proxy.start();
            proxy.enqueue(new MockResponse.Builder().code(502).build());
            HttpSettings settings = HttpSettings.defaults()
                    .proxy(Optional.of(HttpProxy.parse("http://me:pw@127.0.0.1:" + proxy.getPort(), List.of())));
            HttpCredential token = HttpCredential.bearer("credential 'k'", Secret.of("t0ken"), "Renew it.");

            try (HttpApi api = new HttpApi("Service", "https://service.invalid/api", token, settings)) {
                assertThatThrownBy(() -> api.send(HttpRequest.get("listing")))
                        .hasMessageContaining("Service")
                        .hasMessageContaining("the proxy refused it, Unexpected response code for CONNECT: 502")
                        .extracting(failure -> ((BackendException) failure).remedy())
                        .isEqualTo("Check the address, DNS and the proxy's settings.");
            }

            RecordedRequest tunnel = taken(proxy);
            assertThat(tunnel.getRequestLine()).isEqualTo("CONNECT service.invalid:443 HTTP/1.1");
            assertThat(tunnel.getHeaders().get("Authorization")).isNull();
            assertThat(tunnel.getHeaders().get("Proxy-Authorization")).startsWith("Basic ");
        }
    }

    private static RecordedRequest taken(MockWebServer server) throws InterruptedException {
        return Objects.requireNonNull(server.takeRequest(5, TimeUnit.MINUTES));
    }

    @Test
    void aProxyThatWantsALoginIsNamed() throws Exception {
        try (MockWebServer proxy = PlayedServer.create()) {
            proxy.start();
            proxy.enqueue(new MockResponse.Builder().code(407).build());
            HttpSettings settings = HttpSettings.defaults()
                    .proxy(Optional.of(HttpProxy.parse("127.0.0.1:" + proxy.getPort(), List.of())));

            try (HttpApi api = new HttpApi(
                    "Service", "http://service.invalid/api", HttpCredential.ofRequests("no key", "None."), settings)) {
                assertThatThrownBy(() -> api.send(HttpRequest.get("listing")))
                        .isInstanceOf(Denied.class)
                        .hasMessageContaining("proxy");
            }
        }
    }
}
