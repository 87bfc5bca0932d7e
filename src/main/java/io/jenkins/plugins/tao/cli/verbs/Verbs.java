package io.jenkins.plugins.tao.cli.verbs;

import io.jenkins.plugins.tao.cli.terminal.Interrupts;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** The verbs of the command line. */
public final class Verbs {
    private Verbs() {}

    /** By their names, in the order of the help; each is made when it is asked for. */
    public static Map<String, Supplier<Object>> all(Surroundings here, Interrupts interrupts) {
        Map<String, Supplier<Object>> verbs = new LinkedHashMap<>();
        BiConsumer<String, Supplier<Verb>> add =
                (name, verb) -> verbs.put(name, () -> verb.get().in(here, interrupts));
        add.accept("run", RunVerb::new);
        add.accept("submit", SubmitVerb::new);
        add.accept("wait", WaitVerb::new);
        add.accept("retry", SweepVerb.Retry::new);
        add.accept("sweep", SweepVerb::new);
        add.accept("status", StatusVerb::new);
        add.accept("logs", LogsVerb::new);
        add.accept("cancel", CancelVerb::new);
        add.accept("preview", PreviewVerb::new);
        add.accept("preflight", PreflightVerb::new);
        add.accept("notebook", NotebookVerb::new);
        add.accept("discover", DiscoverVerb::new);
        add.accept("clean", CleanVerb::new);
        verbs.put("nodes", () -> NodesVerb.line(here, interrupts));
        add.accept("ls", LsVerb::new);
        add.accept("gate", GateVerb::new);
        add.accept("calibrate", CalibrateVerb::new);
        add.accept("compare", CompareVerb::new);
        add.accept("history", HistoryVerb::new);
        add.accept("cost", CostVerb::new);
        add.accept("bless", BlessVerb::new);
        add.accept("digest", DigestVerb::new);
        add.accept("bisect", BisectVerb::new);
        add.accept("list", ListVerb::new);
        verbs.put("box", () -> BoxVerb.line(here, interrupts));
        return verbs;
    }
}
