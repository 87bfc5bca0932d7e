package io.jenkins.plugins.tao.cli.input;

import io.jenkins.plugins.tao.bind.RecordBinder;
import io.jenkins.plugins.tao.cli.records.SecretValue;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.file.FileReader;
import io.jenkins.plugins.tao.file.SecretRef;
import io.jenkins.plugins.tao.file.Value;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.SecretSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Makes records of what files and variables say, as a terminal has paths and secrets. */
public final class FileBinder {
    private final LoginDefaults logins;
    private final FileReader reader;

    public FileBinder(Surroundings here) {
        reader = new FileReader(new RecordBinder(Map.of(
                Path.class, here::path,
                Secret.class, text -> secret(SecretRef.parse(text), here),
                SecretSource.class, text -> source(SecretRef.parse(text), here))));
        logins = new LoginDefaults(here);
    }

    /**
     * Makes a {@code record} of {@code section}.
     *
     * @param given components that are not read from the section, by name
     */
    public <R> R bind(Value.Keyed section, Class<R> record, Map<String, ?> given) throws UsageException {
        Map<String, Object> usual =
                reader.keys(record).contains(LoginDefaults.KNOWN_HOSTS) ? logins.of(section) : Map.of();
        return UsageException.of(() -> reader.bind(section, record, given, usual));
    }

    /** The keys that {@link #bind} knows for {@code record}. */
    List<String> keys(Class<?> record) {
        return reader.keys(record);
    }

    private static Secret secret(SecretRef reference, Surroundings here) {
        try {
            return SecretValue.of(reference, "the target", here);
        } catch (UsageException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static SecretSource source(SecretRef reference, Surroundings here) {
        return SecretSource.of(reference, () -> secret(reference, here));
    }
}
