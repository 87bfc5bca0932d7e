package io.jenkins.plugins.tao.backend.notebook;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.http.HttpStream;
import io.jenkins.plugins.tao.job.JobHandle;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.PatternSyntaxException;

/** Copies the files of a version's output to a sink, within the limits of one plan; no name leads out of it. */
final class KaggleDownload {
    private static final int MOST_PAGES = 500;
    private static final String LOGS = "tao-run/";
    private static final List<String> OUR_LOGS = List.of("main.out", "main.err");

    private final KaggleApi api;
    private final ArtifactPlan plan;
    private final ArtifactSink sink;
    private final Set<String> done = new HashSet<>();
    private long total;

    KaggleDownload(KaggleApi api, ArtifactPlan plan, ArtifactSink sink) {
        this.api = api;
        this.plan = plan;
        this.sink = sink;
    }

    void copy(JobHandle job) throws BackendException {
        List<PathMatcher> wanted = matchers();
        String results = job.resultsDirectory().replaceFirst("^" + KaggleShape.WORKING + "/", "") + "/";
        for (KaggleReply.OutputFile file : list(job)) {
            String name = file.name();
            if (!isClean(name)) {
                sink.skipped(name.replaceAll("\\p{Cntrl}", "?"), "its name leads out of the output");
            } else if (name.startsWith(LOGS) && OUR_LOGS.contains(name.substring(LOGS.length()))) {
                take("logs/" + name.substring(LOGS.length()), file);
            } else if (name.startsWith(results) && matches(wanted, name.substring(results.length()))) {
                take("results/" + name.substring(results.length()), file);
            }
        }
        logsOfTheRun(job);
    }

    private List<KaggleReply.OutputFile> list(JobHandle job) throws BackendException {
        List<KaggleReply.OutputFile> files = new ArrayList<>();
        Set<String> pages = new HashSet<>();
        String page = "";
        while (pages.add(page) && pages.size() <= MOST_PAGES) {
            Optional<JsonNode> reply = api.output(job.nativeId(), page);
            if (reply.isEmpty()) {
                sink.skipped("results", "the notebook " + job.nativeId() + " is not there any more");
                break;
            }
            files.addAll(KaggleReply.files(reply.get()));
            page = KaggleReply.nextPage(reply.get());
            if (page.isEmpty()) {
                break;
            }
        }
        return files;
    }

    private List<PathMatcher> matchers() {
        List<String> globs = new ArrayList<>(List.of("status.json", "*/status.json"));
        globs.addAll(plan.globs());
        List<PathMatcher> matchers = new ArrayList<>();
        for (String glob : globs) {
            try {
                matchers.add(FileSystems.getDefault().getPathMatcher("glob:" + glob));
                if (glob.startsWith("**/")) {
                    matchers.add(FileSystems.getDefault().getPathMatcher("glob:" + glob.substring("**/".length())));
                }
            } catch (PatternSyntaxException e) {
                sink.skipped(glob, "is not a file pattern: " + e.getDescription());
            }
        }
        return matchers;
    }

    private static boolean matches(List<PathMatcher> matchers, String path) {
        return matchers.stream().anyMatch(matcher -> matcher.matches(Path.of(path)));
    }

    private static boolean isClean(String name) {
        List<String> parts = List.of(name.split("/", -1));
        return name.chars().noneMatch(c -> c < ' ' || c == '\\')
                && parts.stream().noneMatch(part -> part.isEmpty() || part.equals(".") || part.equals(".."));
    }

    private void take(String name, KaggleReply.OutputFile file) throws BackendException {
        if (!done.add(name)) {
            return;
        }
        long room = Math.min(plan.maxBytesPerFile(), plan.maxBytes() - total);
        try (HttpStream content = api.file(file)) {
            if (content.length().orElse(0) > room) {
                sink.skipped(name, "has " + content.length().getAsLong() + " bytes; at most " + room + " are copied");
                return;
            }
            total += store(name, content, room);
        } catch (BackendException.Unreachable e) {
            throw e;
        } catch (BackendException | IllegalArgumentException e) {
            sink.skipped(name, "could not be read: " + e.getMessage());
        }
    }

    private long store(String name, HttpStream content, long room) throws BackendException {
        try (OutputStream to = sink.open(name)) {
            return content.copyTo(to, room);
        } catch (IOException e) {
            throw notStored(name, e);
        }
    }

    /** What Kaggle itself kept of the log, where the notebook's own files are missing. */
    private void logsOfTheRun(JobHandle job) throws BackendException {
        if (done.contains("logs/main.out")) {
            return;
        }
        Optional<KaggleLog> log = api.log(job);
        if (log.isEmpty()) {
            sink.skipped("logs/main.out", "Kaggle has no log of it");
            return;
        }
        write("logs/main.out", log.get().text(Stream.OUT));
        write("logs/main.err", log.get().text(Stream.ERR));
    }

    private void write(String name, String text) throws Rejected {
        try (OutputStream to = sink.open(name)) {
            to.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw notStored(name, e);
        }
    }

    private static Rejected notStored(String name, IOException e) {
        return new Rejected(
                "The artifact " + name + " could not be stored: " + e.getMessage() + ".",
                "Make room or mend permissions where artifacts are stored, then fetch again.");
    }
}
