package io.jenkins.plugins.tao.remote.files;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.host.Reply;
import io.jenkins.plugins.tao.remote.shell.HostSums;
import io.jenkins.plugins.tao.remote.shell.ShellCommand;
import io.jenkins.plugins.tao.remote.shell.ShellWords;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Brings files of one directory in a tar stream. When it breaks off, the file that was under way goes on where it stopped and the
 * others follow in another stream, as long as each try brings something.
 */
final class Arrivals implements TarReader.Files {
    private static final Duration LEAST_LIMIT = Duration.ofMinutes(2);
    private static final long SLOWEST_BYTES_PER_SECOND = 256 * 1024;

    private final Host host;
    private final String directory;
    private final Map<String, Arrival> all = new LinkedHashMap<>();
    private final Map<String, String> failed = new LinkedHashMap<>();
    private final Map<String, String> sums = new HashMap<>();
    private Optional<Arrival> current = Optional.empty();
    private long came;

    Arrivals(Host host, String directory, List<Arrival> files) {
        this.host = host;
        this.directory = directory;
        files.forEach(file -> all.put(file.path(), file));
    }

    /** Why files have not come, by path. */
    Map<String, String> failed() {
        return failed;
    }

    /** The SHA-256 of files as the host told them while they came, by path; not of all. */
    Map<String, String> sums() {
        return sums;
    }

    void run() throws BackendException, IOException {
        List<Arrival> waiting = waiting();
        while (!waiting.isEmpty()) {
            long before = came;
            try {
                bring(waiting);
            } catch (Unreachable e) {
                if (came == before) {
                    throw e;
                }
            }
            waiting = waiting();
        }
    }

    private List<Arrival> waiting() {
        return all.values().stream()
                .filter(file -> !file.whole() && !failed.containsKey(file.path()))
                .toList();
    }

    private void bring(List<Arrival> waiting) throws BackendException, IOException {
        for (Arrival begun : waiting) {
            if (begun.count() > 0) {
                rest(begun);
            }
        }
        List<String> names = waiting.stream()
                .filter(file -> file.count() == 0 && !failed.containsKey(file.path()))
                .map(Arrival::path)
                .toList();
        for (ShellWords.Portion portion : ShellWords.portions(names)) {
            stream(portion);
        }
    }

    private void stream(ShellWords.Portion portion) throws BackendException, IOException {
        long size =
                portion.names().stream().mapToLong(name -> file(name).size()).sum();
        String script =
                "cd " + ShellCommand.quote(directory) + " || exit 1\n" + portion.script() + HostSums.besideTar(portion);
        Reply reply = host.stream(script, new TarReader(this), limit(size));
        sums.putAll(HostSums.parse(reply.err()));
        for (String name : portion.names()) {
            Arrival file = file(name);
            if (!file.whole() && file.count() == 0 && !reply.ok()) {
                fail(file, "could not be read: " + reply.err().strip());
            } else if (!file.whole() && file.count() == 0) {
                rest(file); // a second name of one file is no file in a tar stream
            } else if (!file.whole()) {
                fail(file, shorter(file));
            }
        }
    }

    /** The rest of one file, whole lengths as they were listed. */
    private void rest(Arrival file) throws BackendException, IOException {
        long from = file.count();
        String name = ShellCommand.quote("./" + file.path());
        String read = from == 0
                ? "head -c " + file.size() + " -- " + name
                : "tail -c +" + (from + 1) + " -- " + name + " | head -c " + (file.size() - from);
        OutputStream taking = new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                write(new byte[] {(byte) value}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                take(file, bytes, offset, length);
            }
        };
        Reply reply = host.stream(
                "cd " + ShellCommand.quote(directory) + " && " + read + "\n", taking, limit(file.size() - from));
        if (!reply.ok()) {
            fail(file, "could not be read: " + reply.err().strip());
            return;
        }
        take(file, new byte[0], 0, 0); // an empty file is whole without a byte
        if (!file.whole()) {
            fail(file, shorter(file));
        }
    }

    private static String shorter(Arrival file) {
        return "changed while it was read: " + file.count() + " of " + file.size() + " bytes came";
    }

    private void fail(Arrival file, String why) throws IOException {
        failed.put(file.path(), why);
        file.drop();
    }

    @Override
    public void begin(String name, long size) throws IOException {
        current = Optional.ofNullable(all.get(name.replaceFirst("^\\./", "")));
        if (current.isPresent()) {
            take(current.get(), new byte[0], 0, 0);
        }
    }

    @Override
    public void content(byte[] bytes, int offset, int length) throws IOException {
        if (current.isPresent()) {
            take(current.get(), bytes, offset, length);
        }
    }

    private void take(Arrival file, byte[] bytes, int offset, int length) throws IOException {
        long before = file.count();
        boolean had = file.whole();
        file.take(bytes, offset, length);
        came += file.count() - before;
        if (file.whole() && !had) {
            came++;
            file.rest();
        }
    }

    private Arrival file(String path) {
        Arrival file = all.get(path);
        if (file == null) {
            throw new IllegalArgumentException("'" + path + "' was not asked for");
        }
        return file;
    }

    /** Everything that was begun, whole or not. */
    List<Arrival> files() {
        return new ArrayList<>(all.values());
    }

    private static Duration limit(long size) {
        return LEAST_LIMIT.plusSeconds(size / SLOWEST_BYTES_PER_SECOND);
    }
}
