package io.jenkins.plugins.tao.job.mask;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.job.Secret;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MaskTest {
    @Test
    void eachLineOfASecretIsHiddenWhereverItStands() {
        Mask mask = Mask.of(List.of(Secret.of("first line\nsecond\n"), Secret.of("fir")));

        assertThat(mask.apply("a=first line, b=second, c=fir, d=sec")).isEqualTo("a=****, b=****, c=****, d=sec");
    }

    @Test
    void aSecretThatIsJsonLeavesOtherJsonAsItIs() {
        Mask mask = Mask.of(List.of(Secret.of("{\n  \"key\": \"hush-4711\"\n}\n")));
        String status = "{\"status\": \"RUNNING\", \"kpi\": {\"loss\": 0.1}}";

        assertThat(mask.apply(status)).isEqualTo(status);
        assertThat(mask.apply("  \"key\": \"hush-4711\"")).isEqualTo("  ****");
        assertThat(mask.apply("all: {\n  \"key\": \"hush-4711\"\n}.")).isEqualTo("all: ****.");
    }

    @Test
    @Promise("TR-42")
    void aSecretOfManyLinesIsHiddenLineByLineAndEncodedAsAWhole() {
        String kubeconfig = IntStream.range(0, 60)
                .mapToObj(line -> "certificate-part: \"hush/" + line + "\"")
                .collect(Collectors.joining("\n"));
        Mask mask = Mask.of(List.of(Secret.of(kubeconfig)));
        String encoded = Base64.getEncoder().encodeToString(kubeconfig.getBytes(StandardCharsets.UTF_8));

        assertThat(mask.apply("line certificate-part: \"hush/59\".")).isEqualTo("line ****.");
        assertThat(mask.apply("data: " + encoded)).isEqualTo("data: ****");
        assertThat(mask.apply(kubeconfig)).isEqualTo("****");
    }

    @Test
    void aSecretWithAControlCharacterIsHiddenInJsonToo() {
        Mask mask = Mask.of(List.of(Secret.of("hush\u00014711")));

        assertThat(mask.apply("{\"token\": \"hush\\u00014711\"}")).isEqualTo("{\"token\": \"****\"}");
    }

    @Test
    void aLineWithoutEndIsWrittenInPiecesOfAMebibyte() throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (OutputStream out = Mask.of(List.of(Secret.of("hush-4711"))).over(file)) {
            out.write("hush-4711 ".getBytes(StandardCharsets.UTF_8));
            out.write(new byte[1 << 20]);

            assertThat(file.toString(StandardCharsets.UTF_8)).startsWith("**** ");
        }
        assertThat(file.size()).isEqualTo((1 << 20) + "**** ".length());
    }

    @Test
    void aShortSecretIsHiddenAsAWhole() {
        assertThat(Mask.of(List.of(Secret.of("pw1\n"))).apply("login pw1.")).isEqualTo("login ****.");
    }

    @Test
    void anEmptySecretHidesNothing() {
        assertThat(Mask.of(List.of(Secret.of(""), Secret.of(" \n"))).apply("a b"))
                .isEqualTo("a b");
    }

    @Test
    void aStreamHidesASecretThatComesInPiecesAndKeepsAllElse() throws IOException {
        byte[] bytes = {'a', (byte) 0xff, 0, '\n'};
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (OutputStream out = Mask.of(List.of(Secret.of("schlüssel"))).over(file)) {
            out.write(bytes);
            out.write("x schlü".getBytes(StandardCharsets.UTF_8));
            out.write("ssel y\nz schlüssel".getBytes(StandardCharsets.UTF_8));
        }

        assertThat(file.toByteArray()).startsWith(bytes);
        assertThat(file.toString(StandardCharsets.UTF_8)).endsWith("x **** y\nz ****");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "echo 'it'\\''s $a\"secret\\4711'",
                "echo 'it'\"'\"'s $a\"secret\\4711'",
                "+ login $'it\\'s $a\"secret\\\\4711'",
                "printf it\\'s\\ \\$a\\\"secret\\\\4711",
                "declare -- TOKEN=\"it's \\$a\\\"secret\\\\4711\"",
                "{\"token\": \"it's $a\\\"secret\\\\4711\"}",
                "https://host/?token=it%27s%20%24a%22secret%5C4711",
                "https://host/?token=it%27s+%24a%22secret%5C4711"
            })
    @Promise("TR-42")
    void aSecretIsHiddenAsShellsAndEncodersShowIt(String line) {
        assertThat(Mask.of(List.of(Secret.of("it's $a\"secret\\4711"))).apply(line))
                .contains("****")
                .doesNotContain("secret", "4711");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "u", "us", "user:", "user:pw:"})
    @Promise("TR-42")
    void aSecretIsHiddenInBase64WhereverItBegins(String before) {
        String secret = "hush-4711-hush";
        Mask mask = Mask.of(List.of(Secret.of(secret)));
        for (String after : List.of("", "\n", "@host", "ab")) {
            byte[] bytes = (before + secret + after).getBytes(StandardCharsets.UTF_8);
            String shown =
                    mask.apply("Authorization: Basic " + Base64.getEncoder().encodeToString(bytes));

            assertThat(shown).contains("****");
            String rest = shown.replaceAll("^Authorization: Basic |\\*+", "");
            assertThat(rest.length()).isLessThanOrEqualTo(4 * ((before.length() + after.length()) / 3 + 3));
        }
    }

    @Test
    @Promise("TR-42")
    void aLongSecretIsHiddenInBase64OfManyLines() {
        String secret = "-----BEGIN KEY-----" + "0123456789abcdef".repeat(20);
        String lines =
                Base64.getMimeEncoder(76, new byte[] {'\n'}).encodeToString(secret.getBytes(StandardCharsets.UTF_8));

        assertThat(Mask.of(List.of(Secret.of(secret))).apply(lines)).matches("(\\*{4}\\n?)+");
    }

    @Test
    @Promise("TR-42")
    void aSecretOfHexadecimalDigitsIsHiddenAndOtherTextIsNot() {
        Mask mask = Mask.of(List.of(Secret.of("hush-4711"), Secret.of("ab")));

        assertThat(mask.apply("687573682d34373131 687573682D34373131")).isEqualTo("**** ****");
        assertThat(mask.apply("YWI= 6162 loss 0.25")).isEqualTo("YWI= 6162 loss 0.25");
    }
}
