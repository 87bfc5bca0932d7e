package io.jenkins.plugins.tao.remote.shell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.remote.host.LocalHost;
import io.jenkins.plugins.tao.remote.host.Reply;
import io.jenkins.plugins.tao.remote.shell.TailScript.Request;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script and the reader of its answer together, by a real shell. */
class TailScriptTest {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Instant EARLY = Instant.ofEpochSecond(1_700_000_000);

    @TempDir
    Path temporary;

    private Path directory;

    @BeforeEach
    void anOddDirectory() throws IOException {
        directory = Files.createDirectory(temporary.resolve("it's a $(job) *"));
    }

    @Test
    void onlyNewBytesComeWhateverTheyAre() throws Exception {
        byte[] first = {0, 1, (byte) 0xFF, '\n', '\r', 'x'};
        Files.write(directory.resolve("main.out"), first);

        Tail one = tail(Position.START, "main.out");
        Files.write(directory.resolve("main.out"), "né\n".getBytes(UTF_8), StandardOpenOption.APPEND);
        Tail two = tail(one.next(), "main.out");

        assertThat(one.bytes()).isEqualTo(first);
        assertThat(one.restarted()).isFalse();
        assertThat(two.bytes()).isEqualTo("né\n".getBytes(UTF_8));
        assertThat(two.next().byteOffset()).isEqualTo(10);
        assertThat(read(two.next(), "main.out")).isEmpty();
    }

    @Test
    void aFileThatIsNotThereOrEmptyIsAbsent() throws Exception {
        Files.createFile(directory.resolve("empty"));

        assertThat(read(Position.START, "none")).isEmpty();
        assertThat(read(Position.START, "empty")).isEmpty();
    }

    @Test
    void aCutOrReplacedFileStartsAgain() throws Exception {
        Path file = write("log", "0123456789");
        Position after = tail(Position.START, "log").next();

        Files.writeString(file, "abc");
        Tail cut = tail(after, "log");
        Files.writeString(directory.resolve("other"), "replaced, and longer");
        Files.move(directory.resolve("other"), file, StandardCopyOption.REPLACE_EXISTING);
        Tail replaced = tail(cut.next(), "log");

        assertThat(cut.restarted()).isTrue();
        assertThat(cut.bytes()).asString().isEqualTo("abc");
        assertThat(replaced.restarted()).isTrue();
        assertThat(replaced.bytes()).asString().isEqualTo("replaced, and longer");
    }

    @Test
    void theNewestMatchIsReadAfterTheRestOfTheOneBefore() throws Exception {
        Files.createDirectories(directory.resolve("train"));
        Files.createDirectories(directory.resolve("evaluate"));
        Path train = write("train/status.json", "one");
        Files.setLastModifiedTime(train, FileTime.from(EARLY));
        Position position = tail(Position.START, "status.json", "*/status.json").next();

        Files.writeString(train, "two", StandardOpenOption.APPEND);
        Files.setLastModifiedTime(train, FileTime.from(EARLY.plusSeconds(1)));
        write("evaluate/status.json", "three");
        Tail rest = tail(position, "status.json", "*/status.json");
        Tail newest = tail(rest.next(), "status.json", "*/status.json");

        assertThat(rest.bytes()).asString().isEqualTo("two");
        assertThat(rest.restarted()).isFalse();
        assertThat(newest.bytes()).asString().isEqualTo("three");
        assertThat(newest.restarted()).isTrue();
    }

    @Test
    void aFileOfAnEarlierRunDoesNotCount() throws Exception {
        Files.setLastModifiedTime(write("status.json", "old"), FileTime.from(EARLY));
        long since = EARLY.plusSeconds(1).getEpochSecond();

        assertThat(run(List.of(new Request(directory.toString(), List.of("status.json"), Position.START, since))))
                .isEmpty();
    }

    @Test
    void oneChattyStreamSilencesNoOther() throws Exception {
        write("big", "x".repeat(1_000_000));
        write("small", "here");
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            requests.add(request(Position.START, i < 39 ? "big" : "small"));
        }

        Map<Integer, Tail> tails = run(requests);

