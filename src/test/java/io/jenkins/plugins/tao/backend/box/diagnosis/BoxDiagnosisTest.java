package io.jenkins.plugins.tao.backend.box.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.Diagnosis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BoxDiagnosisTest {
    private static Diagnosis read(String... lines) {
        return BoxDiagnosis.read(String.join("\n", lines), true);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            main.err: OSError: [Errno 28] No space left on device | The disk is full | Free space by value
            main.err: RuntimeError: basic_ios::clear: iostream error | The disk is full | Free space by value
            main.out: torch.OutOfMemoryError: CUDA out of memory. | memory was too small | a smaller batch
            launch: docker: could not select device driver "" with capabilities: [[gpu]]. | not started | NVIDIA Container Toolkit
            launch: unresolvable CDI devices nvidia.com/gpu=0 | not started | nvidia-ctk cdi generate
            launch: pull access denied for x | not started | Fix what this message names
            main.err: ValueError: no | exit code 1 | the end of its error output
            """)
    void whatTheLogsShowIsToldWithWhatToDo(String line, String summary, String remedy) {
        Diagnosis diagnosis = read("exit record: 1 1790000000", line);

        assertThat(diagnosis.summary()).contains(summary);
        assertThat(diagnosis.remedy()).contains(remedy);
    }

    @Test
    void onlyASignalOfUnknownOriginTellsLessThanTheLog() {
        String log = "main.err: RuntimeError: CUDA error: an illegal memory access was encountered";

        assertThat(read("exit record: 137 1790000000", "death: oom 2 3", log).summary())
                .startsWith("Out of memory (RAM)");
        assertThat(read("exit record: 137 1790000000", "death: oom 2 2", log).summary())
                .contains("CUDA kernel");
        assertThat(read("exit record: 137 1790000000", "death: oom 2 2").summary())
                .startsWith("Killed from outside");
    }
}
