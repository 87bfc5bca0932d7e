package io.jenkins.plugins.tao.cli.verbs;

import io.jenkins.plugins.tao.cli.input.Gates;
import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.records.Runs;
import io.jenkins.plugins.tao.cli.records.TableChoice;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.gate.Calibration;
import io.jenkins.plugins.tao.gate.CalibrationTable;
import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "calibrate",
        description = "Shows from the recorded runs how small a drop of each metric can be found, and suggests gates.")
final class CalibrateVerb extends Verb {
    @Parameters(
            arity = "0..1",
            paramLabel = "RUN",
            description = "An id, a folder of a run, or a number such as 204; else the newest.")
    Optional<String> run = Optional.empty();

    @Option(
            names = "--kpi",
            paramLabel = "NAME",
            description = "A metric; may be repeated. Else those of the gates, or all.")
    List<String> kpis = new ArrayList<>();

    @Option(
            names = "--gate",
            paramLabel = "KEYS",
            description =
                    "A gate, as in 'kpi: lr, direction: lower'; may be repeated. Else those of the job file, or all metrics.")
    List<String> gates = new ArrayList<>();

    @Mixin
    TableChoice runs = new TableChoice();

    @Override
    ExitCode run(Session session) throws UsageException {
        Runs known = runs.read(session.here());
        List<RunRecord> tonight = known.named(run);
        List<Map<String, String>> asked = new ArrayList<>(GateVerb.given(gates).gates());
        kpis.forEach(kpi -> asked.add(Map.of("kpi", kpi)));
        if (asked.isEmpty()) {
            asked.addAll(Gates.kept(known.folder().resolve(tonight.get(0).id())).gates());
        }
        Evidence evidence = known.evidence(tonight);
        Set<Calibration> all = new LinkedHashSet<>();
        for (Map<String, String> gate : asked) {
            List<Calibration> each = Calibration.of(List.of(gate), evidence);
            if (each.isEmpty()) {
                throw unknown(gate.getOrDefault("kpi", ""), evidence);
            }
            all.addAll(each);
        }
        CalibrationTable table =
                new CalibrationTable(asked.isEmpty() ? Calibration.of(asked, evidence) : List.copyOf(all));
        runs.print(session.here(), table, table::text);
        return ExitCode.SUCCEEDED;
    }

    private static UsageException unknown(String metric, Evidence evidence) {
        TreeSet<String> names = new TreeSet<>();
        evidence.tonight().forEach(each -> names.addAll(each.metrics().keySet()));
        return new UsageException("No run like " + evidence.label() + " has a value of '" + metric + "'. "
                + evidence.label() + " reported: " + String.join(", ", names) + ".");
    }
}
