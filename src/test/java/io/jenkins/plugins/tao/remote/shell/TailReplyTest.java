package io.jenkins.plugins.tao.remote.shell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.host.LocalHost;
import io.jenkins.plugins.tao.remote.host.Reply;
import io.jenkins.plugins.tao.remote.shell.TailScript.Request;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers that break off, and files that shrink while they are read. */
class TailReplyTest {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    @TempDir
    Path directory;

    private Request big() {
        return new Request(directory.toString(), List.of("big"), Position.START, 0);
    }

    @Test
    void ofALongLogThatIsCutAnywhereOnlyItsOwnBytesAreHandedOn() throws Exception {
        byte[] log = TailScriptTest.random(1_100_000);
        Files.write(directory.resolve("big"), log);
        byte[] answer = new LocalHost()
                .run(TailScript.render(List.of(big()), true), LIMIT)
                .out();
        byte[] end = "\ntail-end\n".getBytes(UTF_8);
        Random random = new Random(2);
        int header = answer.length - end.length - log.length;

        for (int i = 0; i < 200; i++) {
            int length = i < 2 * end.length ? answer.length - i : random.nextInt(answer.length);
            byte[] broken = Arrays.copyOf(answer, length);
            byte[] shrunk = Arrays.copyOf(answer, Math.max(header, length - end.length) + end.length);
            System.arraycopy(
                    end, 0, shrunk, shrunk.length - end.length, end.length); // the file had fewer bytes at last

            assertThat(handedOn(broken)).isEqualTo(Arrays.copyOf(log, handedOn(broken).length));
            assertThat(handedOn(shrunk)).isEqualTo(Arrays.copyOf(log, handedOn(shrunk).length));
        }
        assertThat(handedOn(answer)).isEqualTo(log);
    }

    /** As a file does whose server is lost for a moment. */
    @Test
    void nothingComesBehindAReadThatFailedInTheMiddle() throws Exception {
        byte[] log = TailScriptTest.random(2_000_000);
        Files.write(directory.resolve("big"), log);
        Path tools = Files.createDirectory(directory.resolve("tools"));
        Path dd = Files.writeString(
                tools.resolve("dd"),
                "#!/bin/sh\ncase $1 in */big) head -c 1000000 '" + directory.resolve("big") + "'; exit 1 ;; esac\n");
        Files.setPosixFilePermissions(dd, PosixFilePermissions.fromString("rwxr-xr-x"));

        byte[] answer = new LocalHost()
                .run(
                        "PATH=" + ShellCommand.quote(tools.toString()) + ":$PATH\n"
                                + TailScript.render(List.of(big()), true),
                        LIMIT)
                .out();

        assertThat(handedOn(answer))
                .isEqualTo(Arrays.copyOf(log, handedOn(answer).length))
                .hasSizeGreaterThan(900_000);
    }

    /** It had ten bytes in place of the announced 29, so that the next header is taken for its end. */
    @Test
    void nothingOfAFileThatShrankIsHandedOn() {
        String answer = "tail 0 0 0 29 29 f:1\n0123456789\ntail 1 0 0 3 3 g:2\nabc\ntail-end\n";

        assertThat(handedOn(answer.getBytes(UTF_8))).isEmpty();
    }

    /** In chunks, as a connection brings them. */
    private static byte[] handedOn(byte[] answer) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        TailReply reply = new TailReply((number, tail) -> all.writeBytes(tail.bytes()));
        for (int at = 0; at < answer.length; at += 32_000) {
            reply.write(answer, at, Math.min(32_000, answer.length - at));
        }
        return all.toByteArray();
    }

    @Test
    void anAnswerThatBreaksOffCountsAsFarAsItWasHandedOn() throws Exception {
        byte[] log = TailScriptTest.random(2_000_000);
        Files.write(directory.resolve("big"), log);
        ByteArrayOutputStream got = new ByteArrayOutputStream();

        TailReply.ask(cut(1_500_000), List.of(big()), LIMIT, true, (number, tail) -> {
            assertThat(tail.more()).isTrue();
            got.writeBytes(tail.bytes());
        });

        assertThat(got.toByteArray()).isEqualTo(Arrays.copyOf(log, got.size())).hasSizeBetween(1_300_000, 1_500_000);
        assertThatThrownBy(() -> TailReply.ask(cut(50_000), List.of(big()), LIMIT, true, (number, tail) -> {}))
                .isInstanceOf(BackendException.Unreachable.class);
    }

    /** A host whose connection breaks after so many bytes of an answer. */
    private static Host cut(int bytes) {
        LocalHost host = new LocalHost();
        return new Host() {
            @Override
            public Reply run(String script, Duration limit) {
                throw new UnsupportedOperationException();
            }

            @Override
            public Reply stream(String script, OutputStream sink, Duration limit) throws BackendException {
                try {
                    sink.write(host.run(script, limit).out(), 0, bytes);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                throw new BackendException.Unreachable("The connection broke.", "Try again.");
            }

            @Override
            public String name() {
                return "cut";
            }

            @Override
            public void close() {
                host.close();
            }
        };
    }
}
