package io.jenkins.plugins.tao.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.jenkins.plugins.tao.job.Secret;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The examples that Amazon publishes with its description of the signature, with its example keys.
 *
 * @see <a href="https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html">the examples</a>
 */
class S3SignatureTest {
    private static final S3Signature SIGNATURE = new S3Signature(
            "us-east-1", Secret.of("AKIAIOSFODNN7EXAMPLE"), Secret.of("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"));

    private static String sign(String method, String path, Map<String, String> query, Map<String, String> more) {
        TreeMap<String, String> headers = new TreeMap<>(Map.of(
                "host", "examplebucket.s3.amazonaws.com",
                "x-amz-date", "20130524T000000Z",
                "x-amz-content-sha256", S3Signature.EMPTY));
        headers.putAll(more);
        return SIGNATURE.authorization(
                new S3Signature.Signed(method, S3Signature.path(path), new TreeMap<>(query), headers));
    }

    @Test
    void gettingAnObject() {
        assertThat(sign("GET", "/test.txt", Map.of(), Map.of("range", "bytes=0-9")))
                .isEqualTo("AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
                        + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
                        + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
    }

    @Test
    void puttingAnObject() {
        Map<String, String> headers = Map.of(
                "date", "Fri, 24 May 2013 00:00:00 GMT",
                "x-amz-storage-class", "REDUCED_REDUNDANCY",
                "x-amz-content-sha256", "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072");

        assertThat(sign("PUT", "/test$file.text", Map.of(), headers))
                .endsWith("Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
    }

    @Test
    void aParameterWithoutValue() {
        assertThat(sign("GET", "/", Map.of("lifecycle", ""), Map.of()))
                .endsWith("Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
    }

    @Test
    void listingObjects() {
        assertThat(sign("GET", "/", Map.of("max-keys", "2", "prefix", "J"), Map.of()))
                .endsWith("Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
    }

    @Test
    void everythingButLettersDigitsAndFourSignsIsEncoded() {
        assertThat(S3Signature.path("/a b/ü+%~-_.é'(")).isEqualTo("/a%20b/%C3%BC%2B%25~-_.%C3%A9%27%28");
        assertThat(S3Signature.query(new TreeMap<>(Map.of("b", "x/y z", "a", ""))))
                .isEqualTo("a=&b=x%2Fy%20z");
    }

    @Test
    void aRequestWithoutTimeIsNotSigned() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        SIGNATURE.authorization(new S3Signature.Signed("GET", "/", new TreeMap<>(), new TreeMap<>())))
                .withMessageContaining("x-amz-date");
    }
}
