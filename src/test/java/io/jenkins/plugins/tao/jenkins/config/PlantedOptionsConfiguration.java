package io.jenkins.plugins.tao.jenkins.config;

import lombok.Getter;
import lombok.Setter;
import org.kohsuke.stapler.DataBoundSetter;

/** The describable of options with one that is new. */
@Getter
public final class PlantedOptionsConfiguration extends JobOptionsConfiguration {
    private static final long serialVersionUID = 1L;

    @Setter(onMethod_ = @DataBoundSetter)
    private String warmUp = "";

    @Override
    protected Class<PlantedOptions> type() {
        return PlantedOptions.class;
    }
}
