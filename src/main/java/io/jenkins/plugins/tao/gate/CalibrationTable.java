package io.jenkins.plugins.tao.gate;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.gate.criteria.Words;
import io.jenkins.plugins.tao.job.text.Sentences;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Calibrations as text with a block of gates for a job file, as CSV, JSON and Markdown; pure. */
public record CalibrationTable(List<Calibration> all) implements Table.Forms {
    private static final String METHOD =
            "Found: in 4 of 5 cases of 200 simulated series with this spread, normal and independent, by the usual rule with the gate below."
                    + " In one run: suspect or red. Within five: red.\n";
    private static final double HUNDRED = 100;

    public CalibrationTable {
        all = List.copyOf(all);
    }

    @Override
    public List<String> heads() {
        return List.of("training", "kpi", "runs", "usual", "spread", "in one run", "in five runs", "gate");
    }

    /** Lines for a terminal; the block of gates is YAML of a job file. */
    public String text() {
        StringBuilder text = new StringBuilder();
        List<Calibration> usable =
                all.stream().filter(each -> each.found().isPresent()).toList();
        all.forEach(each -> text.append(each.training())
                .append(", ")
                .append(each.metric())
                .append(each.found()
                        .map(found -> words(each, found))
                        .orElseGet(() -> ": no gate from " + Sentences.count(each.runs(), "comparable run") + "; "
                                + each.lacking() + ".\n")));
        if (usable.isEmpty()) {
            return text.toString();
        }
        text.append('\n').append(METHOD).append("\ngates:\n");
        String training = usable.get(0).training();
        boolean several = usable.stream().anyMatch(each -> !each.training().equals(training));
        usable.forEach(each -> text.append("  - ")
                .append(yaml(each.gate()))
                .append(several ? "  # " + each.training() : "")
                .append('\n'));
        return text.toString();
    }

    private static String words(Calibration each, Calibration.Found found) {
        return " (" + found.direction().words() + "): usual " + Words.number(found.usual()) + ", "
                + (found.spread() > 0
                        ? "spread of one run " + Words.rounded(found.spread(), 2)
                        : "the same in each run")
                + " (" + Sentences.count(each.runs(), "run") + ")\n  found: a drop of "
                + drop(found, found.inOneRun()) + " in one run, of " + drop(found, found.inFiveRuns())
                + " within five runs\n";
    }

    private static String drop(Calibration.Found found, double drop) {
        return Words.rounded(drop, 2)
                + (found.usual() == 0 ? "" : " (" + Words.rounded(HUNDRED * drop / Math.abs(found.usual()), 2) + " %)");
    }

    /** One line, as {@code {kpi: val_mAP50, noise: 0.0041}}. */
    private static String yaml(Map<String, String> gate) {
        return gate.entrySet().stream()
                .map(key -> key.getKey() + ": " + quoted(key.getValue()))
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private static String quoted(String text) {
        return text.matches("[A-Za-z0-9][A-Za-z0-9_./+-]*") ? text : "'" + text.replace("'", "''") + "'";
    }

    @Override
    public List<List<String>> rows() {
        List<List<String>> rows = new ArrayList<>();
        for (Calibration each : all) {
            List<String> row = new ArrayList<>(List.of(each.training(), each.metric(), String.valueOf(each.runs())));
            row.addAll(each.found()
                    .map(found -> List.of(
                            Words.number(found.usual()),
                            Words.rounded(found.spread(), 2),
                            Words.rounded(found.inOneRun(), 2),
                            Words.rounded(found.inFiveRuns(), 2),
                            yaml(each.gate())))
                    .orElseGet(() -> List.of("", "", "", "", each.lacking())));
            rows.add(row);
        }
        return rows;
    }

    @Override
    public String json() {
        var list = JsonNodeFactory.instance.arrayNode();
        for (Calibration each : all) {
            ObjectNode node = list.addObject()
                    .put("training", each.training())
                    .put("kpi", each.metric())
                    .put("runs", each.runs());
            if (!each.lacking().isEmpty()) {
                node.put("lacking", each.lacking());
            }
            each.found().ifPresent(found -> {
                node.put("direction", found.direction().words())
                        .put("usual", found.usual())
                        .put("spread", found.spread())
                        .put("foundInOneRun", found.inOneRun())
                        .put("foundInFiveRuns", found.inFiveRuns());
                ObjectNode gate = node.putObject("gate");
                each.gate().forEach(gate::put);
            });
        }
        return list.toPrettyString() + "\n";
    }
}
