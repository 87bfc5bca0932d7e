package io.jenkins.plugins.tao.remote.files;

import io.jenkins.plugins.tao.backend.ArtifactChoice;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.job.text.OwnFile;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.host.Reply;
import io.jenkins.plugins.tao.remote.shell.HostSums;
import io.jenkins.plugins.tao.remote.shell.ShellCommand;
import io.jenkins.plugins.tao.remote.shell.ShellWords;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Copies files of a host to a sink, within the limits of one plan: in one stream, then compared by SHA-256 with what lies there,
 * and only then kept. Symbolic links are told, not followed.
 */
public final class Download {
    private static final Duration LIST_LIMIT = Duration.ofMinutes(2);
    private static final long SLOWEST_BYTES_PER_SECOND = 256 * 1024;
    private static final Pattern LISTED = Pattern.compile("([flo]) (\\d{1,18}) (-?\\d{1,18}) \\./(.+)");
    private static final String LISTING = OwnFile.text(Download.class, "files-list.sh");

    private final Host host;
    private final ArtifactSink sink;
    private final ArtifactChoice choice;

    /** Copies from {@code host}; the limits hold for all calls of {@link #copy} together. */
    public Download(Host host, ArtifactPlan plan, ArtifactSink sink) {
        this.host = host;
        this.sink = sink;
        this.choice = new ArtifactChoice(plan, sink);
    }

    /**
     * Copies the files below {@code directory} that match one of {@code globs} to {@code prefix/path}; one that is not
     * there has no files. What was chosen and did not come whole is told to the sink, and by {@link #end}.
     *
     * @return the SHA-256 of what was kept, in hexadecimal digits, by path below {@code directory}
     * @throws Rejected if the sink does not take them
     * @throws Unreadable if the list of files came in part
     */
    public Map<String, String> copy(String prefix, String directory, List<String> globs) throws BackendException {
        return copy(prefix, directory, globs, Instant.MIN);
    }

    /**
     * The same for a directory that an earlier run may have used: a file that has not changed since {@code begun}, by the
     * host's clock, belongs to that run; it is told to the sink, and no failure.
     */
    public Map<String, String> copy(String prefix, String directory, List<String> globs, Instant begun)
            throws BackendException {
        List<Arrival> chosen = choose(prefix, directory, globs, begun);
        if (chosen.isEmpty()) {
            return Map.of();
        }
        Arrivals arrivals = new Arrivals(host, directory, chosen);
        try {
            arrivals.run();
            return keep(arrivals, directory);
        } catch (IOException e) {
            throw ArtifactSink.notStored(prefix + "/", e);
        } finally {
            drop(chosen);
        }
    }

    /**
     * Tells whether everything that was chosen is at home.
     *
     * @throws Unreadable naming what is not
     */
    public void end() throws Unreadable {
        choice.end("Some files", "Fetch again once nothing writes to them; they stay where they are.");
    }

    private List<Arrival> choose(String prefix, String directory, List<String> globs, Instant begun)
            throws BackendException {
        Predicate<String> wanted = choice.matching(globs);
        List<Arrival> chosen = new ArrayList<>();
        Reply reply = host.run("tao_directory=" + ShellCommand.quote(directory) + "\n" + LISTING, LIST_LIMIT);
        if (!("\n" + reply.text()).contains("\nend\n")) { // an account may print more when it is left
            throw new Unreadable(
                    "The files in " + directory + " on " + host.name() + " were listed in part only: "
                            + reply.err().strip(),
                    reply.text(),
                    "Fetch again.");
        }
        if (reply.text().contains("\npart\n") || reply.text().startsWith("part\n")) {
            choice.missed("what lies in " + directory + " could not be listed whole: "
                    + reply.err().strip());
        }
        for (String line : reply.text().split("\n", -1)) {
            Matcher file = LISTED.matcher(line);
            if (file.matches() && wanted.test(file.group(4))) {
                String path = file.group(4);
                String address = host.name() + ":" + directory + "/" + path;
                Arrival arrival = new Arrival(path, prefix + "/" + path, Long.parseLong(file.group(2)), sink);
                boolean odd = file.group(1).equals("o") || path.contains("\uFFFD");
                if (odd || Long.parseLong(file.group(3)) >= begun.getEpochSecond()) {
                    choose(arrival, odd ? "o" : file.group(1), address, chosen);
                } else if (choice.isNew(arrival.name())) {
                    sink.skipped(
                            arrival.name(), "is older than this job: an earlier run left it. It stays at " + address);
                }
            }
        }
        return chosen;
    }

    private void choose(Arrival file, String kind, String address, List<Arrival> chosen) {
        if (kind.equals("f")) {
            if (choice.take(file.name(), file.size(), address)) {
                chosen.add(file);
            }
        } else if (choice.isNew(file.name())) {
            String why = kind.equals("l")
                    ? "is a symbolic link; name the file it points to."
                    : "has a line break or bytes that are not UTF-8 in its name; rename it.";
            sink.skipped(file.name(), why + " It stays at " + address);
        }
    }

    private Map<String, String> keep(Arrivals arrivals, String directory) throws BackendException, IOException {
        List<Arrival> whole = arrivals.files().stream().filter(Arrival::whole).toList();
        Map<String, String> there = new HashMap<>(arrivals.sums());
        there.putAll(sums(
                directory,
                whole.stream().filter(file -> !there.containsKey(file.path())).toList()));
        Map<String, String> kept = new LinkedHashMap<>();
        for (Arrival file : arrivals.files()) {
            if (!file.whole()) {
                choice.failed(file.name(), arrivals.failed().getOrDefault(file.path(), "did not come"));
            } else if (file.sha256().equals(there.get(file.path())) || beginsWith(directory, file)) {
                file.keep();
                kept.put(file.path(), file.sha256());
            } else {
                choice.failed(
                        file.name(),
                        "has another checksum here than there: it was damaged in transit, or has been written since");
            }
        }
        return kept;
    }

    private Map<String, String> sums(String directory, List<Arrival> files) throws BackendException {
        Map<String, String> sums = new LinkedHashMap<>();
        long bytes = files.stream().mapToLong(Arrival::size).sum();
        Duration limit = LIST_LIMIT.plusSeconds(bytes / SLOWEST_BYTES_PER_SECOND);
        for (ShellWords.Portion portion :
                ShellWords.portions(files.stream().map(Arrival::path).toList())) {
            Reply reply = host.run(
                    "cd " + ShellCommand.quote(directory) + " || exit 1\n" + portion.script() + HostSums.script(),
                    limit);
            sums.putAll(HostSums.parse(reply.text()));
        }
        return sums;
    }

    /** A log that a process still appends to is whole as far as it was when the files were listed. */
    private boolean beginsWith(String directory, Arrival file) throws BackendException {
        String script = "cd " + ShellCommand.quote(directory) + " && head -c " + file.size() + " -- "
                + ShellCommand.quote("./" + file.path()) + " | sha256sum\n";
        Duration limit = LIST_LIMIT.plusSeconds(file.size() / SLOWEST_BYTES_PER_SECOND);
        return host.run(script, limit).text().startsWith(file.sha256());
    }

    private static void drop(List<Arrival> files) throws Rejected {
        for (Arrival file : files) {
            try {
                file.drop();
            } catch (IOException e) {
                throw ArtifactSink.notStored(file.name(), e);
            }
        }
    }
}
