package io.jenkins.plugins.tao.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

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
}
