package io.jenkins.plugins.tao.cli.verbs;

import io.jenkins.plugins.tao.cli.terminal.Interrupts;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** The verbs of the command line. */
public final class Verbs {
    private Verbs() {}

    /** By their names, in the order of the help; each is made when it is asked for. */
    public static Map<String, Supplier<Object>> all(Surroundings here, Interrupts interrupts) {
        Map<String, Supplier<Object>> verbs = new LinkedHashMap<>();
        verbs.put("run", () -> new RunVerb(here, interrupts));
        verbs.put("submit", () -> new SubmitVerb(here, interrupts));
        verbs.put("wait", () -> new WaitVerb(here, interrupts));
        verbs.put("retry", () -> new SweepVerb.Retry(here, interrupts));
        verbs.put("sweep", () -> new SweepVerb(here, interrupts));
        verbs.put("status", () -> new StatusVerb(here, interrupts));
        verbs.put("logs", () -> new LogsVerb(here, interrupts));
        verbs.put("cancel", () -> new CancelVerb(here, interrupts));
        verbs.put("preview", () -> new PreviewVerb(here, interrupts));
        verbs.put("preflight", () -> new PreflightVerb(here, interrupts));
        verbs.put("notebook", () -> new NotebookVerb(here, interrupts));
        verbs.put("discover", () -> new DiscoverVerb(here, interrupts));
        verbs.put("clean", () -> new CleanVerb(here, interrupts));
        verbs.put("nodes", () -> NodesVerb.line(here, interrupts));
        verbs.put("ls", () -> new LsVerb(here, interrupts));
        verbs.put("gate", () -> new GateVerb(here, interrupts));
        verbs.put("calibrate", () -> new CalibrateVerb(here, interrupts));
        verbs.put("compare", () -> new CompareVerb(here, interrupts));
        verbs.put("history", () -> new HistoryVerb(here, interrupts));
        verbs.put("cost", () -> new CostVerb(here, interrupts));
        verbs.put("bless", () -> new BlessVerb(here, interrupts));
        verbs.put("digest", () -> new DigestVerb(here, interrupts));
        verbs.put("bisect", () -> new BisectVerb(here, interrupts));
        verbs.put("list", () -> new ListVerb(here, interrupts));
        verbs.put("box", () -> BoxVerb.line(here, interrupts));
        return verbs;
    }
}
