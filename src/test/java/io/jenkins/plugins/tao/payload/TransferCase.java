package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.payload.Container.KEY;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.SecretSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The whole script with its runner in Python, against a storage that checks each signature. */
abstract class TransferCase {
    @TempDir
    Path folder;

    final S3Server s3 = S3Server.start().bucket("data").bucket("out");

    @BeforeEach
    void python() throws Exception {
        assumeTrue(
                new ProcessBuilder("python3", "--version")
                                .redirectErrorStream(true)
                                .start()
                                .waitFor()
                        == 0,
                "these tests need python3 on the PATH");
    }

    @AfterEach
    void close() {
        s3.close();
    }

    final Payload payload(JobSpec.Builder spec) {
        return Payload.of(spec.build(), KEY).sharedRoot(folder + "/mnt").storage(s3.settings(Optional.of("out")));
    }

    final S3Settings often(Duration every, List<String> exclude) {
        return new S3Settings(
                Optional.of(s3.endpoint()),
                Optional.empty(),
                Optional.of("out"),
                Optional.of(SecretSource.known(S3Server.ACCESS)),
                Optional.of(SecretSource.known(S3Server.SECRET)),
                Optional.empty(),
                Optional.of(every),
                exclude);
    }

    /** Settings without keys. */
    static S3Settings byRole(S3Server s3) {
        return new S3Settings(
                Optional.of(s3.endpoint()),
                Optional.empty(),
                Optional.of("out"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of());
    }

    final Container.Log run(Payload payload) throws Exception {
        return run(payload, Map.of());
    }

    final Container.Log run(Payload payload, Map<String, String> more) throws Exception {
        Container container = Container.of("dash")
                .env("TAO_TRANSFER_PAUSE", "0.02")
                .env("PYTHONWARNINGS", "error::DeprecationWarning,error::PendingDeprecationWarning");
        payload.secrets().forEach((name, value) -> container.env(name, value.reveal()));
        return container.env(more).run(payload.script(), folder);
    }

    final Path mount() {
        return folder.resolve("mnt");
    }
}
