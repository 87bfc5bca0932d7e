package io.jenkins.plugins.tao.remote;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A program named nvidia-smi that prints what the real one prints, in a folder for {@code PATH}. */
public final class PlayedGpus {
    /** As drivers 535 and 550 print it. */
    public static final String TWO = "0, GPU-5ad0c0de-0001-0000-0000-000000000000, NVIDIA H100 80GB HBM3, 535.104.05,"
            + " 81559, 97, 40123\n1, GPU-5ad0c0de-0002-0000-0000-000000000000, NVIDIA H100 80GB HBM3, 535.104.05, 81559,"
            + " 0, 3\n";

    private final Path bin;

    /** In {@code folder}/bin. */
    public PlayedGpus(Path folder) throws IOException {
        bin = Files.createDirectories(folder.resolve("bin"));
    }

    public Path bin() {
        return bin;
    }

    /** One that knows these GPUs: index, uuid, name, driver_version, memory.total, utilization.gpu, memory.used. */
    public PlayedGpus with(String table) throws IOException {
        Path gpus = Files.writeString(bin.resolve("gpus"), table);
        return says("""
                case $1 in
                  --query-gpu=*)
                    awk -F', ' -v want="${1#--query-gpu=}" 'BEGIN {
                      n = split("index uuid name driver_version memory.total utilization.gpu memory.used", names, " ")
                      for (i = 1; i <= n; i++) column[names[i]] = i
                      k = split(want, wanted, ",") }
                      { line = ""; for (i = 1; i <= k; i++) line = line (i > 1 ? ", " : "") $(column[wanted[i]]); print line }' '%1$s' ;;
                  -L) sed 's/^\\([0-9]*\\), \\([^,]*\\), \\([^,]*\\),.*/GPU \\1: \\3 (UUID: \\2)/' '%1$s' ;;
                  --query-compute-apps=*) ;;
                  '') echo '| NVIDIA-SMI 535.104.05             Driver Version: 535.104.05   CUDA Version: 12.2     |' ;;
                  *) echo "unknown option $1" >&2; exit 2 ;;
                esac
                """.formatted(gpus));
    }

    /** One that runs this text of sh. */
    public PlayedGpus says(String body) throws IOException {
        Path program = Files.writeString(bin.resolve("nvidia-smi"), "#!/bin/sh\n" + body);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return this;
    }
}
