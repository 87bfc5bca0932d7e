package io.jenkins.plugins.tao.jenkins.config;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.file.FileReader;
import io.jenkins.plugins.tao.file.Value;
import io.jenkins.plugins.tao.file.ValueReader;
import io.jenkins.plugins.tao.job.JobOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The options of a job file, in the keys of one backend. It keeps the text of the file: read each time, each value keeps its type. */
public final class FileOptions extends JobOptionsConfiguration {
    private static final long serialVersionUID = 1L;

    private final String file;
    private final String text;
    private final String backend;
    private LinkedHashMap<String, String> members = new LinkedHashMap<>();

    /** Of the file called {@code file} that says {@code text}. */
    public FileOptions(String file, String text, String backend) {
        this.file = file;
        this.text = text;
        this.backend = backend;
    }

    @Override
    public Optional<JobOptions> toOptions() {
        Optional<Value> written = ValueReader.parse(file, text).get("options");
        require(written.isPresent() && written.get() instanceof Value.Keyed, "%s has no options", file);
        Value.Keyed options = (Value.Keyed) written.get();
        for (Map.Entry<String, String> member : members.entrySet()) {
            options = options.with(List.of(member.getKey()), new Value.Text(file, member.getValue(), false));
        }
        return Optional.of(new FileReader().bind(options, type()));
    }

    @Override
    void carry(Map<String, String> values) {
        members = new LinkedHashMap<>(values);
    }

    @Override
    protected Class<? extends JobOptions> type() {
        return BackendTypes.load().named(backend).optionsType();
    }
}
