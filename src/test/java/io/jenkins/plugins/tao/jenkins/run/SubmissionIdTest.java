package io.jenkins.plugins.tao.jenkins.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.step.SubmitStep;
import io.jenkins.plugins.tao.job.JobKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.junit.jupiter.api.Test;

class SubmissionIdTest {
    private final SubmitStep step = new SubmitStep("dgx", "train");

    @Test
    @Promise("TR-01")
    void twoBuildsOfTheSameNameAndNumberHaveJobsOfTheirOwn() {
        JobKey before = new SubmissionId("train", "random of the deleted build").key(step);
        JobKey after = new SubmissionId("train", "random of the new build").key(step);

        assertThat(before).isNotEqualTo(after);
        assertThat(before.value()).startsWith("train-");
    }

    @Test
    @Promise("TR-01")
    void aRestartedProcessFindsTheSameJobThoughTheJenkinsJobIsCalledOtherwiseByThen() throws Exception {
        SubmissionId id = new SubmissionId("train", "4711");
        ByteArrayOutputStream saved = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(saved)) {
            out.writeObject(id);
        }
        ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(saved.toByteArray()));

        assertThat(((SubmissionId) in.readObject()).key(step)).isEqualTo(id.key(step));
    }

    @Test
    void aSubmissionOfVersion01IsLookedForUnderTheKeyOfVersion01() {
        SubmissionId id = new SubmissionId("train", "instance\ntrain#7\n12");

        assertThat(id.key(step)).isEqualTo(JobKey.derive("train", "instance", "train#7", "12"));
        assertThat(new SubmissionId("Übung", "instance\nÜbung#7\n12").key(step).value())
                .startsWith("bung-");
        assertThat(new SubmissionId("Übung", "4711").key(step).value()).startsWith("ubung-");
    }
}
