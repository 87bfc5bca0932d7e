package io.jenkins.plugins.tao.jenkins.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.bind.SpecPaths;
import io.jenkins.plugins.tao.cli.input.JobRequest;
import io.jenkins.plugins.tao.cli.input.Sweeping;
import io.jenkins.plugins.tao.file.FileReader;
import io.jenkins.plugins.tao.file.JobFile;
import io.jenkins.plugins.tao.file.SweepFile;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.sweep.Cell;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** One job file with a matrix in a terminal and in Jenkins. */
class SweepDoorsTest extends JobFileBench {
    private static final String MATRIX = """
            matrix:
              train.lr: [1e-3, 0.10]
              train.amp: true
              train.code: 007
              train.name: ["12", 'it''s "x"']
              train.seed: 5..6
              env.OWN: [2.10, 1e-3]
            """;

    /** What a job of a cell gets. */
    private record Given(String label, Map<String, Object> spec, Map<String, String> env) {}

    @Test
    @Promise("NS-09")
    void bothMakeTheSameCellsWithTheSameIdsAndValues() throws Exception {
        file(MATRIX);
        String text = Files.readString(workspace.resolve("nightly.yaml"));

        Map<String, Given> terminal = terminal(text);

        assertThat(terminal).hasSize(16);
        assertThat(jenkins(text)).isEqualTo(terminal);
        Map<String, String> first = new LinkedHashMap<>();
        first.put("train.lr", "1e-3");
        first.put("train.amp", "true");
        first.put("train.code", "007");
        first.put("train.name", "12");
        first.put("train.seed", "5");
        first.put("env.OWN", "2.10");
        assertThat(terminal.get(new Cell(first).id())).satisfies(cell -> {
            assertThat(cell.spec())
                    .containsEntry("train", Map.of("seed", 5, "lr", 1e-3, "name", "12", "amp", true, "code", 7));
            assertThat(cell.env()).containsEntry("OWN", "2.10");
        });
    }

    @Test
    void aMatrixOfTheStepWinsAndKeepsTheIdsOfPipelines() throws Exception {
        file(MATRIX);
        SweepStep step = new SweepStep(null, null);
        step.setFile("nightly.yaml");
        step.setMatrix("{train.lr: [1e-3]}");

        assertThat(filed(step, Files.readString(workspace.resolve("nightly.yaml")))
                        .chosen())
                .containsExactly(new Cell(Map.of("train.lr", "0.001")));
    }

    private Map<String, Given> terminal(String text) throws Exception {
        JobRequest request = new JobRequest(
                workspace.resolve("nightly.yaml").toString(), text, workspace.toString(), "", "", List.of(), "", "");
        Map<String, Given> cells = new LinkedHashMap<>();
        for (Sweeping.Part part : Sweeping.of(request).orElseThrow().parts()) {
            JobFile job = new FileReader().bind(SweepFile.alone(part.request().content()), JobFile.class);
            cells.put(part.cell().id(), new Given(part.cell().label(), job.spec(), job.env()));
        }
        return cells;
    }

    private Map<String, Given> jenkins(String text) throws Exception {
        SweepStep sweep = filed(step(), text);
        Map<String, Given> cells = new LinkedHashMap<>();
        for (Cell cell : sweep.chosen()) {
            RunStep job = sweep.of(cell, "night");
            Map<String, Object> spec =
                    SpecPaths.replaced(FormText.map("spec", job.getSpec()), FormText.map("set", job.getSet()));
            cells.put(cell.id(), new Given(cell.label(), spec, FormText.texts("env", job.getEnv())));
        }
        return cells;
    }

    private SweepStep filed(RunStep asked, String text) throws Exception {
        StepProbe probe = new StepProbe(build, workspace);
        return (SweepStep) FiledJob.read(asked, text, BuildScope.of(probe)).step();
    }
}
