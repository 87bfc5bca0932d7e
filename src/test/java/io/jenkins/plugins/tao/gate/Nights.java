package io.jenkins.plugins.tao.gate;

import io.jenkins.plugins.tao.gate.criteria.Evidence;
import io.jenkins.plugins.tao.gate.criteria.GateText;
import io.jenkins.plugins.tao.record.ARun;
import io.jenkins.plugins.tao.record.RunRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Nights of a training, and a gate written as people do, for the tests of gates. */
final class Nights {
    static final double[] USUAL = {0.411, 0.413, 0.412, 0.410, 0.414, 0.412, 0.411, 0.413, 0.412, 0.413};

    private Nights() {}

    static List<RunRecord> nights(String metric, double... values) {
        List<RunRecord> runs = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            runs.add(ARun.of(i + 1).metric(metric, values[i]).record());
        }
        return runs;
    }

    static RunRecord tonight(double value) {
        return ARun.of(50).metric("val_mAP50", value).record();
    }

    static Finding judge(String gate, RunRecord tonight, List<RunRecord> before) {
        return judge(gate, new Evidence(List.of(tonight), before));
    }

    static Finding judge(String gate, Evidence evidence) {
        Map<String, String> keys = new LinkedHashMap<>();
        Arrays.stream(gate.split("; ", -1)).forEach(key -> keys.put(key.split(": ", 2)[0], key.split(": ", 2)[1]));
        return Gate.judge(List.of(GateText.parse(keys)), evidence).findings().get(0);
    }
}
