package io.jenkins.plugins.tao.remote.ssh;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.SshException;

/** Says why a login failed, so that it can be corrected. */
final class LoginRefusal {
    private LoginRefusal() {}

    /** Whether the server refused us; everything else is trouble of transport. */
    static boolean is(IOException e) {
        return e instanceof SshException ssh
                && (ssh.getDisconnectCode() == SshConstants.SSH2_DISCONNECT_NO_MORE_AUTH_METHODS_AVAILABLE
                        || String.valueOf(ssh.getMessage()).contains("Too many authentication failures"));
    }

    static Denied explain(SshLogin login, String target, SshAddress host, OfferedMethods methods, String expired) {
        String prompts = String.join(", ", methods.prompts());
        if (methods.keyAccepted() || (!methods.keyTried() && !prompts.isEmpty())) {
            return new Denied(
                    who(login, target, host) + " asks for interactive input (" + prompts + ") "
                            + (methods.keyAccepted() ? "after it took" : "and does not take")
                            + " the key " + login.key().label() + ": key authentication is not enough here.",
                    "Ask the site's administrators to let this user in by key alone from this machine; a login that"
                            + " needs a second factor for every connection cannot run unattended.\n"
                            + SshSetup.steps(login));
        }
        return new Denied(
                who(login, target, host) + " refused the key " + login.key().label() + "." + expired
                        + " It is not tried again automatically: repeated refusals make sshd lock this machine out."
                        + otherHosts(login, host),
                SshSetup.steps(login));
    }

    /** A few words on an error of transport. */
    static String reason(IOException e) {
        Throwable root = BackendException.outage(e);
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        if (root instanceof UnknownHostException) {
            return "no such host";
        }
        if (root instanceof TimeoutException) {
            return "no answer in time";
        }
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }

    private static String who(SshLogin login, String target, SshAddress host) {
        return "Login host " + host + " of target '" + target + "', asked as user '" + login.user() + "',";
    }

    private static String otherHosts(SshLogin login, SshAddress host) {
        String others = login.hosts().stream()
                .filter(other -> !other.equals(host))
                .map(SshAddress::toString)
                .collect(Collectors.joining(", "));
        return others.isEmpty() ? "" : " Not asked: " + others + ".";
    }
}
