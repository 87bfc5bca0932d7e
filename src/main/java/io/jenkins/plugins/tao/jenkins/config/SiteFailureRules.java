package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import hudson.ExtensionList;
import hudson.model.Descriptor.FormException;
import hudson.util.FormValidation;
import io.jenkins.plugins.tao.failure.FailureRules;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import jenkins.model.GlobalConfiguration;
import net.sf.json.JSONObject;
import org.jenkinsci.Symbol;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.StaplerRequest2;
import org.kohsuke.stapler.verb.POST;

/** The rules of this site that explain failures: Manage Jenkins, System, TAO failures. */
@Extension
@Symbol("taoFailureRules")
public class SiteFailureRules extends GlobalConfiguration {
    private static final Logger LOGGER = Logger.getLogger(SiteFailureRules.class.getName());

    private volatile String rules = "";
    private transient volatile @Nullable FailureRules all;

    @SuppressWarnings("this-escape") // the way of every global configuration: it reads itself when made
    public SiteFailureRules() {
        load();
    }

    /** The rules of this controller: those of the site, then those of this version. */
    public static FailureRules current() {
        return ExtensionList.lookupSingleton(SiteFailureRules.class).known();
    }

    /** A rule that this version cannot read any more costs the rules of the site, and no build. */
    private FailureRules known() {
        FailureRules known = all;
        if (known == null) {
            try {
                known = FailureRules.own().after(rules);
            } catch (IllegalArgumentException e) {
                LOGGER.log(Level.WARNING, e, () -> "the failure rules of this site are left out");
                known = FailureRules.own();
            }
            all = known;
        }
        return known;
    }

    @Override
    public String getDisplayName() {
        return Messages.SiteFailureRules_displayName();
    }

    public String getRules() {
        return rules;
    }

    /**
     * Replaces them.
     *
     * @throws IllegalArgumentException naming the line that is wrong; then nothing changes
     */
    @DataBoundSetter
    public void setRules(@Nullable String rules) {
        String given = rules == null ? "" : rules;
        FailureRules checked = FailureRules.own().after(given);
        this.rules = given;
        all = checked;
        save();
    }

    @Override
    public boolean configure(StaplerRequest2 req, JSONObject json) throws FormException {
        try {
            Object given = json.opt("rules");
            setRules(given == null ? "" : given.toString());
        } catch (IllegalArgumentException e) {
            throw FormMistake.of(e, "rules");
        }
        return true;
    }

    /** Says which line is wrong, and how many rules there are. */
    @POST
    public FormValidation doCheckRules(@QueryParameter String value) {
        AdminForm.permit();
        try {
            int count =
                    FailureRules.own().after(value).size() - FailureRules.own().size();
            return FormValidation.ok(Messages.SiteFailureRules_count(count));
        } catch (IllegalArgumentException e) {
            return FormValidation.error(e.getMessage());
        }
    }

    /** Tries each rule against a text. */
    @POST
    public FormValidation doTryRules(@QueryParameter String rules, @QueryParameter String sample) {
        AdminForm.permit();
        try {
            List<FailureRules.Match> shown = FailureRules.tried(rules, sample);
            return shown.isEmpty()
                    ? FormValidation.warning(Messages.SiteFailureRules_none())
                    : FormValidation.ok(shown.stream()
                            .map(match ->
                                    match.rule().cause() + " /" + match.rule().pattern() + "/: "
                                            + match.line().strip())
                            .collect(Collectors.joining("; ")));
        } catch (IllegalArgumentException e) {
            return FormValidation.error(e.getMessage());
        }
    }
}
