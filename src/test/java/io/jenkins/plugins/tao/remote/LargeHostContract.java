package io.jenkins.plugins.tao.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.remote.host.Reply;
import java.io.OutputStream;
import org.junit.jupiter.api.Test;

/** The contract with answers of 70 MB as well, for hosts whose other end does not run in this process. */
public abstract class LargeHostContract extends HostContract {
    @Test
    void aStreamPassesOnMoreThanMemoryWouldHold() throws Exception {
        CountingOutput sink = new CountingOutput();

        Reply reply = host().stream("head -c 70000000 /dev/zero; exit 3", sink, LIMIT);

        assertThat(sink.bytes).isEqualTo(70_000_000);
        assertThat(reply.exitCode()).isEqualTo(3);
        assertThat(reply.out()).isEmpty();
    }

    @Test
    void anAnswerThatIsTooLongIsAnErrorAndNoOutOfMemory() {
        assertThatThrownBy(() -> host().run("head -c 70000000 /dev/zero", LIMIT))
                .isInstanceOf(BackendException.Unreadable.class)
                .hasMessageContaining("64 MiB");
    }

    private static final class CountingOutput extends OutputStream {
        private long bytes;

        @Override
        public void write(int value) {
            bytes++;
        }

        @Override
        public void write(byte[] more, int offset, int length) {
            bytes += length;
        }
    }
}
