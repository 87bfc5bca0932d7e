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
    private static final String HEAD = """
            # Benchmarks

            Made by `./mvnw -B -Pbench verify -DskipTests`; each figure says when. Absolute times depend on the machine and on what else it
            does; the ratios were measured in one run.

            """;

    private Benchmarks() {}

    /**
     * Runs all figures, or those named.
     *
     * @param args the page to write, and names of figures with commas between them, or {@code all}
     */
    public static void main(String[] args) throws Exception {
        if (!Rig.isUp()) {
            throw new IllegalStateException("no Slurm rig: run src/test/rigs/slurm/up as root");
        }
        Path page = Path.of(args[0]);
        List<String> only = args.length < 2 || args[1].equals("all") ? List.of() : List.of(args[1].split(","));
        List<Figure> figures = new ArrayList<>();
        try (Rig rig = new Rig()) {
            rig.shell("mkdir -p " + rig.base);
            add(figures, only, "terminal", () -> new Terminal(rig).run());
            rig.cancelJobs();
            add(figures, only, "cells", () -> List.of(new Cells(rig).run()));
            rig.cancelJobs();
            add(figures, only, "submit", () -> List.of(new Submitting(rig).run()));
            rig.cancelJobs();
            add(figures, only, "thousand", () -> thousand(rig));
            rig.cancelJobs();
            add(figures, only, "end", () -> List.of(new Endings(rig).run()));
            add(figures, only, "crowd", () -> List.of(new Crowd().run()));
            add(figures, only, "follow", () -> List.of(new Following(rig).run()));
            if (Moving.isUp()) {
                add(figures, only, "move", Moving::run);
            }
            String before = Files.exists(page) && !only.isEmpty() ? Files.readString(page) : "";
            String about = measured(rig);
            List<Figure> dated =
                    figures.stream().map(figure -> figure.measured(about)).toList();
            Files.writeString(page, BenchmarkPage.with(before, HEAD, dated));
        }
        System.exit(0);
    }

    private static List<Figure> thousand(Rig rig) throws Exception {
        HeldJobs jobs = HeldJobs.make(rig);
        List<Figure> figures = new ArrayList<>();
        figures.add(Tick.run(rig, jobs));
        figures.addAll(new Restart(rig, jobs).run());
        return figures;
    }

    private static void add(List<Figure> figures, List<String> only, String name, Callable<List<Figure>> work)
            throws Exception {
        if (only.isEmpty() || only.contains(name)) {
            System.out.println("measuring: " + name);
            List<Figure> more = work.call();
            more.forEach(figure -> System.out.println(figure.render()));
            figures.addAll(more);
        }
    }

    private static String measured(Rig rig) throws Exception {
        return "Measured on " + Instant.now().atZone(ZoneOffset.UTC).toLocalDate() + ": "
                + Runtime.getRuntime().availableProcessors() + " cores, " + rig.shell("sinfo --version")
                + " on loopback, Java " + Runtime.version().feature() + ".";
    }
}
