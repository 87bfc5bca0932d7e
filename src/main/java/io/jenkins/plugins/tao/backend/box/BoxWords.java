package io.jenkins.plugins.tao.backend.box;

import io.jenkins.plugins.tao.remote.shell.ShellCommand;
import io.jenkins.plugins.tao.remote.ssh.SshAddress;
import io.jenkins.plugins.tao.remote.ssh.SshLogin;

/** Words that people see in several places. Pure. */
final class BoxWords {
    private BoxWords() {}

    /** What a person types to get there: {@code ssh -p 2222 tao@gpu.example}. */
    static String ssh(SshLogin login) {
        SshAddress host = login.hosts().get(0);
        return "ssh " + host.sshOptions() + ShellCommand.quote(login.user() + "@" + host.host());
    }

    /** How to reach a port of the box from here. */
    static String tunnel(BoxPlace place, int port) {
        return place.address()
                .map(ssh -> "ssh -N -L " + port + ":localhost:" + port + ssh.substring("ssh".length()))
                .orElse("it is this machine: http://localhost:" + port);
    }
}
