package io.jenkins.plugins.tao.jenkins.config;

import com.cloudbees.jenkins.plugins.sshcredentials.SSHUserPrivateKey;
import hudson.Extension;
import hudson.model.Describable;
import hudson.util.FormValidation;
import io.jenkins.plugins.tao.remote.ssh.SshAddress;
import io.jenkins.plugins.tao.remote.ssh.SshHop;
import java.util.Optional;
import lombok.Getter;
import lombok.Setter;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.verb.POST;

/** The host on the way to a target's login hosts, as an administrator entered it; their property {@code proxyJump}. */
@Getter
public final class ProxyJumpConfiguration implements Describable<ProxyJumpConfiguration> {
    private final String host;

    @Setter(onMethod_ = @DataBoundSetter)
    private String port = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String user = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String credentialsId = "";

    @DataBoundConstructor
    public ProxyJumpConfiguration(String host) {
        this.host = FormText.kept(host);
    }

    /**
     * The hop, its credential looked up now.
     *
     * @param loginUser the user on the login hosts
     * @throws IllegalArgumentException if a field is wrong, or there is no such credential in reach
     */
    SshHop toHop(String loginUser, CredentialStore credentials) {
        if (credentialsId.isEmpty()) {
            return new SshHop(address(), user.isEmpty() ? loginUser : user, Optional.empty());
        }
        SSHUserPrivateKey key = credentials.sshKey(credentialsId);
        return new SshHop(
                address(), user.isEmpty() ? key.getUsername() : user, Optional.of(SshLogins.key(key, credentialsId)));
    }

    /**
     * Where it listens.
     *
     * @throws IllegalArgumentException if host or port is wrong
     */
    SshAddress address() {
        return address(host, port);
    }

    private static SshAddress address(String host, String port) {
        SshAddress address = SshAddress.parse(host);
        return port.isBlank() ? address : SshAddress.parse("[" + address.host() + "]:" + port.strip());
    }

    /** The form of a jump host. */
    @Extension
    public static final class DescriptorImpl extends RecordDescriptor<ProxyJumpConfiguration> {
        @Override
        CredentialKind credential(String field) {
            return CredentialKind.SSH_KEY;
        }

        /** Checks the address. */
        @POST
        public FormValidation doCheckHost(@QueryParameter String value, @QueryParameter String port) {
            return AdminForm.checked(() -> address(value, port));
        }
    }
}
