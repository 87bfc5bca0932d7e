package io.jenkins.plugins.tao.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Makes docs/benchmarks.md. */
public final class Benchmarks {
    private Benchmarks() {}

    /**
     * Runs all figures, or those named.
     *
     * @param args the page to write, then names of figures; none for all
     */
    public static void main(String[] args) throws Exception {
        if (!Rig.isUp()) {
            throw new IllegalStateException("no Slurm rig: run src/test/rigs/slurm/up as root");
        }
        Path page = Path.of(args[0]);
        List<String> only = List.of(args).subList(1, args.length);
        List<Figure> figures = new ArrayList<>();
        try (Rig rig = new Rig()) {
            rig.shell("mkdir -p " + rig.base);
            add(figures, only, "submit", () -> new Submitting(rig).run());
            rig.cancelJobs();
            add(figures, only, "follow", () -> new Following(rig).run());
            if (only.isEmpty() || only.contains("tick")) {
                HeldJobs jobs = HeldJobs.make(rig);
                add(figures, only, "tick", () -> Tick.run(rig, jobs));
            }
            Files.writeString(
                    page,
                    head(rig)
                            + String.join(
                                    "", figures.stream().map(Figure::render).toList()));
        }
        System.exit(0);
    }

    private static void add(List<Figure> figures, List<String> only, String name, Callable<Figure> work)
            throws Exception {
        if (only.isEmpty() || only.contains(name)) {
            System.out.println("measuring: " + name);
            Figure figure = work.call();
            System.out.println(figure.render());
            figures.add(figure);
        }
    }

    private static String head(Rig rig) throws Exception {
        return "# Benchmarks\n\nMade by `./mvnw -B -Pbench verify -DskipTests` on "
                + Instant.now().atZone(ZoneOffset.UTC).toLocalDate() + ": "
                + Runtime.getRuntime().availableProcessors() + " cores, " + rig.shell("sinfo --version")
                + " on loopback, Java " + Runtime.version().feature() + ".\n"
                + "Absolute times depend on the machine and on what else it does; the ratios were measured in one run.\n\n";
    }
}
