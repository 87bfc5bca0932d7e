package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.remote.ssh.SshLogin;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import lombok.Getter;
import lombok.Setter;
import org.jenkinsci.Symbol;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;

/** A Slurm cluster, as an administrator entered it. */
@Getter
public final class SlurmTargetConfiguration extends TargetConfiguration {
    private final String hosts;
    private final String credentialsId;
    private final String knownHosts;
    private final String baseDirectory;

    @Setter(onMethod_ = @DataBoundSetter)
    private String sharedRoots = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String partitions = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String account = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String containerMounts = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String maxGpusPerNode = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String time = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String requeue = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String launcher = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String useSqsh = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String sqshCacheDir = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String conversionPartition = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String conversionTimeout = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String conversionMemory = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String agent = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String user = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String cluster = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String keepStaged = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String avoidFailedNodesFor = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable SlurmRestConfiguration rest;

    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable ProxyJumpConfiguration proxyJump;

    @DataBoundConstructor
    public SlurmTargetConfiguration(
            String name, String hosts, String credentialsId, String knownHosts, String baseDirectory) {
        super(name);
        this.hosts = FormText.kept(hosts);
        this.credentialsId = FormText.kept(credentialsId);
        this.knownHosts = FormText.kept(knownHosts);
        this.baseDirectory = FormText.kept(baseDirectory);
    }

    @Override
    public SlurmTarget toTarget(CredentialStore credentials) {
        return FormBinder.bind(
                this,
                Map.of(
                        "login", login(credentials),
                        "rest", Optional.ofNullable(rest).map(settings -> settings.toSettings(credentials))),
                SlurmTarget.class);
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

    private SshLogin login(CredentialStore credentials) {
        SshLogins logins = new SshLogins(hosts, knownHosts, proxyJump, credentials);
        return agent.isEmpty() || !credentialsId.isEmpty() ? logins.byKey(credentialsId) : logins.byAgent(user, agent);
    }

    /** The form of a Slurm cluster. */
    @Extension
    @Symbol("slurm")
    public static final class DescriptorImpl extends TargetDescriptor {
        @Override
        CredentialKind credential(String field) {
            return CredentialKind.SSH_KEY;
        }
    }
}
