package io.jenkins.plugins.tao.remote.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.ArtifactFile;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.MemoryFile;
import io.jenkins.plugins.tao.cli.output.DirectorySink;
import io.jenkins.plugins.tao.job.mask.Mask;
import io.jenkins.plugins.tao.remote.CuttingProxy;
import io.jenkins.plugins.tao.remote.LoopbackSshServer;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.host.LocalHost;
import io.jenkins.plugins.tao.remote.host.Reply;
import io.jenkins.plugins.tao.remote.ssh.HostKeys;
import io.jenkins.plugins.tao.remote.ssh.SshAddress;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import io.jenkins.plugins.tao.remote.ssh.SshLogin;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies that break off, are damaged, or whose files change under them. */
class DownloadTest {
    private static final int SIZE = 3_000_000;

    @TempDir
    Path directory;

    private final List<String> skipped = new ArrayList<>();
    private final Map<String, byte[]> kept = new TreeMap<>();
    private byte[] weights = new byte[SIZE];
    private Path file;

    @BeforeEach
    void aModel() throws IOException {
        new Random(7).nextBytes(weights);
        file = Files.write(directory.resolve("best.pth"), weights);
    }

    private Download download(Host host) {
        return new Download(host, ArtifactPlan.of(List.of("**")), new Sink());
    }

    @Test
    @Promise("TR-05")
    void aCopyThatBrokeOffAndWhoseFileIsThenGoneIsNoArtifactAndTheFetchFails() throws Exception {
        Download download = download(new FaultyHost(1_000_000, () -> Files.delete(file)));

        Map<String, String> sums = download.copy("results", directory.toString(), List.of("*.pth"));

        assertThat(sums).isEmpty();
        assertThat(kept).isEmpty();
        assertThat(skipped)
                .hasSize(1)
                .allMatch(line -> line.startsWith("results/best.pth changed while it was read: "));
        assertThatThrownBy(download::end)
                .isInstanceOf(BackendException.Unreadable.class)
                .hasMessageContaining("results/best.pth");
    }

    @Test
    @Promise("TR-29")
    void aFileThatAnEarlierRunLeftIsReportedAndNotKept() throws Exception {
        Download early = download(new LocalHost());
        Download late = download(new LocalHost());
        Instant written = Files.getLastModifiedTime(file).toInstant();

        early.copy("results", directory.toString(), List.of("**"), written.minusSeconds(1));
        assertThat(kept).containsOnlyKeys("results/best.pth");
        kept.clear();
        Map<String, String> sums = late.copy("results", directory.toString(), List.of("**"), written.plusSeconds(3600));
        late.end();

        assertThat(sums).isEmpty();
        assertThat(kept).isEmpty();
        assertThat(skipped).hasSize(1).allMatch(line -> line.startsWith("results/best.pth is older than this job"));
    }

    @Test
    @Promise("TR-29")
    void aCopyThatKeepsAnOldTimeOfItsFileIsOfThisRun() throws Exception {
        Instant now = Files.getLastModifiedTime(file).toInstant();
        Files.setLastModifiedTime(file, FileTime.from(now.minusSeconds(100_000)));
        Download download = download(new LocalHost());

        download.copy("results", directory.toString(), List.of("**"), now.minusSeconds(5));

        assertThat(kept).containsOnlyKeys("results/best.pth");
    }

    @Test
    @Promise("TR-29")
    void aDirectoryThatCannotBeLookedIntoIsNoEmptyOne() throws Exception {
        Path loop = directory.resolve("loop");
        Files.createSymbolicLink(loop, loop);

        assertThatThrownBy(() -> download(new LocalHost()).copy("results", loop.toString(), List.of("**")))
                .isInstanceOf(BackendException.class);
        assertThat(download(new LocalHost()).copy("results", directory + "/none", List.of("**")))
                .isEmpty();
    }

    @Test
    void anEmptyFileOfTwoNamesComesUnderBoth() throws Exception {
        Path empty = Files.createFile(directory.resolve("empty"));
        Files.createLink(directory.resolve("second"), empty);
        Download download = download(new LocalHost());

        download.copy("results", directory.toString(), List.of("empty", "second"));
        download.end();

        assertThat(kept).containsOnlyKeys("results/empty", "results/second");
        assertThat(skipped).isEmpty();
    }

