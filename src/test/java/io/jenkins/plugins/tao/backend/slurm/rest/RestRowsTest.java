package io.jenkins.plugins.tao.backend.slurm.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.slurm.Captured;
import io.jenkins.plugins.tao.backend.slurm.Sample;
import io.jenkins.plugins.tao.backend.slurm.poll.SlurmReply;
import io.jenkins.plugins.tao.http.Json;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers of slurmrestd, read by the reader of squeue and sacct. */
final class RestRowsTest {
    private static JsonNode jobs(String name) throws IOException {
        byte[] text = Captured.reply(name).getBytes(StandardCharsets.UTF_8);
        return RestAnswer.parse(text, any -> true).orElseThrow().jobs();
    }

    private static SlurmReply read(JsonNode queue, JsonNode past) throws Exception {
        List<String> rows = new ArrayList<>();
        queue.forEach(job -> rows.addAll(RestRows.queue(job)));
        return SlurmReply.read(
                "dgx",
                "tao-squeue 0\n" + String.join("\n", rows) + "\ntao-sacct 0\n"
                        + String.join("\n", RestRows.all(past, RestRows::past)) + "\ntao-end 0\n");
    }

    private static JobStatus status(SlurmReply reply, String key, String id) {
        JobHandle job = Sample.handle(key, id);
        return Objects.requireNonNull(reply.statuses(Set.of(job)).get(job), key);
    }

    @Test
    @Promise("NS-27")
    void jobsOfSlurm2205AreReadAsSqueueTellsThem() throws Exception {
        SlurmReply reply = read(jobs("rest-jobs-22.05.txt"), jobs("rest-past-22.05.txt"));

        assertThat(status(reply, "bad", "112").ending()).hasValue(Ending.FAILED);
        assertThat(status(reply, "ended", "113").ending()).hasValue(Ending.CANCELLED);
        assertThat(status(reply, "ended", "113").reason()).hasValue("tao (scancel)");
        assertThat(status(reply, "ended", "113").nodes()).containsExactly("gpu02");
        assertThat(status(reply, "long", "114").reason())
                .hasValueSatisfying(why -> assertThat(why).startsWith("PartitionTimeLimit: will never start"));
        assertThat(reply.statuses(Set.of(Sample.handle("other", "112")))).isEmpty();
    }

    @Test
    @Promise("NS-27")
    void theMembersOfAnArrayHaveARowEach() throws Exception {
        JobHandle array = Sample.handle("arr", "111_[0-3]");

        assertThat(read(jobs("rest-jobs-22.05.txt"), Json.list()).members(array))
                .extractingFromEntries(
                        entry -> entry.getKey() + "=" + entry.getValue().state())
                .containsExactly("0=ENDED", "1=RUNNING", "2=PENDING", "3=PENDING");
        assertThat(read(jobs("rest-jobs-v0.0.41.txt"), Json.list()).members(Sample.handle("arr", "103_[0-3]")))
                .extractingFromEntries(
                        entry -> entry.getKey() + "=" + entry.getValue().state())
                .containsExactly("0=ENDED", "2=PENDING", "3=PENDING");
    }

    @Test
    @Promise("NS-27")
    void jobsOfVersion41AreReadTheSameWay() throws Exception {
        SlurmReply reply = read(jobs("rest-jobs-v0.0.41.txt"), jobs("rest-past-v0.0.41.txt"));

        assertThat(status(reply, "run", "100").state()).isEqualTo(JobState.RUNNING);
        assertThat(status(reply, "run", "100").startedAt()).hasValue(Instant.ofEpochSecond(1795236582));
        assertThat(status(reply, "ending", "101").state()).isEqualTo(JobState.RUNNING);
        assertThat(status(reply, "wait", "102").outlook().never()).isTrue();
        assertThat(status(reply, "oom", "105").ending()).hasValue(Ending.OUT_OF_MEMORY);
        assertThat(status(reply, "p", "200").ending()).hasValue(Ending.FAILED);
        assertThat(status(reply, "p", "201").reason()).hasValue("alice (scancel)");
        assertThat(status(reply, "p", "202").ending()).hasValue(Ending.LAUNCH_FAILURE);
        assertThat(RestRows.past(jobs("rest-past-v0.0.41.txt").get(2)))
                .startsWith("205_3\u001fCOMPLETED\u001f137:0\u001f");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "7; 7",
                "0; 0",
                "-2; ?",
                "4294967294; ?",
                "null; ?",
                "'\"7\"'; ?",
                "'{\"set\":true,\"infinite\":false,\"number\":7}'; 7",
                "'{\"set\":false,\"infinite\":false,\"number\":7}'; ?",
                "'{\"set\":true,\"infinite\":true,\"number\":0}'; ?",
                "'{\"set\":true,\"number\":-2}'; ?",
                "'{}'; ?",
                "[7]; ?"
            })
    @Promise("NS-27")
    void aNumberIsReadInEveryFormAndNoValueIsNone(String json, String read) {
        assertThat(RestRows.number(Json.parse(json).orElseThrow(), "?")).isEqualTo(read);
    }

    @Test
    void partitionsAreReadAsSinfoTellsThem() {
        assertThat(Stream.of(
                                "{\"flags\":[\"default\"],\"max_time_limit\":240,\"name\":\"polar\",\"state\":\"UP\"}",
                                "{\"flags\":[],\"max_time_limit\":null,\"name\":\"long\",\"state\":\"DOWN\"}",
                                "{\"name\":\"gpu\",\"maximums\":{\"time\":{\"set\":true,\"infinite\":false,\"number\":90}},"
                                        + "\"partition\":{\"state\":[\"UP\"]}}")
                        .map(text -> RestRows.partition(Json.parse(text).orElseThrow())))
                .containsExactly("polar*|240:00|up", "long|infinite|down", "gpu|90:00|up");
    }

    @Test
    void aNameWithSeparatorsBreaksNoRow() {
        JsonNode job = Json.parse(
                        "{\"job_id\":1,\"job_state\":\"RUNNING\",\"name\":\"a\\u001fb\\nc\",\"state_reason\":\"two words\"}")
                .orElseThrow();

        assertThat(RestRows.queue(job))
                .containsExactly(String.join("\u001f", "1", "RUNNING", "two", "", "N/A", "N/A", "N/A", "a b c"));
    }

    @Test
    void aListThatIsCutForItsLengthStandsForAllThatHaveNoRow() {
        JsonNode job = Json.parse(
                        "{\"job_id\":5,\"array_job_id\":5,\"array_task_id\":null,\"array_task_string\":\"1,3,5,...\","
                                + "\"job_state\":\"PENDING\",\"name\":\"x\"}")
                .orElseThrow();

        assertThat(RestRows.queue(job)).singleElement().asString().startsWith("5_[1,3,5,...]\u001fPENDING");
    }

    @Test
    void halfAnAnswerIsNone() {
        for (String half : List.of(
                "{\"jobs\":[{\"job_id\":1},", "{\"jobs\":[]", "[]", "", "{\"jobs\":[]} more", "{\"errors\":[}")) {
            assertThat(RestAnswer.parse(half.getBytes(StandardCharsets.UTF_8), any -> true))
                    .as(half)
                    .isEmpty();
        }
    }
}
