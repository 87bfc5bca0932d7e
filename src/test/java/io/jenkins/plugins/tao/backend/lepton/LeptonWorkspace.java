package io.jenkins.plugins.tao.backend.lepton;

import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonTarget;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Resources;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A simulated workspace and a backend for it, for each test. */
public abstract class LeptonWorkspace {
    public static final String IMAGE = "nvcr.io/nvidia/tao/tao-toolkit:6.26.3-pyt";

    public LeptonSimulator simulator;
    public Backend backend;

    @BeforeEach
    void open(@TempDir Path directory) throws Exception {
        simulator = new LeptonSimulator(LeptonSimulator.prepare(directory));
        backend = open(simulator.target().with("nodeGroup", "my-h100-pool").build());
    }

    @AfterEach
    void shut() {
        backend.close();
        simulator.close();
    }

    public static Backend open(LeptonTarget target) {
        return new LeptonType().open(target);
    }

    public static JobSpec.Builder job(String command) {
        return JobSpec.of(command).image(IMAGE);
    }

    public static Resources machines(int nodes, int gpus) {
        return new Resources(nodes, OptionalInt.of(gpus), OptionalInt.empty(), Optional.empty());
    }

    public static JobKey key(String name) {
        return JobKey.derive(name, "test", name);
    }

    public static Report.Check check(Report report, String name) {
        return report.checks().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " is not among " + report.checks()));
    }
}
