package io.jenkins.plugins.tao.backend.box.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is shown to a person after a failure. */
class BoxFactsTest {
    @Test
    @Promise("TR-75")
    void theFactsAfterAFailureAreWords() {
        String answer = """
                exit record: 137 1790000000 1790000100
                death: boot b1 b2
                death: uptime 61.5
                death: oom 2 3
                death: signal TERM 1790000000
                death: container-oom yes
                death: kernel [99.1] Out of memory: Killed process 123 (python)
                death: gpu Unable to determine the device handle
                room: 56566444 15965879
                results room: 1048576 0
                gpus: 0,1
                gpu health: 0, 98, 1410, 1980, 250, 700, 61
                gpu user: app GPU-1 77 4000 python
                gpu user: open 0 78 python3
                left over: 12 13
                main.err: death: comes to us all
                """;

        assertThat(BoxDiagnosis.read(answer, true).facts())
                .containsExactly(
                        "exit code: 137, after 1m40s",
                        "machine: it was rebooted since the job began",
                        "machine up for: 1m1s",
                        "killed for lack of memory since the job began: 1 process",
                        "signal to the job: SIGTERM at 2026-09-21T14:13:20Z",
                        "container: its engine says that it was killed for lack of memory",
                        "kernel log: [99.1] Out of memory: Killed process 123 (python)",
                        "nvidia-smi: Unable to determine the device handle",
                        "free below the base directory: 53.9 GiB, 15965879 inodes",
                        "free for results: 1.0 GiB, 0 inodes",
                        "GPUs of the job: 0,1",
                        "GPU 0: 98 % busy, 1410 of 1980 MHz, 250 of 700 W, 61 °C",
                        "on GPU GPU-1: process 77 (python) uses 4000 MiB",
                        "on GPU 0: process 78 (python3) has it open",
                        "still running: the processes 12 13",
                        "main.err: death: comes to us all");
    }

    @Test
    @Promise("TR-75")
    void whatTheMachineDoesNotKeepIsNotToldAsNone() {
        assertThat(BoxFacts.words(
                        List.of("death: oom -", "death: oom - 3", "death: boot - b", "death: uptime ", "room:  ")))
                .isEmpty();
        assertThat(BoxFacts.words(List.of("exit record: "))).containsExactly("exit code: none was noted");
        assertThat(BoxFacts.words(List.of("fills the disk: 20971520\t/tao/results")))
                .containsExactly("large directory: 20.0 GiB in /tao/results");
    }
}
