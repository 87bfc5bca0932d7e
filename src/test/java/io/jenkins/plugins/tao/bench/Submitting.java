package io.jenkins.plugins.tao.bench;

import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.dispatch.Dispatcher;
import io.jenkins.plugins.tao.dispatch.SubmitObserver;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Resources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/** 200 submissions at once against a loop of {@code sbatch}. */
final class Submitting {
    private static final int JOBS = 200;
    private static final int ROUNDS = 3;
    /** Then the code is compiled, as in a controller that has been up for a night. */
    private static final int WARM_UP = 1200;

    private static final double TARGET = 1.5;

    private final Rig rig;
    private final String held;

    Submitting(Rig rig) throws Exception {
        this.rig = rig;
        held = rig.shell("cd " + rig.base + " && sbatch --parsable --hold -o /dev/null --wrap true");
        rig.take(List.of(held));
    }

    Figure run() throws Exception {
        double[] loop = new double[ROUNDS];
        double[] ours = new double[ROUNDS];
        double[] ratio = new double[ROUNDS];
        double[] checked = new double[ROUNDS];
        double[] checkedRatio = new double[ROUNDS];
        double cold;
        try (Dispatcher dispatcher = rig.dispatcher()) {
            double yardstick = Measure.millis(this::loop);
            cold = Measure.millis(() -> submit(dispatcher, "cold", JOBS, true)) / yardstick;
            for (int i = 0; i < WARM_UP / JOBS; i++) {
                submit(dispatcher, "warm" + i, JOBS, false);
            }
            for (int i = 0; i < ROUNDS; i++) {
                loop[i] = Measure.millis(this::loop);
                String round = "s" + i;
                ours[i] = Measure.millis(() -> submit(dispatcher, round, JOBS, true));
                ratio[i] = ours[i] / loop[i];
                checked[i] = Measure.millis(() -> submit(dispatcher, "c" + round, JOBS, false));
                checkedRatio[i] = checked[i] / loop[i];
            }
        }
        Map<String, String> numbers = new LinkedHashMap<>();
        numbers.put("a loop of sbatch in one ssh session", Measure.ms(Measure.median(loop) / JOBS) + " a job");
        numbers.put("ours: staged, sent once, id noted", Measure.ms(Measure.median(ours) / JOBS) + " a job");
        numbers.put("ratio, median of " + ROUNDS + " rounds", Measure.ratio(Measure.median(ratio)));
        numbers.put(
                "the same with every check of preflight before each",
                Measure.ms(Measure.median(checked) / JOBS) + " a job");
        numbers.put("its ratio, median of " + ROUNDS + " rounds", Measure.ratio(Measure.median(checkedRatio)));
        numbers.put("ratio of the first " + JOBS + " in a new process", Measure.ratio(cold));
        return new Figure(
                "Submitting 200 jobs",
                "at most 1.5 times a plain loop of `sbatch`, with all checks of preflight and without; better 1.1",
                Math.max(Measure.median(ratio), Measure.median(checkedRatio)) <= TARGET,
                "200 jobs that wait for another are submitted at once through the dispatcher, as parallel branches of a Pipeline do; the"
                        + " yardstick is `for … sbatch` inside one ssh session. Both in turns, in one run, after "
                        + (JOBS + WARM_UP) + " submissions that warm up; the first of them are listed separately.",
                numbers);
    }

    private List<String> loop() throws Exception {
        List<String> ids = rig.shell("cd " + rig.base + " && printf '#!/bin/sh\\ntrue\\n' > loop.sh\n"
                        + "i=0; while [ $i -lt " + JOBS
                        + " ]; do sbatch --parsable -d after:" + held + " -o /dev/null loop.sh; i=$((i + 1)); done")
                .lines()
                .toList();
        rig.take(ids);
        return ids;
    }

    private List<String> submit(Dispatcher dispatcher, String round, int count, boolean resumed) {
        JobSpec spec = JobSpec.of("true")
                .resources(new Resources(1, OptionalInt.of(0), OptionalInt.of(1), Optional.of(Duration.ofMinutes(5))))
                .options(Records.of(SlurmOptions.class, "dependency", "after:" + held))
                .build();
        List<CompletableFuture<JobHandle>> sent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            JobKey key = new JobKey(rig.run + "-" + round + "-" + i);
            sent.add(dispatcher.submit(rig.target(), spec, key, resumed, new Quiet()));
        }
        List<String> ids = sent.stream().map(future -> future.join().nativeId()).toList();
        rig.take(ids);
        return ids;
    }

    private static final class Quiet implements SubmitObserver {
        @Override
        public void checked(Report report) {}

        @Override
        public void delayed(String what, Duration next) {
            System.err.println("delayed: " + what);
        }
    }
}
