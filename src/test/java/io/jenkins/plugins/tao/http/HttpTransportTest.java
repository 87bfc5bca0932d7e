package io.jenkins.plugins.tao.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.PlayedServer;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.SocketEffect;
import okio.Buffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class HttpTransportTest {
    private static final SocketEffect HANG_UP = new SocketEffect.CloseSocket();

    private HttpRig rig;

    @BeforeEach
    void start() throws IOException {
        rig = HttpRig.usual();
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private static HttpRequest listing() {
        return HttpRequest.get("listing jobs").path("jobs");
    }

    @Test
    void aBodyThatIsCutIsNoAnswer() {
        rig.answers(HttpRig.json(200, "{\"jobs\":[" + "1,".repeat(50_000)).onResponseBody(HANG_UP));

        assertThatThrownBy(() -> rig.api.send(listing()))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("no whole answer while listing jobs");
    }

    @Test
    void badChunksAreNoAnswer() {
        rig.answers(new MockResponse.Builder()
                .setHeader("Transfer-Encoding", "chunked")
                .body("this is no length\r\n{}\r\n"));

        assertThatThrownBy(() -> rig.api.send(listing())).isInstanceOf(Unreachable.class);
    }

    @Test
    void anAnswerInDripsEndsWithTheCall() {
        rig.answers(HttpRig.json(200, "x".repeat(1000)).throttleBody(1, 100, TimeUnit.MILLISECONDS));

        assertThatThrownBy(() -> rig.api.send(listing().within(Duration.ofMillis(500))))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("the time allowed for it has passed");
    }

    @Test
    void silenceEndsToo() {
        rig.answers(new MockResponse.Builder().onResponseStart(SocketEffect.Stall.INSTANCE));

        assertThatThrownBy(() -> rig.api.send(listing().quietFor(Duration.ofMillis(300))))
                .isInstanceOf(Unreachable.class);
    }

    @Test
    void nobodyThereIsUnreachable() {
        rig.server.close();

        assertThatThrownBy(() -> rig.api.send(listing()))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("no connection");
    }

    @Test
    void whatMakesSomethingIsNeverSentTwice() {
        rig.answers(new MockResponse.Builder().onResponseStart(HANG_UP), HttpRig.json(201, "{}"));

        assertThatThrownBy(() -> rig.api.send(HttpRequest.post("making a job").path("jobs")))
                .isInstanceOf(Unreachable.class);

        assertThat(rig.server.getRequestCount()).isEqualTo(1);
    }

    @Test
    void aConnectionTheServiceHadClosedMeanwhileIsMadeAnewForReading() throws Exception {
        rig.answers(HttpRig.json(200, "{}").onResponseEnd(HANG_UP), HttpRig.json(200, "{}"));

        rig.api.send(listing());

        assertThat(rig.api.send(listing()).ok()).isTrue();
    }

    @Test
    void oneConnectionServesManyCalls() throws Exception {
        for (int i = 0; i < 5; i++) {
            rig.answers(HttpRig.json(200, "{}"));
            rig.api.send(listing());
        }

        for (int i = 0; i < 5; i++) {
            assertThat(rig.server.takeRequest().getConnectionIndex()).isZero();
        }
    }

    @Test
    void anAnswerIsBoundedEvenWhenItWasPacked() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(new byte[50 << 20]);
        }
        rig.answers(new MockResponse.Builder()
                .setHeader("Content-Encoding", "gzip")
                .body(new Buffer().write(packed.toByteArray())));

        assertThatThrownBy(() -> rig.api.send(listing()))
                .isInstanceOf(Unreadable.class)
                .hasMessageContaining("more than 1048576 bytes");
    }

    @Test
    void aPackedAnswerIsUnpacked() throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write("{\"a\":2}".getBytes(UTF_8));
        }
        rig.answers(new MockResponse.Builder()
                .setHeader("Content-Encoding", "gzip")
                .body(new Buffer().write(packed.toByteArray())));

        assertThat(rig.api.send(listing()).json().path("a").intValue()).isEqualTo(2);
    }

    @Test
    void aRedirectWithinTheServiceIsFollowed() throws Exception {
        rig.answers(new MockResponse.Builder().code(307).setHeader("Location", "/elsewhere"), HttpRig.json(200, "{}"));

        rig.api.send(listing());

        rig.server.takeRequest();
        assertThat(rig.server.takeRequest().getTarget()).isEqualTo("/elsewhere");
    }

    @Test
    void aRedirectToAnotherPlaceIsNotFollowed() throws Exception {
        try (MockWebServer other = PlayedServer.create()) {
            other.start();
            rig.answers(new MockResponse.Builder().code(302).setHeader("Location", other.url("/catch")));

            assertThatThrownBy(() -> rig.api.send(listing()))
                    .isInstanceOf(Unreadable.class)
                    .hasMessageContaining("a redirect (HTTP 302) to another place");

            assertThat(other.getRequestCount()).isZero();
        }
    }

    @Test
    void whatMakesSomethingIsNotRedirected() {
        rig.answers(new MockResponse.Builder().code(307).setHeader("Location", "/elsewhere"));

        assertThatThrownBy(() -> rig.api.send(HttpRequest.post("making a job"))).isInstanceOf(Unreadable.class);
    }

    @Test
    void aFileElsewhereIsFetchedWithoutTheToken() throws Exception {
        try (MockWebServer store = PlayedServer.create()) {
            store.start();
            store.enqueue(new MockResponse.Builder().body("data").build());
            store.enqueue(new MockResponse.Builder().body("data").build());
            rig.answers(new MockResponse.Builder().code(302).setHeader("Location", store.url("/file?sig=1")));

            String redirected = rig.api.send(listing().followElsewhere()).text();
            String direct = rig.api
                    .send(HttpRequest.get("fetching a file")
                            .at(store.url("/file?sig=2").toString()))
                    .text();

            assertThat(redirected).isEqualTo(direct).isEqualTo("data");
            assertThat(store.takeRequest().getHeaders().get("Authorization")).isNull();
            assertThat(store.takeRequest().getHeaders().get("Authorization")).isNull();
        }
    }

    @Test
    void aCircleOfRedirectsEnds() {
        for (int i = 0; i < 10; i++) {
            rig.answers(new MockResponse.Builder().code(302).setHeader("Location", "/round"));
        }

        assertThatThrownBy(() -> rig.api.send(listing())).isInstanceOf(Unreadable.class);
    }

    @Test
    void aStreamIsCopiedWithinItsLimit() throws Exception {
        rig.answers(
                new MockResponse.Builder().chunkedBody("abcdef", 2),
                new MockResponse.Builder().chunkedBody("abcdef", 2));
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        ByteArrayOutputStream part = new ByteArrayOutputStream();

        try (HttpStream stream = rig.api.open(listing())) {
            assertThat(stream.copyTo(whole, 6)).isEqualTo(6);
        }

        try (HttpStream stream = rig.api.open(listing())) {
            assertThatThrownBy(() -> stream.copyTo(part, 5)).isInstanceOf(Unreadable.class);
        }
        assertThat(whole.toString(UTF_8)).isEqualTo("abcdef");
        assertThat(part.size()).isLessThanOrEqualTo(5);
    }

    @Test
    void aStreamWithoutEndGivesWhatItHasWhenItFallsSilent() throws Exception {
        rig.answers(
                new MockResponse.Builder().body("0123456789".repeat(2)).onResponseBody(SocketEffect.Stall.INSTANCE));

        try (HttpStream stream = rig.api.open(listing().quietFor(Duration.ofSeconds(3)))) {
            assertThat(new String(stream.takeUntilQuiet(1000), UTF_8)).isEqualTo("0123456789");
        }
    }

    @Test
    void aStreamGivesNoMoreThanWanted() throws Exception {
        rig.answers(new MockResponse.Builder().body("0123456789"));

        try (HttpStream stream = rig.api.open(listing())) {
            assertThat(stream.takeUntilQuiet(4)).hasSize(4);
        }
    }
}
