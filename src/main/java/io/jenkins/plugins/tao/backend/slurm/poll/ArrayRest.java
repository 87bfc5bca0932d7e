package io.jenkins.plugins.tao.backend.slurm.poll;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.slurm.options.ArrayId;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmArray;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmLayout;
import io.jenkins.plugins.tao.backend.slurm.reply.SlurmSections;
import io.jenkins.plugins.tao.job.JobHandle;
import java.util.List;
import java.util.Set;

/** Which members of an array a new attempt sends again: those whose own notes do not tell of a good end. */
public final class ArrayRest {
    private ArrayRest() {}

    public static String render(JobHandle job) {
        return SlurmPoll.memberRecords(Set.of(job))
                + "\nprintf 'tao-records 0\\n'\nmember_records\nprintf 'tao-end 0\\n'";
    }

    public static SlurmArray parse(JobHandle job, String reply) throws BackendException {
        SlurmSections sections = SlurmSections.parse(reply);
        ArrayId array = ArrayId.of(job).orElseThrow();
        if (!sections.complete()) {
            throw new Unreadable(
                    "What the members of " + job.shortName() + " noted of their ends broke off",
                    reply,
                    "It is read again.");
        }
        SlurmLayout layout = SlurmLayout.of(job);
        List<String> notes = sections.linesOf("records");
        Set<String> completed = SlurmReply.completed(notes);
        List<Integer> rest = array.array().members().stream()
                .filter(index -> !completed.contains(layout.record(array.member(job, index))))
                .toList();
        if (rest.isEmpty()) {
            throw new Rejected(
                    "All members of " + job.shortName() + " have noted a good end.",
                    "There is nothing to start again: look at its results.");
        }
        return array.array().only(rest);
    }
}
