package io.jenkins.plugins.tao.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpApiTest {
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

    private BackendException refused() {
        return catchThrowableOfType(BackendException.class, () -> rig.api.send(listing()));
    }

    @Test
    void aRequestIsSentAsItWasPutTogether() throws Exception {
        rig.answers(HttpRig.json(201, "{\"id\":\"a\"}"));

        HttpReply reply = rig.api.send(HttpRequest.post("making a job")
                .path("jobs", "a/b c")
                .query("q", "x=y&z +")
                .header("Origin", "https://there.example")
                .json(Json.object().put("name", "tschüß")));

        RecordedRequest sent = rig.server.takeRequest();
        assertThat(reply.status()).isEqualTo(201);
        assertThat(reply.json().path("id").textValue()).isEqualTo("a");
        assertThat(sent.getTarget()).isEqualTo("/api/v2/jobs/a%2Fb%20c?q=x%3Dy%26z%20%2B");
        assertThat(sent.getHeaders().get("Authorization")).isEqualTo("Bearer " + HttpRig.TOKEN);
        assertThat(sent.getHeaders().get("Origin")).isEqualTo("https://there.example");
        assertThat(sent.getHeaders().get("Content-Type")).isEqualTo("application/json");
        assertThat(sent.getHeaders().get("User-Agent")).isEqualTo("tao-run");
        assertThat(sent.getBody().utf8()).isEqualTo("{\"name\":\"tschüß\"}");
    }

    @Test
    void aPathThatIsEncodedAlreadyIsSentToTheLetter() throws Exception {
        rig.answers(HttpRig.json(200, "{}"));

        rig.api.send(HttpRequest.post("storing a file")
                .encodedPath("bucket/a%2Bb%20c/%C3%BC~_-.!%2A%27%28%29")
                .encodedQuery("partNumber=1&uploadId=x%2Fy%3D"));

        RecordedRequest sent = rig.server.takeRequest();
        assertThat(sent.getTarget())
                .isEqualTo("/api/v2/bucket/a%2Bb%20c/%C3%BC~_-.!%2A%27%28%29?partNumber=1&uploadId=x%2Fy%3D");
        assertThat(sent.getHeaders().get("Content-Type")).isNull();
        assertThat(sent.getHeaders().get("Content-Length")).isEqualTo("0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", ".", "%2e%2E", ""})
    void aPathCannotClimb(String segment) {
        assertThatThrownBy(() -> HttpRequest.get("reading").path(segment)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({"400", "404", "405", "409", "412", "422"})
    void aRefusalCarriesTheServicesOwnWordsAndItsStatusCanBeSeen(int status) throws Exception {
        String body = "{\"code\":\"ResourceConflict\",\"message\":\"secret x\\n exists already\"}";
        rig.answers(HttpRig.json(status, body), HttpRig.json(status, body));

        HttpReply seen = rig.api.exchange(listing());
        BackendException thrown = refused();

        assertThat(seen.status()).isEqualTo(status);
        assertThat(seen.ok()).isFalse();
        assertThat(thrown)
                .isInstanceOf(Rejected.class)
                .hasMessage("Service 'test' refused listing jobs, HTTP " + status + ": secret x exists already.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"error\":{\"code\":404,\"message\":\"no such kernel\"}} | no such kernel",
                "{\"error\":\"plain words\"} | plain words",
                "{\"errors\":[{\"detail\":\"first\"}]} | first",
                "<Error><Code>NoSuchKey</Code><Message>The key is not there.</Message></Error> "
                        + "| NoSuchKey: The key is not there.",
                "<html><head><title>404 Not here</title></head></html> | 404 Not here",
                "just text | just text"
            })
    void wordsAreFoundInWhateverShapeTheyCome(String body, String words) throws Exception {
        rig.answers(new MockResponse.Builder().code(404).body(body));

        assertThat(rig.api.exchange(listing()).message()).isEqualTo(words);
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403})
    void aRefusedCredentialIsNamedWithTheWayToRenewIt(int status) {
        rig.answers(HttpRig.json(status, "{\"message\":\"token expired\"}").setHeader("x-request-id", "r-7"));

        assertThat(refused())
                .isInstanceOf(Denied.class)
                .hasMessage("Service 'test' does not allow listing jobs with credential 'key-1', HTTP " + status
                        + ": token expired (request id r-7).")
                .extracting(BackendException::remedy)
                .isEqualTo("Make a new token, then store it.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "17 | none | 17",
                "0 | none | none",
                "-3 | none | none",
                "soon | none | none",
                "99999 | none | 3600",
                "Wed, 21 Oct 2026 07:28:30 GMT | Wed, 21 Oct 2026 07:28:00 GMT | 30",
                "Wed, 21 Oct 2026 07:28:30 GMT | none | none",
                "Wed, 21 Oct 2026 07:28:00 GMT | Wed, 21 Oct 2026 07:28:30 GMT | none"
            })
    void aServiceThatAsksToWaitIsUnreachableForThatLong(String retryAfter, String date, Integer seconds) {
        MockResponse.Builder reply = HttpRig.json(429, "{}").setHeader("Retry-After", retryAfter);
        rig.answers(date == null ? reply : reply.setHeader("Date", date));

        BackendException thrown = refused();

        assertThat(thrown).isInstanceOf(Unreachable.class);
        assertThat(((Unreachable) thrown).retryAfter())
                .isEqualTo(Optional.ofNullable(seconds).map(Duration::ofSeconds));
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 500, 502, 503, 504})
    void aServiceThatFailsIsWaitedFor(int status) {
        rig.answers(new MockResponse.Builder().code(status).body("<html><title>oops</title></html>"));
        rig.answers(new MockResponse.Builder().code(status).body("<html><title>oops</title></html>"));

        assertThat(refused()).isInstanceOf(Unreachable.class).hasMessageContaining("HTTP " + status + ": oops");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text/html | <html>login here</html> | sent a web page",
                "application/json | {\"jobs\":[{\"a\" | not whole JSON",
                "application/json | {} {} | not whole JSON",
                "application/octet-stream | ok | not whole JSON",
                "application/json | '' | an empty answer"
            })
    void whatIsNoJsonIsUnreadableWithAnExcerpt(String type, String body, String words) {
        rig.answers(new MockResponse.Builder().setHeader("Content-Type", type).body(body));

        assertThatThrownBy(() -> rig.api.send(listing()).json())
                .isInstanceOf(Unreadable.class)
                .hasMessageContaining(words)
                .hasMessageContaining(body.strip());
    }

    @Test
    void jsonIsReadWhateverItsContentTypeSays() throws Exception {
        rig.answers(new MockResponse.Builder()
                .setHeader("Content-Type", "text/plain")
                .body("{\"a\":1}"));

        assertThat(rig.api.send(listing()).json().path("a").intValue()).isEqualTo(1);
    }

    @Test
    void anErrorThatCameWithSuccessIsFoundByTheCallersCheck() {
        BodyError.Check check = body -> Optional.of(body.path("error").asText())
                .filter(text -> !text.isEmpty())
                .map(text -> new BodyError(409, text));
        rig.answers(HttpRig.json(200, "{\"error\":\"Maximum of 2 reached.\"}"));

        assertThatThrownBy(() -> rig.api.send(listing().errorIn(check)))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("Maximum of 2 reached.");
    }

    @Test
    void noTokenIsEverInATextOfOurs() {
        Secret inBody = Secret.of("hunter2-hunter2");
        HttpRequest request = listing().hide(List.of(inBody)).query("sig", "hunter2-hunter2");
        rig.answers(HttpRig.json(400, "{\"message\":\"got " + HttpRig.TOKEN + " and hunter2-hunter2\"}"));

        BackendException thrown = catchThrowableOfType(BackendException.class, () -> rig.api.send(request));

        assertThat(thrown.explain()).contains("got *** and ***");
        assertThat(request.toString() + HttpCredential.bearer("c", Secret.of(HttpRig.TOKEN), "r"))
                .doesNotContain("hunter2", HttpRig.TOKEN);
    }

    @Test
    void aSecretOfSeveralLinesOrAtTheCutIsMaskedAsAWhole() {
        Secret key = Secret.of("-----BEGIN\nabcdef\n-----END");
        String body = "{\"message\":\"got -----BEGIN\\nabcdef\\n-----END " + "x".repeat(470) + HttpRig.TOKEN + "\"}";
        rig.answers(HttpRig.json(400, body));
        rig.answers(HttpRig.json(200, "x".repeat(190) + HttpRig.TOKEN));

        BackendException long1 = catchThrowableOfType(
                BackendException.class, () -> rig.api.send(listing().hide(List.of(key))));
        BackendException odd = catchThrowableOfType(
                BackendException.class, () -> rig.api.send(listing()).json());

        assertThat(long1.explain()).contains("got *** xxx").doesNotContain("abcdef", HttpRig.TOKEN.substring(0, 6));
        assertThat(odd.explain()).contains("xxx***").doesNotContain(HttpRig.TOKEN.substring(0, 6));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "two words", "tok\u00e9n", "a\nb"})
    void aTokenThatCannotBeOneIsRefusedWithoutShowingIt(String token) {
        assertThatThrownBy(() -> HttpCredential.bearer("credential 'k'", Secret.of(token), "Renew it."))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("credential 'k' ")
                .message()
                .doesNotContain("two words", "\u00e9");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://service.example/api", "ftp://x", "service.example", ""})
    void aTokenIsNotSentWhereOthersCouldReadIt(String address) {
        HttpCredential token = HttpCredential.bearer("credential 'k'", Secret.of("t0ken"), "Renew it.");

        assertThatThrownBy(() -> new HttpApi("Service", address, token, HttpSettings.defaults()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("https");
    }
}
