package io.jenkins.plugins.tao.backend.kubernetes.fetch;

import io.fabric8.kubernetes.api.model.Pod;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.kubernetes.api.FetchRun;
import io.jenkins.plugins.tao.backend.kubernetes.api.PodLogs;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames.Reference;
import io.jenkins.plugins.tao.backend.kubernetes.view.FetchTrouble;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.host.Reply;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A volume where the account may run no program in a pod: each script is the command of a pod of its own, and its output is the pod's
 * log, in base64. Nodes keep about 10 MiB of a log, so one script may send {@link #MOST}.
 */
record FetchLogHost(FetchRun run) implements Host {
    /** What fits into one log with a third added. */
    static final long MOST = 6L << 20;

    /** What the kernel takes for one argument, with some room for the frame. */
    private static final int LONGEST_SCRIPT = 100_000;

    private static final Pattern END = Pattern.compile("@end (\\d{1,3})");
    private static final String FRAME = """
            tao_dir=$(mktemp -d /tmp/tao.XXXXXX) || exit 1
            echo @begin
            { /bin/sh -c "$1" sh </dev/null 2>"$tao_dir/err"; echo $? >"$tao_dir/code"; } | base64
            echo @err
            tail -c 65536 "$tao_dir/err" | base64
            echo "@end $(cat "$tao_dir/code")"
            rm -rf "$tao_dir"
            """;

    @Override
    public Reply run(String script, Duration limit) throws BackendException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Reply reply = stream(script, out, limit);
        return new Reply(reply.exitCode(), out.toByteArray(), reply.err());
    }

    @Override
    public Reply stream(String script, OutputStream sink, Duration limit) throws BackendException {
        if (script.length() > LONGEST_SCRIPT) {
            throw new Rejected(
                    "The files to bring have too many names for the log of a pod, and the account may run no program in one.",
                    "Permit 'get' and 'create' of pods/exec, or name fewer files.");
        }
        Reference pod = run.start(List.of("/bin/sh", "-c", FRAME, "sh", script));
        try {
            Pod ended = run.awaitEnd(pod);
            if (!new PodView(ended).phase().equals("Succeeded")) {
                throw broken(pod, FetchTrouble.of(ended).orElse("it failed"));
            }
            return read(pod, sink);
        } finally {
            run.end(pod);
        }
    }

    private Reply read(Reference pod, OutputStream sink) throws BackendException {
        PodLogs.PodLog log = run.log(pod);
        if (!(log instanceof PodLogs.PodLog.Opened opened)) {
            throw broken(pod, "its log cannot be read");
        }
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(opened.lines(), StandardCharsets.US_ASCII))) {
            String first = lines.readLine();
            if (!"@begin".equals(first)) {
                throw broken(pod, first == null ? "its log is empty" : "the beginning of its log is gone");
            }
            ByteArrayOutputStream err = new ByteArrayOutputStream();
            OutputStream to = sink;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher end = END.matcher(line);
                if (end.matches()) {
                    return new Reply(Integer.parseInt(end.group(1)), new byte[0], err.toString(StandardCharsets.UTF_8));
                }
                if (line.equals("@err")) {
                    to = err;
                } else {
                    to.write(Base64.getMimeDecoder().decode(line));
                }
            }
            throw broken(pod, "the end of its log did not come");
        } catch (IOException e) {
            throw broken(pod, String.valueOf(e.getMessage()));
        }
    }

    private static Unreachable broken(Reference pod, String why) {
        return new Unreachable(
                "The log of the pod '" + pod + "' that read the volume did not come whole: " + why + ".",
                "Fetch again; the files stay on the volume.");
    }

    @Override
    public String name() {
        return run.name();
    }

    @Override
    public void close() {
        // each script ends its pod
    }
}
