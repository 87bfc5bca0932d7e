package io.jenkins.plugins.tao.cli.terminal;

import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.job.JobKey;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/** Who a command line is to the jobs it holds: one user on one host with one directory of records. */
public final class Identity {
    private static final Path HOST = Path.of("/proc/sys/kernel/hostname");

    private Identity() {}

    /** Several commands of one user work side by side, so there is no session that would tell them apart. */
    public static Controller of(Surroundings here) {
        String user = System.getProperty("user.name");
        String host = host();
        String id = JobKey.derive("tao", user, host, here.stateDirectory().toString())
                .value();
        return new Controller(id, "tao of " + user + "@" + host, "");
    }

    /** The kernel's word where there is one: asking the network for our own name may take seconds. */
    private static String host() {
        try {
            return Files.isReadable(HOST)
                    ? Files.readString(HOST).strip()
                    : InetAddress.getLocalHost().getHostName();
        } catch (IOException e) {
            return "localhost";
        }
    }
}
