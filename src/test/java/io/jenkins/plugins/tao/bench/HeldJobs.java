package io.jenkins.plugins.tao.bench;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A thousand jobs in the queue, each with the three files that a running one has. */
record HeldJobs(List<JobHandle> handles) {
    static final int COUNT = 1000;

    static HeldJobs make(Rig rig) throws BackendException {
        String name = rig.run + "-$i";
        String reply = rig.shell(String.join(
                "\n",
                "cd " + rig.base + " && mkdir -p slurm-logs submit exit results && date +%s && i=0",
                "while [ $i -lt " + COUNT + " ]; do",
                "id=$(sbatch --parsable --hold -o /dev/null -J tao-job-" + name + " --wrap true)",
                "mkdir results/" + name,
                "echo a line > slurm-logs/tao-job-" + name + "-$id.out",
                "echo a line > slurm-logs/tao-job-" + name + "-$id.err",
                "echo '{\"status\": \"RUNNING\", \"message\": \"one\", \"epoch\": 1, \"max_epoch\": 9}'" + " > results/"
                        + name + "/status.json",
                "echo $id; i=$((i + 1)); done"));
        List<String> lines = reply.lines().toList();
        Instant at = Instant.ofEpochSecond(Long.parseLong(lines.get(0)));
        rig.take(lines.subList(1, lines.size()));
        List<JobHandle> handles = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            JobKey key = new JobKey(rig.run + "-" + i);
            String results = rig.base + "/results/" + key;
            handles.add(new JobHandle("rig", "slurm", key, 1, lines.get(i + 1), rig.base, results, at));
        }
        return new HeldJobs(handles);
    }
}
