package io.jenkins.plugins.tao.backend;

import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobOptions;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** A kind of backend whose jobs live in memory and end as they are told; see {@link FakeBackend}. */
public final class FakeType implements BackendType {
    private final String name;
    private final FakeBackend backend = new FakeBackend();

    public FakeType(String name) {
        this.name = name;
    }

    /** The one backend of all its targets. */
    public FakeBackend backend() {
        return backend;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Class<? extends Target> targetType() {
        return FakeTarget.class;
    }

    @Override
    public Class<? extends JobOptions> optionsType() {
        return FakeOptions.class;
    }

    @Override
    public Backend open(Target target) {
        return backend;
    }

    @Override
    public Preview preview(Target target, JobSpec spec, JobKey key) {
        String text = "#!/bin/sh\n# secrets: " + String.join(" ", spec.secrets().keySet()) + "\n" + spec.command();
        return new Preview(List.of(new Preview.Part("job.sh", text)));
    }

    /** A target with one component of each shape that a backend may use. */
    public record FakeTarget(
            String name,
            Optional<Login> access,
            List<String> queues,
            OptionalInt slots,
            Optional<Duration> time,
            Optional<Secret> token,
            Optional<Mood> mood)
            implements Target {}

    /** A group with a text form for one of its parts. */
    public record Login(List<Address> hosts, String user, Key key) {
        public Login {
            if (user.isBlank()) {
                throw new IllegalArgumentException("user must not be blank");
            }
        }
    }

    /** Written as one word. */
    public record Address(String host, int port) {
        /** Reads {@code host:port}. */
        public static Address parse(String text) {
            String[] parts = text.split(":", -1);
            if (parts.length != 2) {
                throw new IllegalArgumentException("'" + text + "' is not host:port");
            }
            return new Address(parts[0], Integer.parseInt(parts[1]));
        }
    }

    /** Lies in a file that may be locked. */
    public record Key(Path path, Optional<Secret> passphrase) {
        public static Key ofFile(Path path, Optional<Secret> passphrase) {
            return new Key(path, passphrase);
        }
    }

    /** One of a few words. */
    public enum Mood {
        GOOD,
        VERY_BAD
    }

    /** Options with one component of each shape. */
    public record FakeOptions(Optional<String> queue, Optional<Boolean> exclusive, Map<String, String> labels)
            implements JobOptions {}
}
