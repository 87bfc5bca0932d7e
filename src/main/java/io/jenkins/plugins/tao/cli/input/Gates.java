package io.jenkins.plugins.tao.cli.input;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.file.GateKeys;
import io.jenkins.plugins.tao.file.Value;
import io.jenkins.plugins.tao.gate.criteria.Criterion;
import io.jenkins.plugins.tao.gate.criteria.GateText;
import io.jenkins.plugins.tao.gate.criteria.SeedPlace;
import io.jenkins.plugins.tao.journal.DurableFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The gates of a job: keys with values, as a job file has them, kept in the folder of the run until the job has ended. */
public record Gates(List<Map<String, String>> gates) {
    private static final String FILE = "gates.json";
    private static final JsonMapper JSON = new JsonMapper();

    public Gates {
        gates = List.copyOf(gates);
    }

    /** Those of a job file; each is checked. */
    public static Gates of(List<Value.Keyed> written) throws UsageException {
        return new Gates(UsageException.of(() -> GateKeys.of(written)));
    }

    public boolean isEmpty() {
        return gates.isEmpty();
    }

    /** The criteria. */
    public List<Criterion> criteria() {
        return gates.stream().map(GateText::parse).toList();
    }

    /** The criteria whose suspect nights are to be confirmed. */
    public List<Criterion> confirmed() {
        return gates.stream()
                .filter(gate -> GateText.confirm(gate).isPresent())
                .map(GateText::parse)
                .toList();
    }

    /** Where the job has its seed; empty when no gate asks for confirming runs. */
    public Optional<SeedPlace> confirm() {
        return gates.stream().flatMap(gate -> GateText.confirm(gate).stream()).findFirst();
    }

    /** Keeps them in the folder of the run. */
    public void keep(Path folder) throws IOException {
        if (!gates.isEmpty()) {
            DurableFile.write(
                    folder.resolve(FILE), JSON.writerWithDefaultPrettyPrinter().writeValueAsString(gates) + "\n");
        }
    }

    /** Those that were kept in the folder of a run; none where there are none. */
    public static Gates kept(Path folder) throws UsageException {
        Path file = folder.resolve(FILE);
        try {
            return Files.isRegularFile(file)
                    ? new Gates(JSON.readValue(Files.readString(file), new TypeReference<>() {}))
                    : new Gates(List.of());
        } catch (JsonProcessingException e) {
            throw new UsageException(file + " is no list of gates: " + e.getOriginalMessage() + ".", e);
        } catch (IOException e) {
            throw new UsageException(file + " cannot be read: " + e.getMessage() + ".", e);
        }
    }
}
