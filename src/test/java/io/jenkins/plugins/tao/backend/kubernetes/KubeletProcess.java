package io.jenkins.plugins.tao.backend.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jenkins.plugins.tao.BashWords;
import io.jenkins.plugins.tao.ProcessTree;
import io.jenkins.plugins.tao.QuickSleep;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a kubelet does with a container: runs its command with its environment, and keeps its log with times. */
public final class KubeletProcess {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\$|\\$\\(([^)]*)\\)");

    private final Process process;
    private final Thread reader;
    private final List<Line> lines = new ArrayList<>();

    private record Line(Instant at, String text) {}

    private KubeletProcess(Process process) {
        this.process = process;
        reader = new Thread(this::read, "pod-log");
        reader.setDaemon(true);
        reader.start();
    }

    static KubeletProcess start(List<String> command, Map<String, String> env, Path bin) {
        List<String> words = command.stream().map(word -> expand(word, env)).toList();
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("PATH", QuickSleep.before(bin + ":/usr/bin:/bin"));
        builder.environment().putAll(env);
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            return new KubeletProcess(process);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The kubelet's own expansion: known names are replaced, unknown ones stay, {@code $$} is one dollar. */
    public static String expand(String text, Map<String, String> env) {
        Matcher match = REFERENCE.matcher(text);
        return match.replaceAll(found -> {
            String name = found.group(1);
            String value = name == null ? "$" : env.getOrDefault(name, found.group());
            return Matcher.quoteReplacement(value);
        });
    }

    /** Values in order: each may name those before it. */
    static Map<String, String> resolve(List<Map.Entry<String, String>> values) {
        Map<String, String> env = new TreeMap<>();
        values.forEach(entry -> env.put(entry.getKey(), expand(entry.getValue(), env)));
        return env;
    }

    private void read() {
        try (InputStream in = new BufferedInputStream(process.getInputStream())) {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int next = in.read(); next >= 0; next = in.read()) {
                line.write(next);
                if (next == '\n') {
                    add(line);
                }
            }
            if (line.size() > 0) {
                add(line);
            }
        } catch (IOException e) {
            // the process was ended with its pipe
        }
    }

    private synchronized void add(ByteArrayOutputStream line) {
        String text = BashWords.without(line.toString(UTF_8));
        if (!text.isEmpty()) {
            lines.add(new Line(Instant.now(), text));
        }
        line.reset();
    }

    /** The log as the API gives it; {@code since} is exact to the second. */
    synchronized String log(Optional<Instant> since, OptionalInt tail, boolean times) {
        StringBuilder text = new StringBuilder();
        int skip = tail.isPresent() ? Math.max(0, lines.size() - tail.getAsInt()) : 0;
        lines.stream()
                .skip(skip)
                .filter(line -> since.isEmpty() || !line.at().isBefore(since.get()))
                .forEach(line -> text.append(times ? line.at() + " " : "").append(line.text()));
        return text.toString();
    }

    OptionalInt exitCode() {
        if (process.isAlive() || reader.isAlive()) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(process.exitValue());
    }

    /** First the polite signal, then, as the grace of a test is short, the last one. */
    void end() {
        process.destroy();
    }

    /** Ends all of it; afterwards none of it writes a file. */
    void kill() {
        ProcessTree.kill(process);
    }
}
