package io.jenkins.plugins.tao.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.gate.Changes;
import io.jenkins.plugins.tao.gate.statistics.Measure;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RecordMakerTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String JOB = "{'id': 'dino-1', 'target': 'dgx', 'backend': 'slurm', 'nativeId': '4711',"
            + " 'resultsDir': '/l/r', 'submittedAt': '2026-01-31T01:00:00Z', 'image': 'nvcr.io/x@sha256:ab12',"
            + " 'command': 'dino train -e {{spec}} train.seed=7', 'nodes': 2, 'gpus': 4, 'env': {'DATA_VERSION': 'coco-3'},"
            + " 'inputs': [], 'spec': {'train': {'num_epochs': 3, 'seed': 1}, 'results_dir': '/x'}}";
    private static final List<String> EVENTS = List.of(
            "{'event':'submitted','at':'2026-01-31T01:00:00Z'}",
            "{'event':'state','state':'RUNNING','nodes':['g1','g2'],'startedAt':'2026-01-31T01:10:00Z'}",
            "{'event':'attempt','number':2,'cause':'NODE_FAILURE','detail':'g1 is down','at':'2026-01-31T01:20:00Z'}",
            "{'event':'state','state':'RUNNING','nodes':['g2','g3'],'startedAt':'2026-01-31T01:30:00Z'}",
            "{'event':'ended','outcome':'succeeded','exitCode':0,'startedAt':'2026-01-31T01:30:00Z',"
                    + "'endedAt':'2026-01-31T02:30:00Z'}",
            "{'event':'half a li");
    private static final List<String> STATUS = List.of(
            "{'status':'RUNNING','message':'Eval metrics generated.','kpi':{'val_mAP':0.4}}",
            "{'epoch':0,'time_per_epoch':'0:01:00','status':'RUNNING','message':'Training loop in progress'}");

    private static RunFiles files(String job, List<String> events, Map<String, List<String>> statuses) {
        return new RunFiles(
                quoted(job),
                quoted("{'door': 'cli', 'code': 'abc123', 'dirty': 'true'}"),
                events.stream().map(RecordMakerTest::quoted).toList(),
                new TreeMap<>(statuses),
                Map.of("results/train/model.pth", 1234L),
                0,
                Optional.empty());
    }

    private static String quoted(String text) {
        return text.replace('\'', '"');
    }

    private static RecordMaker.Made made() {
        List<String> status = STATUS.stream().map(RecordMakerTest::quoted).toList();
        return RecordMaker.make(files(JOB, EVENTS, Map.of("train", status))).orElseThrow();
    }

    @Test
    @Promise("NV-01")
    void aRecordSaysWhatTheRunWas() {
        RunRecord record = made().record();

        assertThat(record.id()).isEqualTo("dino-1");
        assertThat(record.succeeded()).isTrue();
        assertThat(record.text("origin/code")).contains("abc123");
        assertThat(record.text("origin/dirty")).contains("true");
        assertThat(record.text("work/network")).contains("dino");
        assertThat(record.text("work/action")).contains("train");
        assertThat(record.text("work/seed")).contains("7");
        assertThat(record.text("work/data")).contains("coco-3");
        assertThat(record.text("work/imageDigest")).contains("sha256:ab12");
        assertThat(record.number("times/queueSeconds")).hasValue(600);
        assertThat(record.number("times/runSeconds")).hasValue(4200);
        assertThat(record.number("machines/gpuSeconds")).hasValue(4200 * 8);
        assertThat(record.texts("machines/nodes")).containsExactly("g2", "g3");
        assertThat(record.text("attempts/0/cause")).contains("NODE_FAILURE");
        assertThat(record.metric("val_mAP").orElseThrow().last()).isEqualTo(0.4);
        assertThat(record.metric(RunMetrics.EPOCH_TIME).orElseThrow().last()).isEqualTo(60);
        assertThat(record.number("checkpoints/0/bytes")).hasValue(1234);
    }

    /** A run of 90 s, put back into the queue, and one of 2 s. */
    private static RunRecord requeued(String between) {
        List<String> events = new java.util.ArrayList<>(
                List.of(
                        "{'event':'state','at':'2026-01-31T01:00:05Z','state':'RUNNING','startedAt':'2026-01-31T01:00:00Z'}",
                        "{'event':'state','at':'2026-01-31T01:03:35Z','state':'RUNNING','startedAt':'2026-01-31T01:03:31Z'}",
                        "{'event':'ended','outcome':'succeeded','startedAt':'2026-01-31T01:03:31Z','endedAt':'2026-01-31T01:03:33Z'}"));
        if (!between.isEmpty()) {
            events.add(1, between);
        }
        return RecordMaker.make(
                        files("{'id': 'x', 'gpus': 4, 'submittedAt': '2026-01-31T00:59:00Z'}", events, Map.of()))
                .orElseThrow()
                .record();
    }

    @Test
    @Promise("NV-01")
    void allRunsOfAJobThatWasPutBackIntoTheQueueCount() {
        RunRecord record = requeued("{'event':'state','at':'2026-01-31T01:01:30Z','state':'PENDING'}");

        assertThat(record.number("times/runSeconds")).hasValue(92);
        assertThat(record.number("machines/gpuSeconds")).hasValue(92 * 4);
        assertThat(requeued("").number("machines/gpuSeconds")).isEmpty();
    }

    private static RunRecord of(String... events) {
        return RecordMaker.make(files(
                        "{'id': 'x', 'gpus': 4, 'submittedAt': '2026-01-31T00:59:00Z'}", List.of(events), Map.of()))
                .orElseThrow()
                .record();
    }

    private static final String FIRST_RUN =
            "{'event':'state','at':'2026-01-31T01:00:05Z','state':'RUNNING','startedAt':'2026-01-31T01:00:00Z','nodes':['g1']}";
    private static final String LAST_RUN =
            "{'event':'state','at':'2026-01-31T01:03:35Z','state':'RUNNING','startedAt':'2026-01-31T01:03:31Z','nodes':['g2']}";
    private static final String COUNTED = "{'event':'state','at':'2026-01-31T01:03:40Z','state':'ENDED','nodes':['g2'],"
            + "'startedAt':'2026-01-31T01:03:31Z','endedAt':'2026-01-31T01:03:33Z','ranSeconds':97}";
    private static final String END =
            "{'event':'ended','outcome':'succeeded','startedAt':'2026-01-31T01:03:31Z','endedAt':'2026-01-31T01:03:33Z'}";

    @Test
    @Promise("NV-01")
    void whatTheTargetCountsOfAllRunsGoesBeforeWhatWasSeen() {
        assertThat(of(FIRST_RUN, LAST_RUN, COUNTED, END).number("machines/gpuSeconds"))
                .hasValue(97 * 4);
        assertThat(of(COUNTED, END).number("times/runSeconds")).hasValue(97);
        assertThat(of(FIRST_RUN, LAST_RUN, END).number("machines/gpuSeconds")).isEmpty();
    }

    /** Three members, one after another on two nodes, of four GPUs each. */
    @Test
    void theGpuSecondsOfAnArrayAreThoseOfItsMembers() {
        String array = "{'id': 'x', 'nativeId': '7_[1-3]', 'gpus': 4, 'submittedAt': '2026-01-31T00:59:00Z'}";
        String state = "{'event':'state','state':'ENDED','nodes':['g1','g2'],'startedAt':'2026-01-31T01:00:00Z'%s}";
        String end =
                "{'event':'ended','outcome':'succeeded','startedAt':'2026-01-31T01:00:00Z','endedAt':'2026-01-31T01:10:00Z'}";
        RunRecord counted = RecordMaker.make(files(array, List.of(state.formatted(",'ranSeconds':97"), end), Map.of()))
                .orElseThrow()
                .record();
        RunRecord unknown = RecordMaker.make(files(array, List.of(state.formatted(""), end), Map.of()))
                .orElseThrow()
                .record();

        RunRecord partly = RecordMaker.make(
                        files(array, List.of(state.formatted(",'ranAtLeastSeconds':60,'untimed':1"), end), Map.of()))
                .orElseThrow()
                .record();

        assertThat(counted.number("machines/gpuSeconds")).hasValue(97 * 4);
        assertThat(counted.knownGpuHours()).hasValue(97 * 4 / 3600.0);
        assertThat(partly.number("machines/gpuSeconds")).isEmpty();
        assertThat(partly.number("machines/gpuSecondsAtLeast")).hasValue(60 * 4);
        assertThat(partly.number("machines/membersUntimed")).hasValue(1);
        assertThat(partly.knownGpuHours()).hasValue(60 * 4 / 3600.0);
        assertThat(Measure.GPU_HOURS.of(partly)).as("for gates").isEmpty();
        assertThat(counted.number("times/runSeconds")).hasValue(600);
        assertThat(unknown.number("machines/gpuSeconds")).isEmpty();
        assertThat(unknown.number("times/runSeconds")).hasValue(600);
    }

    @Test
    void eachAttemptHasItsOwnRunsAndOneThatIsNotKnownStaysSo() {
        String attempt = "{'event':'attempt','number':2,'cause':'NODE_FAILURE','at':'2026-01-31T01:04:00Z'}";
        String next = "{'event':'state','state':'ENDED','startedAt':'2026-01-31T02:00:00Z','ranSeconds':3}";

        assertThat(of(COUNTED, attempt, next, END).number("times/runSeconds")).hasValue(100);
        assertThat(of(FIRST_RUN, LAST_RUN, attempt, next, END).number("times/runSeconds"))
                .isEmpty();
    }

    @Test
    void aNodeOfAnEarlierRunIsNotOneMoreOfTheLast() {
        String between = "{'event':'state','at':'2026-01-31T01:01:30Z','state':'PENDING'}";

        for (RunRecord record : List.of(of(FIRST_RUN, between, LAST_RUN, END), of(FIRST_RUN, LAST_RUN, COUNTED, END))) {
            assertThat(record.texts("machines/nodes")).containsExactly("g2");
            assertThat(record.number("machines/nodeCount")).hasValue(1);
        }
    }

    @Test
    @Promise("NV-01")
    void whatIsNotKnownIsAbsentAndNotZero() {
        RunRecord record = RecordMaker.make(
                        files("{'id': 'x', 'submittedAt': '2026-01-31T01:00:00Z'}", List.of(), Map.of()))
                .orElseThrow()
                .record();

        assertThat(record.number("times/runSeconds")).isEmpty();
        assertThat(record.number("times/queueSeconds")).isEmpty();
        assertThat(record.number("machines/gpuSeconds")).isEmpty();
        assertThat(record.text("machines/gpuType")).isEmpty();
        assertThat(record.text("work/seed")).isEmpty();
        assertThat(record.metrics()).isEmpty();
    }

    @Test
    void theEnvironmentAndTheScriptsArePartOfWhatChanged() {
        String job = JOB.replace(
                "'env': {", "'pre': 'make data', 'env': {'LR_SCALE': '1', 'NGC_API_KEY': 'nv-1', 'SEED': '1',");
        RunRecord before = made(job);
        RunRecord now = made(job.replace("'LR_SCALE': '1'", "'LR_SCALE': '10'")
                .replace("nv-1", "nv-2")
                .replace("'SEED': '1'", "'SEED': '2'")
                .replace("make data", "make new data")
                .replace("{{spec}}", "{{spec}} train.amp=true results_dir=/other"));

        assertThat(new Changes(before, now).all())
                .containsExactly(
                        new Changes.Change(
                                "command",
                                "dino train -e {{spec}} train seed=*",
                                "dino train -e {{spec}} train.amp=true results_dir=* train seed=*"),
                        new Changes.Change("script before", "make data", "make new data"),
                        new Changes.Change("env LR_SCALE", "1", "10"));
        assertThat(now.line()).doesNotContain("nv-2");
    }

    private static RunRecord made(String job) {
        return RecordMaker.make(files(job, EVENTS, Map.of())).orElseThrow().record();
    }

    @Test
    void namesThatTrackersShowAndTheJobsOwnPathsMakeNoOtherSpec() {
        String job = JOB.replace(
                "'results_dir'",
                "'wandb': {'name': 'a', 'run_id': '1'}, 'mlflow': {'run_name': 'a'},"
                        + " 'run_name': 'a', 'checkpoint': '/l/r/last.pth', 'results_dir'");

        assertThat(hash(job.replace("'a'", "'b'").replace("/l/r", "/l/r2"))).isEqualTo(hash(job));
        assertThat(made(JOB.replace("train.seed=7", "--seed 8")).text("work/seed"))
                .contains("8");
    }

    @Test
    void theSeedOfTheTrainingCountsAndNotThatOfItsDataSet() {
        String job = JOB.replace("train.seed=7", "")
                .replace("'spec': {", "'spec': {'dataset': {'seed': 0}, 'augmentation': {'seed': 3}, ");

        assertThat(made(job).text("work/seed")).contains("1");
        assertThat(made(job.replace("dino train", "python train.py")).text("work/seed"))
                .contains("3");
        assertThat(made(job.replace("'seed': 1", "'amp': 1").replace("'seed': 3", "'amp': 3"))
                        .text("work/seed"))
                .contains("0");
    }

    @Test
    void aSweepByArrayHasNoSeedOfTheWholeWhereEachMemberHasItsOwn() {
        String job = JOB.replace("train.seed=7", "")
                .replace("'seed': 1", "'seed': 'tao-axis-1-'")
                .replace("'spec': {", "'spec': {'dataset': {'seed': 0}, ");

        assertThat(made(job).text("work/seed")).isEmpty();
        assertThat(made(job.replace("'tao-axis-1-'", "5")).text("work/seed")).contains("5");
    }

    @Test
    void anAttemptThatRanAtAnUnknownTimeMakesTheGpuHoursUnknown() {
        List<String> events = new ArrayList<>(EVENTS);
        events.set(1, "{'event':'state','state':'RUNNING','nodes':['g1','g2']}");

        RunRecord record =
                RecordMaker.make(files(JOB, events, Map.of())).orElseThrow().record();

        assertThat(record.number("machines/gpuSeconds")).isEmpty();
    }

    @Test
    @Promise("NV-01")
    void seedAndResultsDirectoryMakeNoOtherSpecAndASettingDoes() {
        String spec = made().record().text("work/specHash").orElseThrow();

        assertThat(hash(JOB.replace("'seed': 1", "'seed': 2").replace("/x", "/y")))
                .isEqualTo(spec);
        assertThat(hash(JOB.replace("'num_epochs': 3", "'num_epochs': 4"))).isNotEqualTo(spec);
    }

    private static String hash(String job) {
        return RecordMaker.make(files(job, EVENTS, Map.of()))
                .orElseThrow()
                .record()
                .text("work/specHash")
                .orElseThrow();
    }

    @Test
    @Promise("NV-03")
    void theSeriesIsCsvAndTwoMetricsOfOneNameStayApart() {
        String kpi = quoted("{'status':'RUNNING','message':'Test metrics generated.','kpi':{'mIoU':%s, '=x,y': 1}}");
        RecordMaker.Made made = RecordMaker.make(files(
                        JOB,
                        EVENTS,
                        Map.of("train", List.of(kpi.formatted("0.5")), "evaluate", List.of(kpi.formatted("0.25")))))
                .orElseThrow();

        assertThat(made.record().metrics()).containsKeys("mIoU [train]", "mIoU [evaluate]");
        assertThat(made.metrics().csv())
                .startsWith("metric,epoch,step,value\r\n")
                .contains("mIoU [evaluate],,,0.25\r\n")
                .contains("\"'=x,y [train]\",,,1\r\n");
    }

    @Test
    @Promise("NV-02")
    void aRecordStaysSmallWhateverTheRunTold() {
        List<String> status = new ArrayList<>();
        for (int epoch = 0; epoch < 1000; epoch++) {
            StringBuilder kpi = new StringBuilder();
            for (int i = 0; i < 80; i++) {
                kpi.append(i == 0 ? "" : ",")
                        .append("\"a rather long name of a metric ")
                        .append(i)
                        .append("\":")
                        .append(epoch / 7.0 + i);
            }
            status.add("{\"epoch\":" + epoch + ",\"status\":\"RUNNING\",\"message\":\"metrics generated.\",\"kpi\":{"
                    + kpi + "}}");
        }

        RecordMaker.Made made =
                RecordMaker.make(files(JOB, EVENTS, Map.of("", status))).orElseThrow();

        assertThat(made.record().render().getBytes(java.nio.charset.StandardCharsets.UTF_8).length)
                .isLessThan(20 * 1024);
        assertThat(made.metrics().csv().lines()).hasSize(80_001);
        assertThat(made.record().number("metricsLeftOut")).hasValue(20);
    }

    @Test
    @Promise("NV-02")
    void everyKeyOfARecordIsInItsSchema() throws IOException {
        assertDeclared(made().record());
    }

    static void assertDeclared(RunRecord record) throws IOException {
        try (InputStream in = RunRecord.class.getResourceAsStream("run-record.schema.json")) {
            JsonNode schema = JSON.readTree(in);

            declared(JSON.readTree(record.line()), schema, "");
            assertThat(schema.at("/properties/schema/const").asInt()).isEqualTo(RunRecord.SCHEMA);
        }
    }

    private static void declared(JsonNode value, JsonNode schema, String path) {
        JsonNode open = schema.path("additionalProperties");
        value.properties().forEach(entry -> {
            JsonNode next = schema.path("properties").path(entry.getKey());
            assertThat(next.isMissingNode() && !open.isObject())
                    .as(path + "/" + entry.getKey() + " is in the schema")
                    .isFalse();
            declared(entry.getValue(), next.isMissingNode() ? open : next, path + "/" + entry.getKey());
        });
    }

    @Test
    @Promise("NV-02")
    void aNewerRecordIsReadAndKeepsItsKeys() {
        RunRecord record = RunRecord.parse("{\"schema\": 2, \"id\": \"x\", \"new\": {\"key\": 1}}");

        assertThat(record.line()).contains("\"new\":{\"key\":1}");
        assertThat(record.outcome()).isEqualTo("lost");
    }

    @Test
    void aTextThatIsNoRecordIsRefused() {
        for (String text : List.of("", "[]", "{}", "{\"schema\": 1}", "{\"schema\": 1, \"id\"")) {
            assertThatIllegalArgumentException().isThrownBy(() -> RunRecord.parse(text));
        }
    }
}
