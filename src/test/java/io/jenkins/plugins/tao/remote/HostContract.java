package io.jenkins.plugins.tao.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.host.Reply;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What every host promises. */
public abstract class HostContract {
    public static final Duration LIMIT = Duration.ofMinutes(5);

    public abstract Host host();

    @Test
    void bothOutputsAndTheExitCodeComeApart() throws Exception {
        Reply reply = host().run("echo out; echo err >&2; exit 7", LIMIT);

        assertThat(reply.text()).isEqualTo("out\n");
        assertThat(reply.err()).isEqualTo("err\n");
        assertThat(reply.exitCode()).isEqualTo(7);
    }

    @Test
    void aScriptWithoutOutputAnswersEmpty() throws Exception {
        Reply reply = host().run("", LIMIT);

        assertThat(reply.ok()).isTrue();
        assertThat(reply.out()).isEmpty();
        assertThat(reply.err()).isEmpty();
    }

    @Test
    void commandsThatReadStandardInputDoNotEatTheScript() throws Exception {
        assertThat(host().run("cat\nread line || echo empty\nhead -c 5\necho end", LIMIT)
                        .text())
                .isEqualTo("empty\nend\n");
    }

    @Test
    void aSignalIsToldAs128AndItsNumber() throws Exception {
        assertThat(host().run("kill -TERM $$", LIMIT).exitCode()).isEqualTo(143);
    }

    @Test
    void hereDocumentsFunctionsQuotesAndUtf8ArriveAsWritten() throws Exception {
        String script = "f() { cat <<'E'\n$x `y` \\z ! äöü ✓\nE\n}\nf; printf '%s|' 'a b' \"c'd\"; # a comment";

        assertThat(host().run(script, LIMIT).text()).isEqualTo("$x `y` \\z ! äöü ✓\na b|c'd|");
    }

    @Test
    void outputOfAnyBytesComesAsItIs() throws Exception {
        byte[] out = host().run("printf '\\000\\001\\377\\r\\n\\200'", LIMIT).out();

        assertThat(out).containsExactly(0, 1, 0xFF, '\r', '\n', 0x80);
    }

    @Test
    void aScriptOfSomeMebibytesArrivesWhole() throws Exception {
        String script = "x='" + "0123456789abcdé\n".repeat(330_000) + "'; printf %s \"$x\" | wc -c";

        assertThat(host().run(script, LIMIT).text().strip()).isEqualTo("5610000");
    }

    @Test
    void ofALongStandardErrorTheEndIsKept() throws Exception {
        Reply reply = host().run("head -c 300000 /dev/zero | tr '\\000' x >&2; echo last >&2; echo out", LIMIT);

        assertThat(reply.err()).hasSize(64 * 1024).endsWith("xxxlast\n");
        assertThat(reply.text()).isEqualTo("out\n");
    }

    @Test
    void aSinkThatFailsIsToldAsSuch() {
        OutputStream full = new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                throw new IOException("disk is full");
            }
        };

        assertThatThrownBy(() -> host().stream("echo x", full, LIMIT))
                .isInstanceOf(BackendException.Rejected.class)
                .hasMessageContaining("disk is full");
    }

    @Test
    void aScriptThatDoesNotEndInTimeIsUnreachable() {
        assertThatThrownBy(() -> host().run("echo early; sleep 60", Duration.ofMillis(1500)))
                .isInstanceOf(BackendException.Unreachable.class);
    }

    @Test
    void aSecretInAScriptIsInNoProcessListing() throws Exception {
        String script = "secret='hunter2-visible?'\nps -eo args | grep -c 'hunter[2]-visible' || :\nls >/dev/null";

        assertThat(host().run(script, LIMIT).text()).isEqualTo("0\n");
    }
}
