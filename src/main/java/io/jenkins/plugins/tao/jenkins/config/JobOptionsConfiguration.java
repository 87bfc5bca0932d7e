package io.jenkins.plugins.tao.jenkins.config;

import hudson.ExtensionPoint;
import hudson.model.Describable;
import io.jenkins.plugins.tao.job.JobOptions;
import java.io.Serializable;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jenkinsci.Symbol;
import org.jenkinsci.plugins.structs.describable.CustomDescribableModel;
import org.jspecify.annotations.Nullable;

/** What only one backend understands of a job, as a user entered it. Each backend has one subclass; it holds texts only. */
public abstract class JobOptionsConfiguration
        implements Describable<JobOptionsConfiguration>, ExtensionPoint, Serializable, Cloneable {
    private static final long serialVersionUID = 1L;

    /**
     * The options in the backend's own type; empty for none.
     *
     * @throws IllegalArgumentException if a field is wrong
     */
    public Optional<JobOptions> toOptions() {
        return Optional.of(FormBinder.bind(this, Map.of(), type()));
    }

    /**
     * The options of a job whose members are the cells of a sweep.
     *
     * @param own what else it asks for; null for nothing
     * @param members values by name, as the backend asks for members
     * @throws IllegalArgumentException if {@code own} are options of a backend whose jobs have no members
     */
    public static JobOptionsConfiguration carrying(
            String backend, @Nullable JobOptionsConfiguration own, Map<String, String> members) {
        JobOptionsConfiguration options = own != null
                ? own.copy()
                : backend.equals("slurm") ? new SlurmOptionsConfiguration() : new KubernetesOptionsConfiguration();
        options.carry(members);
        return options;
    }

    private JobOptionsConfiguration copy() {
        try {
            return (JobOptionsConfiguration) clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("all options can be copied", e);
        }
    }

    /** Takes over how a job gets members. */
    void carry(Map<String, String> members) {
        throw new IllegalArgumentException("these options are of a backend whose jobs have no members");
    }

    /** The record whose components are the properties. */
    protected Class<? extends JobOptions> type() {
        return JobOptions.class;
    }

    /** Lets Pipelines give numbers, truth values and lists. */
    public abstract static class OptionsDescriptor extends RecordDescriptor<JobOptionsConfiguration>
            implements CustomDescribableModel {
        @Override
        public Map<String, Object> customInstantiate(Map<String, Object> arguments) {
            Symbol symbol = Objects.requireNonNull(getClass().getAnnotation(Symbol.class), "options have a symbol");
            PipelineText.refuseUnknown(symbol.value()[0], clazz, arguments.keySet());
            return PipelineText.flatten(arguments);
        }

        @Override
        void permit() {
            // checks read a text alone: all who see the form may ask
        }
    }
}
