package io.jenkins.plugins.tao.jenkins.config;

import hudson.ExtensionPoint;
import hudson.model.Describable;
import hudson.model.Descriptor;
import io.jenkins.plugins.tao.job.JobOptions;
import java.io.Serializable;
import java.util.Map;
import java.util.Optional;
import org.jenkinsci.plugins.structs.describable.CustomDescribableModel;

/** What only one backend understands of a job, as a user entered it. Each backend has one subclass; it holds texts only. */
public abstract class JobOptionsConfiguration
        implements Describable<JobOptionsConfiguration>, ExtensionPoint, Serializable {
    private static final long serialVersionUID = 1L;

    /**
     * The options in the backend's own type; empty for none.
     *
     * @throws IllegalArgumentException if a field is wrong
     */
    public Optional<JobOptions> toOptions() {
        return Optional.of(FormBinder.bind(this, Map.of(), type()));
    }

    /** The record whose components are the properties. */
    protected abstract Class<? extends JobOptions> type();

    /** Lets Pipelines give numbers, truth values and lists. */
    public abstract static class OptionsDescriptor extends Descriptor<JobOptionsConfiguration>
            implements CustomDescribableModel {
        @Override
        public Map<String, Object> customInstantiate(Map<String, Object> arguments) {
            return PipelineText.flatten(arguments);
        }
    }
}
