package io.jenkins.plugins.tao.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.SourceTree;
import io.jenkins.plugins.tao.code.CodeFolder;
import io.jenkins.plugins.tao.code.CodeLimits;
import io.jenkins.plugins.tao.remote.files.Upload;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.host.LocalHost;
import io.jenkins.plugins.tao.remote.host.Reply;
import io.jenkins.plugins.tao.remote.shell.CodeShell;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of jobs on a machine: complete, read-only, once per content. */
class CodeUploadTest {
    private static final int MIB = 1 << 20;

    @TempDir
    Path directory;

    private final LocalHost host = new LocalHost();
    private Path source;
    private Path there;

    @BeforeEach
    void code() throws IOException {
        source = Files.createDirectories(directory.resolve("source"));
        Files.createDirectories(source.resolve("lib"));
        there = directory.resolve("there/code");
        Files.writeString(source.resolve("train.py"), "print(1)\n");
        Files.writeString(source.resolve("lib/empty"), "");
        byte[] weights = new byte[3 * MIB];
        new Random(4).nextBytes(weights);
        Files.write(source.resolve("lib/weights"), weights);
        Files.createSymbolicLink(source.resolve("latest"), Path.of("lib/weights"));
    }

    @AfterEach
    void writable() throws BackendException {
        host.run("chmod -R u+w '" + directory + "'", Duration.ofMinutes(1));
    }

    private CodeFolder read() throws IOException {
        return CodeFolder.read(source, CodeLimits.defaults());
    }

    private Upload.Done keep(Host to, SourceTree tree, String owner) throws BackendException {
        return Upload.keep(to, tree, there.toString(), owner);
    }

    @Test
    @Promise("NS-04")
    void theCodeIsThereAsItIsHereAndReadOnly() throws Exception {
        Upload.Done done = keep(host, read(), "job-1");

        Path code = Path.of(done.path());
        assertThat(code).isEqualTo(there.resolve(read().version()));
        assertThat(code.resolve("lib/weights")).hasSameBinaryContentAs(source.resolve("lib/weights"));
        assertThat(code.resolve("lib/empty")).isEmptyFile();
        assertThat(Files.readSymbolicLink(code.resolve("latest"))).isEqualTo(Path.of("lib/weights"));
        assertThat(host.run("find '" + code + "' ! -type l -perm /222", Duration.ofMinutes(1))
                        .text())
                .isEmpty();
        assertThat(done.sentBytes()).isEqualTo(3 * MIB + "print(1)\n".length());
    }

    @Test
    @Promise("NS-01")
    void theSecondTimeIsOneRoundTripWithoutAnyContent() throws Exception {
        keep(host, read(), "job-1");
        LossyHost line = new LossyHost(host);

        Upload.Done done = keep(line, read(), "job-2");

        assertThat(line.commands()).isEqualTo(1);
        assertThat(done.sentBytes()).isZero();
    }

    @Test
    void theNextCommitSendsOnlyWhatIsNew() throws Exception {
        keep(host, read(), "job-1");
        Files.writeString(source.resolve("train.py"), "print(2)\n");

        assertThat(keep(host, read(), "job-2").sentBytes()).isEqualTo("print(2)\n".length());
    }

    @Test
    @Promise("NS-04")
    void aTransferThatIsKilledAtAnyByteLeavesNoCodeThatAJobMayStartIn() throws Exception {
        Random random = new Random(7);
        CodeFolder tree = read();
        Path place = there.resolve(tree.version());
        for (int kill = 0; kill < 40; kill++) {
            String owner = "job-" + kill;
            long at = kill == 0 ? 0 : (long) (random.nextDouble() * 3 * MIB);
            assertThatThrownBy(() -> keep(host, new Cut(tree, at), owner)).isInstanceOf(RuntimeException.class);

            assertThat(place).as("after " + at + " bytes").doesNotExist();
        }

        keep(host, tree, "job-1");

        assertThat(place.resolve("lib/weights")).hasSameBinaryContentAs(source.resolve("lib/weights"));
        assertThat(there.resolve(tree.version() + ".job-1.part")).doesNotExist();
    }

    @Test
    void twoJobsThatSendTheSameCodeAtOnceBothEndWell() throws Exception {
        CodeFolder tree = read();
        Upload.Done second = keep(new Before(host, () -> keep(host, tree, "job-1")), tree, "job-2");

        assertThat(Path.of(second.path()).resolve("lib/weights")).hasSameBinaryContentAs(source.resolve("lib/weights"));
        assertThat(there.resolve(tree.version() + ".job-2.part")).doesNotExist();
    }

