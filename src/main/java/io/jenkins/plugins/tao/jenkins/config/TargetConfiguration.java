package io.jenkins.plugins.tao.jenkins.config;

import hudson.ExtensionPoint;
import hudson.model.Describable;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.job.Secret;
import java.util.Arrays;
import java.util.List;
import lombok.Setter;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.export.Exported;
import org.kohsuke.stapler.export.ExportedBean;

/** A place that runs jobs, as an administrator entered it. Each backend has one subclass. */
@ExportedBean
public abstract class TargetConfiguration implements Describable<TargetConfiguration>, ExtensionPoint {
    private final String name;

    /** Null where an earlier version saved it. */
    @Setter(onMethod_ = @DataBoundSetter)
    private @Nullable String folders;

    @Setter(onMethod_ = @DataBoundSetter)
    private boolean permitted;

    protected TargetConfiguration(String name) {
        this.name = FormText.kept(name);
    }

    /** What jobs call it. */
    @Exported
    public String getName() {
        return name;
    }

    /** The folders and jobs whose builds may use it, as {@code teams/vision, research/*}; empty for all. */
    public String getFolders() {
        return FormText.kept(folders);
    }

    /** Whether builds may use it only if the user that they run as has the permission TAO/Use. */
    public boolean isPermitted() {
        return permitted;
    }

    /**
     * The target with its credentials, looked up now.
     *
     * @throws IllegalArgumentException if a field or a credential is wrong
     */
    public abstract Target toTarget(CredentialStore credentials);

    /**
     * Reads all fields whose form is known without the target: numbers, lengths of time, choices. Looks up no credential.
     *
     * @throws IllegalArgumentException naming the field that is wrong
     */
    protected void checkFields() {
        FormBinder.check(this, type());
    }

    /** The fields without which no job can run there: a list that leaves one of them empty is refused. */
    protected List<String> needed() {
        return List.of();
    }

    /** The record whose components are the properties: what {@link #toTarget} returns. */
    protected Class<? extends Target> type() {
        return Arrays.stream(getClass().getDeclaredMethods())
                .filter(method -> method.getName().equals("toTarget") && !method.isBridge())
                .findFirst()
                .orElseThrow()
                .getReturnType()
                .asSubclass(Target.class);
    }

    /**
     * The secrets that a job gets from its target, beside those it names itself: no log of a build may show them.
     *
     * @throws IllegalArgumentException if a credential is out of reach
     */
    public List<Secret> secretsOfJobs(CredentialStore credentials) {
        return List.of();
    }
}