    @Test
    @Promise({"TR-05", "TR-59"})
    void aCopyThatBreaksOffGoesOnWithTheByteThatIsMissing() throws Exception {
        Files.writeString(directory.resolve("a"), "first\n");
        Files.writeString(directory.resolve("z"), "last\n");
        FaultyHost host = new FaultyHost(1_000_000, () -> {});
        Download download = download(host);

        Map<String, String> sums = download.copy("results", directory.toString(), List.of("**"));
        download.end();

        assertThat(sums).containsOnlyKeys("a", "best.pth", "z");
        assertThat(kept.get("results/best.pth")).isEqualTo(weights);
        assertThat(host.came).isLessThan(SIZE + 100_000);
        assertThat(skipped).isEmpty();
    }

    @Test
    @Promise("SL-11")
    void aLoginHostThatDiesInATransferGivesWayToTheNext(@TempDir Path home) throws Exception {
        try (LoopbackSshServer server = new LoopbackSshServer().start();
                CuttingProxy first = new CuttingProxy(server.address().port());
                CuttingProxy second = new CuttingProxy(server.address().port());
                SshHost host = new SshHost(login(server, first, second), "dgx")) {
            assertThat(host.run("echo here", Duration.ofMinutes(5)).text()).isEqualTo("here\n");
            Download download = new Download(
                    new DyingHost(host, first),
                    ArtifactPlan.of(List.of("**")),
                    new DirectorySink(home, Mask.of(List.of())));

            download.copy("results", directory.toString(), List.of("**"));
            download.end();

            assertThat(home.resolve("results/best.pth")).hasBinaryContent(weights);
            assertThat(host.name()).isEqualTo("tao@" + second.address());
        }
    }

    @Test
    @Promise("TR-05")
    void aByteThatWasDamagedOnItsWayMakesNoArtifactAndTheOthersAreKept() throws Exception {
        Files.writeString(directory.resolve("z"), "last\n");
        Download download = download(new FaultyHost(-1, () -> {}));

        download.copy("results", directory.toString(), List.of("**"));

        assertThat(kept).containsOnlyKeys("results/z");
        assertThatThrownBy(download::end)
                .isInstanceOf(BackendException.Unreadable.class)
                .hasMessageContaining("results/best.pth has another checksum");
    }

    @Test
    void aLogThatGrowsWhileItIsReadIsKeptAsItWasWhenItWasListed() throws Exception {
        FaultyHost host = new FaultyHost(
                1_000_000,
                () -> Files.write(
                        file,
                        "more\n".getBytes(java.nio.charset.StandardCharsets.UTF_8),
                        java.nio.file.StandardOpenOption.APPEND));
        Download download = download(host);

        download.copy("logs", directory.toString(), List.of("*.pth"));
        download.end();

        assertThat(kept.get("logs/best.pth")).isEqualTo(weights);
    }

    @Test
    void namesOfAnyKindAndSecondNamesOfOneFileComeHome() throws Exception {
        Path odd = Files.createDirectories(directory.resolve("-odd 'é\\"));
        Files.writeString(odd.resolve("$x `y`"), "odd\n");
        Files.createLink(odd.resolve("again"), file);
        Download download = download(new LocalHost());

        download.copy("results", directory.toString(), List.of("**"));
        download.end();

        assertThat(kept).containsOnlyKeys("results/best.pth", "results/-odd 'é\\/$x `y`", "results/-odd 'é\\/again");
        assertThat(kept.get("results/-odd 'é\\/again")).isEqualTo(weights);
    }

    /** Java cannot name such files where its own names are UTF-8 alone: a shell makes them. */
    @Test
    void filesWhoseNamesCannotBeSentAreReportedAndTheRestIsWhole() throws Exception {
        new LocalHost()
                .run(
                        "cd " + directory + " && : > 'two\nlines.pth' && : > \"$(printf 'caf\\351.pth')\"",
                        Duration.ofMinutes(1));
        Download download = download(new LocalHost());

        download.copy("results", directory.toString(), List.of("**"));
        download.end();

        assertThat(kept).containsOnlyKeys("results/best.pth");
        assertThat(skipped)
                .hasSize(2)
                .allMatch(line -> line.contains("has a line break or bytes that are not UTF-8 in its name"))
                .anyMatch(line -> line.startsWith("results/two?lines.pth "))
                .anyMatch(line -> line.startsWith("results/caf\uFFFD.pth "));
    }

