package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import io.jenkins.plugins.tao.backend.box.options.SshTarget;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import lombok.Getter;
import lombok.Setter;
import org.jenkinsci.Symbol;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;

/** A machine that answers SSH and nothing else, as an administrator entered it. */
@Getter
public final class SshTargetConfiguration extends BoxTargetConfiguration {
    private final String hosts;
    private final String credentialsId;
    private final String knownHosts;

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable ProxyJumpConfiguration proxyJump;

    @DataBoundConstructor
    public SshTargetConfiguration(
            String name, String hosts, String credentialsId, String knownHosts, String baseDirectory) {
        super(name, baseDirectory);
        this.hosts = FormText.kept(hosts);
        this.credentialsId = FormText.kept(credentialsId);
        this.knownHosts = FormText.kept(knownHosts);
    }

    @Override
    public SshTarget toTarget(CredentialStore credentials) {
        SshLogins logins = new SshLogins(hosts, knownHosts, proxyJump, credentials);
        return FormBinder.bind(this, Map.of("login", logins.byKey(credentialsId)), SshTarget.class);
    }

    @Override
    protected void checkFields() {
        super.checkFields();
        if (proxyJump != null) {
            Objects.requireNonNull(proxyJump.address());
        }
    }

    @Override
    protected List<String> needed() {
        return List.of("hosts", "knownHosts", "baseDirectory");
    }

    /** The form of a box. */
    @Extension
    @Symbol("ssh")
    public static final class DescriptorImpl extends TargetDescriptor {
        @Override
        CredentialKind credential(String field) {
            return CredentialKind.SSH_KEY;
        }
    }
}
