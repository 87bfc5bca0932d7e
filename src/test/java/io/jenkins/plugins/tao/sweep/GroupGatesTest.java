package io.jenkins.plugins.tao.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.gate.criteria.GateText;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Gates over the cells of a sweep together. */
class GroupGatesTest {
    private static RunRecord run(int night, String group, int seed, double value) {
        return RunRecord.parse("{\"schema\":1,\"id\":\"n" + night + "-" + group + "-" + seed
                + "\",\"origin\":{\"build\":\"#" + night + "\",\"job\":\"train\",\"group\":\"" + group
                + "\"},\"times\":{\"submittedAt\":\"2026-11-" + (10 + night)
                + "T00:00:00Z\"},\"outcome\":{\"word\":\"succeeded\"},\"metrics\":{\"acc\":{\"last\":" + value
                + ",\"count\":1,\"curve\":[[0," + value + "]]}}}");
    }

    private static List<RunRecord> night(int night, String group, double... seeds) {
        List<RunRecord> runs = new ArrayList<>();
        for (int seed = 0; seed < seeds.length; seed++) {
            runs.add(run(night, group, seed, seeds[seed]));
        }
        return runs;
    }

    private static GroupGates gates(Map<String, String> gate, List<RunRecord> history) {
        return new GroupGates(List.of(GateText.parse(gate)), history, List.of(), Map.of(), Map.of());
    }

    @Test
    @Promise("NS-09")
    void cellsThatDifferInTheSeedAreJudgedTogetherAndGroupsApart() {
        List<RunRecord> tonight = new ArrayList<>(night(1, "lr=1e-3", 0.39, 0.45, 0.46));
        tonight.addAll(night(1, "lr=1e-4", 0.30, 0.31, 0.45));

        List<GroupGates.Answer> answers =
                gates(Map.of("kpi", "acc", "atLeast", "0.42"), List.of()).judge(tonight);

        assertThat(answers).extracting(GroupGates.Answer::group).containsExactly("lr=1e-3", "lr=1e-4");
        assertThat(answers).extracting(answer -> answer.report().word()).containsExactly("pass", "FAILURE");
        assertThat(answers.get(0).runs()).hasSize(3);
    }

    @Test
    @Promise("NS-09")
    void aGroupIsComparedWithItselfInEarlierSweeps() {
        List<RunRecord> history = new ArrayList<>(night(1, "lr=1e-3", 0.40, 0.42));
        history.addAll(night(1, "lr=1e-4", 0.90, 0.92));
        Map<String, String> gate = Map.of("kpi", "acc", "noWorseThan", "last good", "by", "2%", "direction", "higher");

        assertThat(gates(gate, history).judge(night(2, "lr=1e-3", 0.41, 0.42)))
                .singleElement()
                .satisfies(answer -> assertThat(answer.report().word()).isEqualTo("pass"));
        assertThat(gates(gate, history).judge(night(2, "lr=1e-4", 0.41, 0.42)))
                .singleElement()
                .satisfies(answer -> assertThat(answer.report().word()).isEqualTo("FAILURE"));
    }

    @Test
    @Promise("NS-09")
    void seedsAreRepeatsUnlessAxesAreNamed() {
        Cell cell = new Cell(Map.of("train.seed", "1", "lr", "0.1"));

        assertThat(new Repeats(List.of()).name(cell)).isEqualTo("lr=0.1");
        assertThat(new Repeats(List.of("lr")).name(cell)).isEqualTo("train.seed=1");
        assertThat(new Repeats(List.of()).name(new Cell(Map.of("env.RANDOM_SEED", "1"))))
                .isEqualTo("all cells");
        assertThat(new Repeats(List.of()).name(new Cell(Map.of("seedling", "1"))))
                .isEqualTo("seedling=1");
        assertThatThrownBy(() -> new Repeats(List.of("x")).of(Set.of("lr")))
                .hasMessage("repeats names 'x', and the matrix has no such axis; it has: lr");
    }
}