    @Test
    @Promise("NS-04")
    void contentThatArrivesOtherThanItsChecksumNeverBecomesCode() throws Exception {
        CodeFolder tree = read();
        Files.writeString(source.resolve("train.py"), "print(9)\n");

        assertThatThrownBy(() -> keep(host, tree, "job-1"))
                .isInstanceOf(BackendException.Rejected.class)
                .hasMessageContaining("other checksums");
        assertThat(there.resolve(tree.version())).doesNotExist();
    }

    @Test
    @Promise("NS-04")
    void codeIsTidiedAfterItsTimeUnlessAJobStillNamesIt() throws Exception {
        String used = keep(host, read(), "job-1").path();
        Files.writeString(source.resolve("train.py"), "print(2)\n");
        String old = keep(host, read(), "job-2").path();
        Files.writeString(source.resolve("train.py"), "print(3)\n");
        String fresh = keep(host, read(), "job-3").path();
        Files.createDirectories(there.resolve("pushed.gone"));
        Files.createDirectories(there.resolve(read().version() + ".job-4.part"));
        host.run(
                "cd '" + there + "' && touch -d '9 days ago' " + used + " " + old + " *.part *.gone",
                Duration.ofMinutes(1));
        String id = Path.of(used).getFileName().toString();

        String text = host.run(
                        CodeShell.tidy(there.toString(), Duration.ofDays(8), false) + "code_used() { echo " + id
                                + "; }\ncode_tidy\n",
                        Duration.ofMinutes(1))
                .text();

        assertThat(CodeShell.removed(text).jobs())
                .containsExactly("code " + Path.of(old).getFileName());
        try (Stream<Path> left = Files.list(there)) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            ".newest", id, Path.of(fresh).getFileName().toString(), "pushed.gone");
        }
    }

    @Test
    void aJobThatNamesCodeWhileItIsTidiedKeepsIt() throws Exception {
        String path = keep(host, read(), "job-1").path();
        String id = Path.of(path).getFileName().toString();
        host.run("touch -d '9 days ago' " + path, Duration.ofMinutes(1));

        host.run(
                CodeShell.tidy(there.toString(), Duration.ofDays(8), false) + "n=\ncode_used() { [ ! -e seen ] || echo "
                        + id + "; : > seen; }\ncode_tidy\n",
                Duration.ofMinutes(1));

        assertThat(Path.of(path).resolve("train.py")).hasContent("print(1)\n");
    }

    @Test
    void whatIsInUseIsNotKnownSoNothingIsRemoved() throws Exception {
        String path = keep(host, read(), "job-1").path();
        host.run("touch -d '9 days ago' " + path, Duration.ofMinutes(1));

        host.run(
                CodeShell.tidy(there.toString(), Duration.ofDays(8), false) + "code_used() { return 1; }\ncode_tidy\n",
                Duration.ofMinutes(1));

        assertThat(Path.of(path)).isDirectory();
    }

    /** A tree whose reader is killed once so many bytes are sent. */
    private record Cut(SourceTree tree, long at) implements SourceTree {
        @Override
        public String version() {
            return tree.version();
        }

        @Override
        public java.util.Map<String, Entry> files() {
            return tree.files();
        }

        @Override
        public java.util.Map<String, String> links() {
            return tree.links();
        }

        @Override
        public void write(List<String> names, OutputStream out) throws IOException {
            tree.write(names, new Ending(out, at));
        }

        @Override
        public void write(String name, long from, OutputStream out) throws IOException {
            tree.write(name, from, new Ending(out, Math.min(at, MIB)));
        }
    }

    private static final class Ending extends OutputStream {
        private final OutputStream out;
        private long left;

        Ending(OutputStream out, long left) {
            this.out = out;
            this.left = left;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            out.write(bytes, from, (int) Math.min(left, length));
            left -= length;
            if (left <= 0) {
                out.flush();
                throw new IllegalStateException("killed");
            }
        }
    }

    @FunctionalInterface
    private interface Act {
        void run() throws BackendException;
    }

    /** A host on which something happens before the first stream is sent. */
    private record Before(Host host, Act act) implements Host {
        @Override
        public Reply run(String script, Duration limit) throws BackendException {
            return host.run(script, limit);
        }

        @Override
        public Reply send(String script, Feed feed, Duration limit) throws BackendException {
            act.run();
            return host.send(script, feed, limit);
        }

        @Override
        public Reply stream(String script, OutputStream sink, Duration limit) throws BackendException {
            return host.stream(script, sink, limit);
        }

        @Override
        public String name() {
            return host.name();
        }

        @Override
        public void close() {
            // its owner closes it
        }
    }
}
