package io.jenkins.plugins.tao;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** The real PyTorch that {@code src/test/rigs/torch/up} unpacks, and what plays TAO's launcher before it. */
public final class TorchRig {
    /** Holds {@code torchrun}, {@code rtdetr}, which is a launcher, and {@code allreduce.py}, which adds up ranks. */
    public static final Path BIN = Path.of(
                    Optional.ofNullable(System.getenv("LAB_TORCH")).orElse("/var/lib/torchlab"))
            .resolve("bin");

    private TorchRig() {}

    /** Skips the test where there is no PyTorch. */
    public static void assumeUp() {
        Assumptions.assumeTrue(
                Files.isExecutable(BIN.resolve("torchrun")), "no PyTorch: run src/test/rigs/torch/up as root");
    }
}
