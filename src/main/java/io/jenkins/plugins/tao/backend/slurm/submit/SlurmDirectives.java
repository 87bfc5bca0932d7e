package io.jenkins.plugins.tao.backend.slurm.submit;

import io.jenkins.plugins.tao.backend.slurm.options.SlurmArray;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmLayout;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmShape;
import io.jenkins.plugins.tao.backend.slurm.options.Warning;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The {@code #SBATCH} lines of a job. */
public final class SlurmDirectives {
    private final List<String> lines = new ArrayList<>();

    private SlurmDirectives() {}

    public static List<String> of(SlurmPlan plan) {
        SlurmDirectives directives = new SlurmDirectives();
        directives.identity(plan);
        directives.machines(plan);
        directives.placement(plan);
        directives.logs(plan);
        plan.options().sbatch().forEach(directives.lines::add);
        return directives.lines.stream().map(line -> "#SBATCH " + line).toList();
    }

    private void identity(SlurmPlan plan) {
        set("job-name", SlurmLayout.jobName(plan.key()));
        set("comment", "tao:" + plan.key());
        set("array", plan.array().map(SlurmArray::render));
    }

    /** One task a node: the command starts its own process for each GPU. */
    private void machines(SlurmPlan plan) {
        SlurmShape shape = plan.shape();
        set("nodes", Integer.toString(shape.nodes()));
        set("ntasks", Integer.toString(shape.nodes()));
        set("ntasks-per-node", "1");
        set("cpus-per-task", Integer.toString(shape.cpusPerTask()));
        gres(plan).ifPresent(gres -> set("gres", gres));
        set("wait-all-nodes", "1");
        set("mem", plan.options().mem().or(() -> plan.roles().map(roles -> "0")));
        if (shape.exclusive()) {
            lines.add("--exclusive");
        }
        set("time", shape.time());
    }

    private void placement(SlurmPlan plan) {
        SlurmOptions options = plan.options();
        set("account", plan.account());
        set("partition", plan.partition());
        set("qos", options.qos());
        set("reservation", options.reservation());
        set("constraint", options.constraint());
        set("exclude", options.exclude());
        set("nodelist", options.nodelist());
        set("dependency", options.dependency());
        options.dependency().ifPresent(ids -> set("kill-on-invalid-dep", "yes"));
        set("signal", plan.shape().warning().map(Warning::render));
    }

    private void logs(SlurmPlan plan) {
        boolean array = plan.array().isPresent();
        set("output", plan.layout().logPattern(array, "out"));
        set("error", plan.layout().logPattern(array, "err"));
        set("open-mode", "append");
        lines.add(plan.requeue() ? "--requeue" : "--no-requeue");
    }

    static Optional<String> gres(SlurmPlan plan) {
        int gpus = plan.shape().gpusPerNode();
        String type = plan.options().gpuType().map(name -> ":" + name).orElse("");
        return gpus == 0 ? Optional.empty() : Optional.of("gpu" + type + ":" + gpus);
    }

    private void set(String name, String value) {
        lines.add("--" + name + "=" + value);
    }

    private void set(String name, Optional<String> value) {
        value.ifPresent(text -> set(name, text));
    }
}
