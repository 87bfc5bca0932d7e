package io.jenkins.plugins.tao.backend.notebook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.http.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs of any length, as Kaggle hands them out. */
class KaggleLogReaderTest {
    private static final String MARK = KaggleLog.mark("dino", 1);
    private static final int LONG = 30 << 20;

    private static String entry(String stream, String data) {
        ObjectNode entry = Json.object();
        return entry.put("stream_name", stream)
                .put("time", 1.5)
                .put("data", data)
                .toString();
    }

    /** More than 24 MiB of output between what the notebook says at first and at its end. */
    private static List<String> longLog() {
        List<String> entries = new ArrayList<>();
        entries.add(entry("stderr", MARK + "machine node a\n"));
        int size = 0;
        for (int i = 0; size < LONG; i++) {
            String rest = i < 10 ? "" : "x".repeat(400);
            String entry = entry(i % 3 == 0 ? "stderr" : "stdout", "line " + i + " \u00e9" + rest + "\n");
            entries.add(entry);
            size += entry.length();
        }
        entries.add(entry("stderr", MARK + "status {\"epoch\": 9}\n" + MARK + "exit 3"));
        entries.add(entry("stderr", " done because\n"));
        return entries;
    }

    private static KaggleLog read(boolean events, byte[] text) {
        KaggleLogReader reader = new KaggleLogReader(events, MARK);
        Random random = new Random(7);
        for (int at = 0; at < text.length; ) {
            int count = Math.min(text.length - at, 1 + random.nextInt(1 << 16));
            reader.take(Arrays.copyOfRange(text, at, at + count + 1), count);
            at += count;
        }
        return reader.log();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"events", "list", "lines"})
    void theEndOfALogThatIsLongerThanWhatIsHeldIsRead(String form) {
        List<String> entries = longLog();
        String text =
                switch (form) {
                    case "events" -> "data: " + String.join("\n\ndata: ", entries) + "\n\ndata: END_OF_LOG\n\n";
                    case "list" -> "[" + String.join(",", entries) + "]";
                    default -> "[" + String.join("\n,", entries) + "\n]";
                };

        KaggleLog log = read(form.equals("events"), bytes(text));

        assertThat(log.end()).contains(new NotebookEnd(3, "done", "because"));
        assertThat(log.status()).isEqualTo("{\"epoch\": 9}\n");
        assertThat(log.machine()).isEqualTo("node a\n");
        assertThat(log.out()).startsWith("line 1 \u00e9\nline 2 \u00e9\nline 4 \u00e9\n");
        assertThat(log.err()).startsWith("line 0 \u00e9\nline 3 \u00e9\n");
    }

    @Test
    void whatIsHeldIsBoundedAndStaysWhatItWas() {
        String line = entry("stdout", "x".repeat(1 << 20) + "\n");
        String some = "[" + String.join(",", java.util.Collections.nCopies(26, line));
        String more = some + "," + String.join(",", java.util.Collections.nCopies(10, line)) + "]";

        String first = read(false, bytes(some)).out();
        String second = read(false, bytes(more)).out();

        assertThat(first.length()).isLessThan(9 << 20);
        assertThat(first).endsWith("the files of the output have all of it\n").isEqualTo(second);
    }

    @Test
    void aListThatBreaksOffGivesWhatCameBefore() {
        List<String> entries = longLog();
        String text = "[" + String.join(",", entries);

        KaggleLog log = read(false, bytes(text.substring(0, text.length() - 5)));

        assertThat(log.end()).isEmpty();
        assertThat(log.status()).isEqualTo("{\"epoch\": 9}\n");
    }

    @Test
    void anEventThatNeverEndsIsPassedOver() {
        String endless = "data: {\"data\": \"" + "x".repeat(9 << 20);
        String text = endless + "\"}\n\ndata: " + entry("stderr", MARK + "exit 0 done \n") + "\n\n";

        assertThat(read(true, bytes(text)).end()).isPresent();
        assertThat(read(true, bytes(endless)).out()).isEmpty();
    }
}
