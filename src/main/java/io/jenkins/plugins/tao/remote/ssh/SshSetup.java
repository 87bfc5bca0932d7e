package io.jenkins.plugins.tao.remote.ssh;

import io.jenkins.plugins.tao.remote.shell.ShellCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** How a person makes a login work without a prompt, once for each user and login host. */
final class SshSetup {
    private SshSetup() {}

    /** Five steps with this login's user, hosts and key filled in. */
    static String steps(SshLogin login) {
        Optional<Path> file = file(login.key());
        boolean stored = login.key() instanceof SshKey.Text;
        String key = file.map(path -> ShellCommand.quote(path.toString())).orElse(stored ? "KEY" : "~/.ssh/id_ed25519");
        boolean there = file.filter(Files::exists).isPresent();
        String create = " 1. create a key: ssh-keygen -t ed25519 -f " + key;
        String publish = " 1. on a machine that has the private key of "
                + login.key().label() + " in a file KEY: ssh-keygen -y -f KEY > KEY.pub";
        return String.join(
                "\n",
                "Set up the login once, then run this again:",
                stored ? publish : there ? " 1. see which key it is: ssh-keygen -f " + key + " -y" : create,
                " 2. install it on each host: "
                        + each(login, host -> "ssh-copy-id -i " + key + ".pub " + destination(login, host)),
                " 3. trust each host key, compared with the site's: " + each(login, SshSetup::scan),
                " 4. lock the key: chmod 600 " + key
                        + (stored ? "" : ", owned by the user that runs this, also where it is mounted"),
                " 5. verify: "
                        + each(
                                login,
                                host -> "ssh -o BatchMode=yes -i " + key + " " + destination(login, host) + " true"));
    }

    private static Optional<Path> file(SshKey key) {
        if (key instanceof SshKey.Identities identities) {
            return identities.files().stream().filter(Files::exists).findFirst();
        }
        return key instanceof SshKey.File file ? Optional.of(file.path()) : Optional.empty();
    }

    /** The command that prints a host's keys as {@code known_hosts} lines. */
    static String scan(SshAddress host) {
        String scan = "ssh-keyscan " + (host.port() == SshAddress.DEFAULT_PORT ? "" : "-p " + host.port() + " ")
                + host.host();
        if (host.jumps().isEmpty()) {
            return scan;
        }
        List<SshHop> jumps = host.jumps();
        SshHop last = jumps.get(jumps.size() - 1);
        return "ssh " + last.address().sshOptions()
                + ShellCommand.quote(last.user() + "@" + last.address().host()) + " " + scan;
    }

    private static String each(SshLogin login, Function<SshAddress, String> command) {
        return login.hosts().stream().map(command).collect(Collectors.joining(" ; "));
    }

    private static String destination(SshLogin login, SshAddress host) {
        return host.sshOptions() + ShellCommand.quote(login.user() + "@" + host.host());
    }
}
