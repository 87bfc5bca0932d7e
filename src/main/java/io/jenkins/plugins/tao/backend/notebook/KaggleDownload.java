package io.jenkins.plugins.tao.backend.notebook;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.backend.ArtifactChoice;
import io.jenkins.plugins.tao.backend.ArtifactFile;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.http.HttpStream;
import io.jenkins.plugins.tao.job.JobHandle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Copies the files of a version's output to a sink, within the limits of one plan; no name leads out of it. */
final class KaggleDownload {
    private static final int MOST_PAGES = 500;
    private static final String LOGS = "tao-run/";
    private static final List<String> OUR_LOGS = List.of("main.out", "main.err");

    private final KaggleApi api;
    private final ArtifactPlan plan;
    private final ArtifactSink sink;
    private final ArtifactChoice choice;

    KaggleDownload(KaggleApi api, ArtifactPlan plan, ArtifactSink sink) {
        this.api = api;
        this.plan = plan;
        this.sink = sink;
        this.choice = new ArtifactChoice(plan, sink);
    }

    /**
     * Copies what the plan names; what does not come is reported to the sink, and keeps nothing else back.
     *
     * @throws Unreadable at the end, if a file did not come, or came in part only; that is not kept
     */
    void copy(JobHandle job) throws BackendException {
        Predicate<String> wanted = choice.matching(plan.withStatus());
        String results = job.resultsDirectory().replaceFirst("^" + KaggleShape.WORKING + "/", "") + "/";
        for (KaggleReply.OutputFile file : list(job)) {
            String name = file.name();
            if (!isClean(name)) {
                sink.skipped(name.replaceAll("\\p{Cntrl}", "?"), "its name leads out of the output");
            } else if (name.startsWith(LOGS) && OUR_LOGS.contains(name.substring(LOGS.length()))) {
                take("logs/" + name.substring(LOGS.length()), file);
            } else if (name.startsWith(results) && wanted.test(name.substring(results.length()))) {
                take("results/" + name.substring(results.length()), file);
            }
        }
        logsOfTheRun(job);
        choice.end("Some files from Kaggle", "Fetch again; they stay in the output of the notebook.");
    }

    private List<KaggleReply.OutputFile> list(JobHandle job) throws BackendException {
        List<KaggleReply.OutputFile> files = new ArrayList<>();
        Set<String> pages = new HashSet<>();
        String page = "";
        while (pages.add(page) && pages.size() <= MOST_PAGES) {
            Optional<JsonNode> reply = api.output(job.nativeId(), page);
            if (reply.isEmpty()) {
                sink.skipped("results", "the notebook " + job.nativeId() + " is not there any more");
                return files;
            }
            files.addAll(KaggleReply.files(reply.get()));
            page = KaggleReply.nextPage(reply.get());
            if (page.isEmpty()) {
                return files;
            }
        }
        choice.failed("results", "could be listed in part only: Kaggle gives page after page without an end");
        return files;
    }

    private static boolean isClean(String name) {
        List<String> parts = List.of(name.split("/", -1));
        return name.chars().noneMatch(c -> c < ' ' || c == '\\')
                && parts.stream().noneMatch(part -> part.isEmpty() || part.equals(".") || part.equals(".."));
    }

    private void take(String name, KaggleReply.OutputFile file) throws BackendException {
        Optional<HttpStream> opened = opened(name, file);
        if (opened.isPresent()) {
            try (HttpStream content = opened.get()) {
                if (choice.take(name, content.length().orElse(0), "Kaggle, in the output of the notebook")) {
                    store(name, content);
                }
            }
        }
    }

    /** A file that Kaggle does not give is told; the others are fetched all the same. */
    private Optional<HttpStream> opened(String name, KaggleReply.OutputFile file) throws BackendException {
        try {
            return Optional.of(api.file(file));
        } catch (BackendException.Unreachable e) {
            throw e;
        } catch (BackendException | IllegalArgumentException e) {
            return unread(name, e);
        }
    }

    private Optional<HttpStream> unread(String name, Exception why) {
        choice.failed(name, "could not be read: " + why.getMessage());
        return Optional.empty();
    }

    private void store(String name, HttpStream content) throws BackendException {
        try (ArtifactFile to = sink.open(name)) {
            long copied = content.copyTo(to.content(), plan.maxBytesPerFile());
            long expected = content.length().orElse(copied);
            if (copied == expected) {
                to.keep();
            } else {
                choice.failed(name, "came in part only: " + copied + " of " + expected + " bytes");
            }
        } catch (Unreadable e) {
            unread(name, e);
        } catch (IOException e) {
            throw ArtifactSink.notStored(name, e);
        }
    }

    /** What Kaggle itself kept of the log, where the notebook's own files are missing. */
    private void logsOfTheRun(JobHandle job) throws BackendException {
        if (!choice.isNew("logs/main.out")) {
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
        try (ArtifactFile to = sink.open(name)) {
            to.content().write(text.getBytes(StandardCharsets.UTF_8));
            to.keep();
        } catch (IOException e) {
            throw ArtifactSink.notStored(name, e);
        }
    }
}
