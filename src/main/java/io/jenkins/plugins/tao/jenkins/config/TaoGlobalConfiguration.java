package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import hudson.ExtensionList;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import jenkins.model.GlobalConfiguration;
import net.sf.json.JSONObject;
import org.jenkinsci.Symbol;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.StaplerRequest2;

/** The targets of this controller: Manage Jenkins, System, TAO jobs. */
@Extension
@Symbol("tao")
public class TaoGlobalConfiguration extends GlobalConfiguration {
    private List<TargetConfiguration> targets = new ArrayList<>();

    @SuppressWarnings("this-escape") // the way of every global configuration: it reads itself when made
    public TaoGlobalConfiguration() {
        load();
    }

    /** The one of this controller. */
    public static TaoGlobalConfiguration get() {
        return ExtensionList.lookupSingleton(TaoGlobalConfiguration.class);
    }

    @Override
    public String getDisplayName() {
        return Messages.Tao_displayName();
    }

    public List<TargetConfiguration> getTargets() {
        return List.copyOf(targets);
    }

    @DataBoundSetter
    public void setTargets(List<TargetConfiguration> targets) {
        this.targets = new ArrayList<>(targets);
        save();
    }

    /** A form without any target sends no list at all. */
    @Override
    public boolean configure(StaplerRequest2 req, JSONObject json) throws FormException {
        targets = new ArrayList<>();
        super.configure(req, json);
        save();
        return true;
    }

    /**
     * The target that jobs call {@code name}.
     *
     * @throws IllegalArgumentException with the names there are
     */
    public TargetConfiguration target(String name) {
        return targets.stream()
                .filter(target -> target.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "There is no TAO target '" + name + "'. " + (targets.isEmpty() ? "None is" : names())
                                + " configured in Manage Jenkins, System, TAO jobs."));
    }

    private String names() {
        return targets.stream().map(TargetConfiguration::getName).collect(Collectors.joining(", ")) + " are";
    }
}