        assertThat(tails).hasSize(40);
        assertThat(at(tails, 0).bytes().length).isLessThanOrEqualTo(TailScript.ALL_BYTES / requests.size());
        assertThat(at(tails, 0).more()).isTrue();
        assertThat(at(tails, 39).bytes()).asString().isEqualTo("here");
        assertThat(tails.values().stream().mapToInt(tail -> tail.bytes().length).sum())
                .isLessThanOrEqualTo(TailScript.ALL_BYTES);
    }

    @Test
    void aStreamThatFoundNoRoomIsToldToHaveMore() throws Exception {
        write("big", "x".repeat(100_000));
        List<Request> requests = new ArrayList<>();
        int tooMany = 2 * TailScript.ALL_BYTES / TailScript.LEAST_BYTES;
        for (int i = 0; i < tooMany; i++) {
            requests.add(request(Position.START, "big"));
        }

        Map<Integer, Tail> tails = run(requests);

        assertThat(tails).hasSize(tooMany);
        assertThat(tails.values()).allMatch(Tail::more);
        assertThat(at(tails, tooMany - 1).bytes()).isEmpty();
        assertThat(at(tails, tooMany - 1).next().byteOffset()).isZero();
    }

    @Test
    void aLookAtVeryManyNewFilesIsCutShortAndNoneIsForgotten() throws Exception {
        write("log", "line\n");
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            requests.add(request(Position.START, "log"));
        }

        Reply reply = new LocalHost().run(TailScript.render(requests, 10, false), LIMIT);
        Map<Integer, Tail> tails = parse(reply.out());

        assertThat(tails).hasSize(12);
        assertThat(at(tails, 9).bytes()).asString().isEqualTo("line\n");
        assertThat(at(tails, 10).bytes()).isEmpty();
        assertThat(at(tails, 11).more()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theRestOfALongLogIsReadWhetherOrNotDdCanSkipBytes(boolean able) throws Exception {
        byte[] log = random(TailScript.ALL_BYTES + 1_000_000);
        Files.write(directory.resolve("big"), log);
        Path tools = Files.createDirectory(temporary.resolve("old"));
        Path old = Files.writeString(tools.resolve("dd"), "#!/bin/sh\necho 'invalid input flag' >&2\nexit 1\n");
        Files.setPosixFilePermissions(old, PosixFilePermissions.fromString("rwxr-xr-x"));
        Position from = new Position(tail(Position.START, "big").next().file(), 777);

        Reply reply = new LocalHost()
                .run(
                        (able ? "" : "PATH=" + ShellCommand.quote(tools.toString()) + ":$PATH\n")
                                + TailScript.render(List.of(request(from, "big")), false),
                        LIMIT);

        assertThat(at(parse(reply.out()), 0).bytes())
                .isEqualTo(Arrays.copyOfRange(log, 777, 777 + TailScript.ALL_BYTES));
    }

    @Test
    void aSingleChattyStreamHasAllTheRoom() throws Exception {
        write("big", "x".repeat(3_000_000));

        assertThat(tail(Position.START, "big").more()).isFalse();
    }

    @Test
    void filesWithoutNewsCostNoProcessEach() throws Exception {
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            write("log " + i, "one line\n");
            requests.add(request(Position.START, "log " + i));
        }
        Map<Integer, Tail> first = run(requests);
        List<Request> again = new ArrayList<>();
        first.forEach((i, tail) -> again.add(request(tail.next(), "log " + i)));

        Reply reply = new LocalHost()
                .run(
                        "PATH=" + ShellCommand.quote(counting().toString()) + ":$PATH; export PATH\n"
                                + TailScript.render(again, false),
                        LIMIT);

        assertThat(parse(reply.out())).isEmpty();
        assertThat(Files.readAllLines(temporary.resolve("started")))
                .hasSizeLessThan(10)
                .contains("stat");
    }

    /** A directory with tools that note each of their starts. */
    private Path counting() throws IOException {
        Path tools = Files.createDirectory(temporary.resolve("tools"));
        for (String tool : List.of("stat", "awk", "sed", "tr", "xargs", "tail", "head")) {
            Path file = Files.writeString(
                    tools.resolve(tool),
                    "#!/bin/sh\necho " + tool + " >> '" + temporary.resolve("started")
                            + "'\nexec \"$(PATH=/usr/bin:/bin command -v " + tool + ")\" \"$@\"\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        return tools;
    }

    @Test
    void anAnswerCutAnywhereIsUnreadable() throws Exception {
        write("log", "line 1\nline 2\n");
        byte[] answer = new LocalHost()
                .run(TailScript.render(List.of(request(Position.START, "log")), false), LIMIT)
                .out();

        assertThat(parse(answer)).hasSize(1);
        for (int length = 0; length < answer.length; length++) {
            byte[] cut = Arrays.copyOf(answer, length);
            assertThatThrownBy(() -> parse(cut)).isInstanceOf(BackendException.Unreadable.class);
        }
    }

    @Test
    void aLongLogIsHandedOnInPiecesAfterAllOthers() throws Exception {
        byte[] log = random(3_000_000);
        Files.write(directory.resolve("big"), log);
        write("small", "here");
        List<Request> requests = List.of(request(Position.START, "big"), request(Position.START, "small"));
        List<Integer> order = new ArrayList<>();
        ByteArrayOutputStream big = new ByteArrayOutputStream();
        List<Tail> pieces = new ArrayList<>();

        TailReply.ask(new LocalHost(), requests, LIMIT, true, (number, tail) -> {
            order.add(number);
            if (number == 0) {
                assertThat(tail.next().byteOffset()).isEqualTo(big.size() + tail.bytes().length);
                big.writeBytes(tail.bytes());
                pieces.add(tail);
            }
        });

        assertThat(order).startsWith(1, 0).hasSize(1 + (3_000_000 + Tail.PIECE - 1) / Tail.PIECE);
        assertThat(big.toByteArray()).isEqualTo(log);
        assertThat(pieces.stream().map(Tail::more).distinct()).containsExactly(true, false);
    }

    static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private Request request(Position from, String... patterns) {
        return new Request(directory.toString(), List.of(patterns), from, 0);
    }

    private Map<Integer, Tail> read(Position from, String... patterns) throws BackendException {
        return run(List.of(request(from, patterns)));
    }

    private Tail tail(Position from, String... patterns) throws BackendException {
        return at(read(from, patterns), 0);
    }

    private static Tail at(Map<Integer, Tail> tails, int number) {
        return Objects.requireNonNull(tails.get(number));
    }

    private static Map<Integer, Tail> run(List<Request> requests) throws BackendException {
        Reply reply = new LocalHost().run(TailScript.render(requests, false), LIMIT);
        assertThat(reply.err()).isEmpty();
        return parse(reply.out());
    }

    private static Map<Integer, Tail> parse(byte[] answer) throws BackendException {
        Map<Integer, Tail> tails = new LinkedHashMap<>();
        TailReply reply = new TailReply(tails::put);
        reply.write(answer, 0, answer.length);
        reply.end();
        return tails;
    }
}