    @Test
    @Promise("TR-05")
    void aListThatCameInPartIsNoListOfFewerFiles() {
        Host cut = new FaultyHost(0, () -> {}) {
            @Override
            public Reply run(String script, Duration limit) throws BackendException {
                Reply whole = super.run(script, limit);
                return new Reply(0, java.util.Arrays.copyOf(whole.out(), whole.out().length - 6), "");
            }
        };

        assertThatThrownBy(() -> download(cut).copy("results", directory.toString(), List.of("**")))
                .isInstanceOf(BackendException.Unreadable.class)
                .hasMessageContaining("in part");
    }

    /** Something that happens on the way. */
    @FunctionalInterface
    private interface Event {
        void happen() throws IOException;
    }

    /** Breaks the first stream off after so many bytes; before zero it turns a bit in the middle of it instead. */
    private static class FaultyHost implements Host {
        private final LocalHost host = new LocalHost();
        private final long breaksAfter;
        private final Event event;
        private boolean done;
        long came;

        FaultyHost(long breaksAfter, Event event) {
            this.breaksAfter = breaksAfter;
            this.event = event;
        }

        @Override
        public Reply run(String script, Duration limit) throws BackendException {
            return host.run(script, limit);
        }

        @Override
        public Reply stream(String script, OutputStream sink, Duration limit) throws BackendException {
            boolean first = !done;
            done = true;
            OutputStream faulty = new FilterOutputStream(sink) {
                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    byte[] sent = java.util.Arrays.copyOfRange(bytes, offset, offset + length);
                    if (first && breaksAfter < 0 && came < SIZE / 2 && came + length >= SIZE / 2) {
                        sent[0] ^= 1;
                    }
                    if (first && breaksAfter > 0 && came + length > breaksAfter) {
                        sink.write(sent, 0, (int) (breaksAfter - came));
                        came = breaksAfter;
                        event.happen();
                        throw new IOException("the line broke");
                    }
                    came += length;
                    sink.write(sent, 0, length);
                }
            };
            try {
                return host.stream(script, faulty, limit);
            } catch (BackendException.Rejected e) {
                throw new BackendException.Unreachable("The line broke.", "Try again.");
            }
        }

        @Override
        public String name() {
            return "a box that breaks off";
        }

        @Override
        public void close() {
            host.close();
        }
    }

    private static SshLogin login(LoopbackSshServer server, CuttingProxy... ways) {
        List<SshAddress> hosts = Stream.of(ways).map(CuttingProxy::address).toList();
        String key = server.knownHostsLine().replaceFirst("\\S+", "127.0.0.1");
        return new SshLogin(hosts, LoopbackSshServer.USER, server.key(), HostKeys.ofText(key));
    }

    /** Is gone for good once a part of a stream has come. */
    private record DyingHost(Host host, CuttingProxy way) implements Host {
        @Override
        public Reply run(String script, Duration limit) throws BackendException {
            return host.run(script, limit);
        }

        @Override
        public Reply stream(String script, OutputStream sink, Duration limit) throws BackendException {
            AtomicLong came = new AtomicLong();
            return host.stream(
                    script,
                    new FilterOutputStream(sink) {
                        @Override
                        public void write(byte[] bytes, int offset, int length) throws IOException {
                            out.write(bytes, offset, length);
                            if (came.addAndGet(length) > SIZE / 3) {
                                way.goAway();
                            }
                        }
                    },
                    limit);
        }

        @Override
        public String name() {
            return host.name();
        }

        @Override
        public void close() {
            host.close();
        }
    }

    private final class Sink implements ArtifactSink {
        @Override
        public ArtifactFile open(String path) {
            return new MemoryFile(content -> kept.put(path, content.toByteArray()));
        }

        @Override
        public void skipped(String path, String reason) {
            skipped.add(path + " " + reason);
        }
    }
}
