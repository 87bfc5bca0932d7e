package io.jenkins.plugins.tao.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.jenkins.plugins.tao.Promise;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What the record of a job array says of its members. */
class MembersTest {
    private static final String SUCCEEDED = "{'event':'ended','outcome':'succeeded','exitCode':0}";

    private static List<String> status(double... values) {
        List<String> lines = new ArrayList<>();
        for (int epoch = 0; epoch < values.length; epoch++) {
            lines.add(
                    "{'status':'RUNNING','message':'Eval metrics generated.','kpi':{'val_mAP':" + values[epoch] + "}}");
            lines.add("{'epoch':" + epoch + ",'status':'RUNNING','message':'Training loop in progress'}");
        }
        return lines.stream().map(line -> line.replace('\'', '"')).toList();
    }

    private static RecordMaker.Made made(String id, String ended, Map<String, List<String>> statuses) {
        String job = "{'id':'folds','backend':'slurm','nativeId':'" + id + "','submittedAt':'2026-01-31T01:00:00Z'}";
        return RecordMaker.make(new RunFiles(
                        job.replace('\'', '"'),
                        "",
                        List.of(ended.replace('\'', '"')),
                        new TreeMap<>(statuses),
                        Map.of(),
                        0,
                        Optional.empty()))
                .orElseThrow();
    }

    @Test
    @Promise("NV-04")
    void eachMemberHasItsOutcomeAndItsKpisAndTheWholeHasNone() {
        RecordMaker.Made made = made(
                "4711_[0-2,7]",
                SUCCEEDED,
                Map.of("0/train", status(0.1, 0.4), "2/train", status(0.2, 0.3), "7", status(0.5)));

        RunRecord record = made.record();
        assertThat(record.members()).isEqualTo(4);
        assertThat(record.metrics()).isEmpty();
        assertThat(record.ofMembers("val_mAP").keySet()).containsExactly(0, 2, 7);
        assertThat(record.metric("val_mAP [2]").orElseThrow().last()).isEqualTo(0.3);
        assertThat(record.metric("val_mAP [7]").orElseThrow().last()).isEqualTo(0.5);
        assertThat(record.metric("val_mAP [1]")).isEmpty();
        assertThat(record.text("members/each/1/outcome")).contains("succeeded");
    }

    @Test
    @Promise("NV-04")
    void theSeriesOfEachMemberStandsApartAlsoWhereOneAloneHasTheMetric() {
        String csv = made("4711_[0-3]", SUCCEEDED, Map.of("3/train", status(0.25, 0.5)))
                .metrics()
                .csv();

        assertThat(csv).contains("val_mAP [3],0,,0.25\r\n", "val_mAP [3],1,,0.5\r\n");
    }

    @Test
    @Promise("NV-04")
    void twoMetricsOfOneNameInOneMemberGetTheirFolderToo() {
        RecordMaker.Made made = made(
                "4711_[0-1]",
                SUCCEEDED,
                Map.of("1/train", status(0.25), "1/evaluate", status(0.5), "0/train", status(0.1)));

        assertThat(made.metrics().csv()).contains("val_mAP [1/evaluate],0,,0.5", "val_mAP [0],0,,0.1");
        assertThat(made.record().metric("val_mAP [1/evaluate]").orElseThrow().last())
                .isEqualTo(0.5);
    }

    @Test
    @Promise("NV-04")
    void ofAFailedArrayTheMembersThatAreToldToHaveFailedSaySoAndTheOthersHaveSucceededWhereAllAreNamed() {
        RunRecord record = made(
                        "4711_[0-15]",
                        "{'event':'ended','outcome':'failed','detail':'The command ended with exit code 3. 2 of 16 members"
                                + " failed: 2 (exit code 3), 9 (OUT_OF_MEMORY)'}",
                        Map.of())
                .record();

        assertThat(record.text("members/each/2/outcome")).contains("failed");
        assertThat(record.text("members/each/9/detail")).contains("OUT_OF_MEMORY");
        assertThat(record.text("members/each/3/outcome")).contains("succeeded");
    }

    @Test
    @Promise("NV-04")
    void whereNotAllFailedMembersAreNamedTheOthersSayNothing() {
        RunRecord record = made(
                        "jobs/tao-folds[0-15]",
                        "{'event':'ended','outcome':'failed','detail':'14 of 16 members failed: 0 (exit code 3), 1 (exit"
                                + " code 3) and 12 more.'}",
                        Map.of())
                .record();

        assertThat(record.members()).isEqualTo(16);
        assertThat(record.text("members/each/1/outcome")).contains("failed");
        assertThat(record.text("members/each/3/outcome")).isEmpty();
    }

    @Test
    @Promise("NV-04")
    void aSingleJobHasNoMembers() {
        RecordMaker.Made made = made("4711", SUCCEEDED, Map.of("3/train", status(0.5)));

        assertThat(made.record().members()).isZero();
        assertThat(made.members()).isEmpty();
        assertThat(made.record().metric("val_mAP")).isPresent();
    }

    @Test
    @Promise("NV-04")
    void theRecordStaysSmallAndTheFileBesideItHasAllMembersWithTheirCurves() throws Exception {
        Map<String, List<String>> statuses = new TreeMap<>();
        for (int i = 0; i < 500; i++) {
            statuses.put(i + "/train", status(0.1, 0.2 + i * 0.001));
        }

        RecordMaker.Made made = made("4711_[0-499]", SUCCEEDED, statuses);

        assertThat(made.record().render().getBytes(StandardCharsets.UTF_8).length)
                .isLessThan(20 * 1024);
        int kept = made.record().ofMembers("val_mAP").size();
        assertThat(kept).isGreaterThan(50);
        assertThat(made.record().number("members/leftOut")).hasValue(500 - kept);
        assertThat(made.record().members()).isEqualTo(500);
        assertThat(made.members()).hasSize(500);
        assertThat(new JsonMapper()
                        .readTree(made.members().get(499))
                        .at("/metrics/val_mAP/curve")
                        .size())
                .isEqualTo(2);
    }

    @Test
    @Promise("NV-04")
    void aMemberWithoutAnExitRecordIsNoSuccessBesideOneThatFailed() throws Exception {
        String detail = "1 of 3 members failed: 1 (exit code 3)";
        for (String more : List.of("; 1 left no exit record.", ".")) {
            RunRecord record = made(
                            "4711_[0-2]",
                            "{'event':'ended','outcome':'failed','detail':'" + detail + more + "'}",
                            Map.of())
                    .record();

            assertThat(record.text("members/each/0/outcome").isPresent()).isEqualTo(more.equals("."));
        }
    }

    @Test
    @Promise("NV-04")
    void everyKeyOfTheMembersIsInTheSchema() throws Exception {
        RecordMakerTest.assertDeclared(
                made("4711_[0-1]", SUCCEEDED, Map.of("1/train", status(0.5))).record());
        RecordMakerTest.assertDeclared(made(
                        "4711_[0-1]",
                        "{'event':'ended','outcome':'failed','detail':'1 of 2 members failed: 1 (exit code 3)'}",
                        Map.of())
                .record());
    }
}
