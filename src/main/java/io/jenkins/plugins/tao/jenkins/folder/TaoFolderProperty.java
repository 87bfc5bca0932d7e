package io.jenkins.plugins.tao.jenkins.folder;

import com.cloudbees.hudson.plugins.folder.AbstractFolder;
import com.cloudbees.hudson.plugins.folder.AbstractFolderProperty;
import com.cloudbees.hudson.plugins.folder.AbstractFolderPropertyDescriptor;
import hudson.Extension;
import hudson.model.Descriptor;
import hudson.model.Item;
import hudson.util.FormValidation;
import hudson.util.FormValidation.CheckMethod;
import hudson.util.ListBoxModel;
import io.jenkins.plugins.tao.jenkins.config.FieldCheck;
import io.jenkins.plugins.tao.jenkins.config.FormMistake;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.jenkins.config.TargetChoice;
import io.jenkins.plugins.tao.jenkins.config.TargetConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TargetNames;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import jenkins.model.Jenkins;
import lombok.AccessLevel;
import lombok.Getter;
import lombok.Setter;
import net.sf.json.JSONObject;
import org.jenkinsci.Symbol;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.AncestorInPath;
import org.kohsuke.stapler.DataBoundConstructor;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.StaplerRequest2;
import org.kohsuke.stapler.verb.POST;

/**
 * What a folder says of TAO jobs: targets of its own, and what its jobs ask for where they say nothing. A target may run
 * commands on the controller, so that administrators alone enter targets, by whatever door.
 */
@Getter
public final class TaoFolderProperty extends AbstractFolderProperty<AbstractFolder<?>> {
    @Getter(AccessLevel.NONE)
    private @Nullable SealedTargets own;

    @Setter(onMethod_ = @DataBoundSetter)
    private String target = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String image = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String gpus = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String timeLimit = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String giveUpAfter = "";

    @Setter(onMethod_ = @DataBoundSetter)
    private String env = "";

    @DataBoundConstructor
    public TaoFolderProperty() {
        // all is optional
    }

    /** The targets of this folder. */
    public List<TargetConfiguration> getTargets() {
        return targets("a folder");
    }

    List<TargetConfiguration> targets(String folder) {
        SealedTargets known = own;
        return known == null ? List.of() : known.targets(folder);
    }

    /**
     * Replaces all targets; those of whoever is no administrator are left out.
     *
     * @throws IllegalArgumentException if a name is wrong or stands twice, or a field is wrong
     */
    @DataBoundSetter
    public void setTargets(List<TargetConfiguration> targets) {
        TargetNames.check(targets);
        own = targets.isEmpty() || !Jenkins.get().hasPermission(Jenkins.ADMINISTER) ? null : new SealedTargets(targets);
    }

    /** What the jobs of the folder ask for where they say nothing; blank fields are absent. */
    Map<String, String> defaults() {
        Map<String, String> given = new LinkedHashMap<>();
        given.put("target", FormText.kept(target));
        given.put("image", FormText.kept(image));
        given.put("gpus", FormText.kept(gpus));
        given.put("timeLimit", FormText.kept(timeLimit));
        given.put("giveUpAfter", FormText.kept(giveUpAfter));
        given.put("env", FormText.kept(env));
        given.values().removeIf(String::isEmpty);
        return given;
    }

    /** Takes a form: the targets of whoever is no administrator stay as they are. */
    @Override
    public @Nullable AbstractFolderProperty<?> reconfigure(StaplerRequest2 req, @Nullable JSONObject form)
            throws Descriptor.FormException {
        TaoFolderProperty next = null;
        try {
            next = form == null ? null : req.bindJSON(TaoFolderProperty.class, form);
        } catch (IllegalArgumentException e) {
            throw FormMistake.of(e, "targets");
        }
        if (!Jenkins.get().hasPermission(Jenkins.ADMINISTER) && own != null) {
            next = next == null ? new TaoFolderProperty() : next;
            next.own = own;
        }
        return next == null || next.isEmpty() ? null : next;
    }

    private boolean isEmpty() {
        return own == null && defaults().isEmpty();
    }

    /** The form. */
    @Extension(optional = true)
    @Symbol("taoFolder")
    public static final class DescriptorImpl extends AbstractFolderPropertyDescriptor {
        private static final Map<String, Consumer<String>> READINGS = Map.of(
                "env", text -> FormText.texts("env", text),
                "gpus", text -> FormText.number("gpus", text),
                "timeLimit", text -> FormText.duration("timeLimit", text),
                "giveUpAfter", text -> FormText.duration("giveUpAfter", text));

        @Override
        public String getDisplayName() {
            return Messages.Folder_displayName();
        }

        /** A form in which nothing is entered makes no property, and one with a mistake says which. */
        @Override
        public @Nullable AbstractFolderProperty<?> newInstance(StaplerRequest2 req, JSONObject form)
                throws FormException {
            return new TaoFolderProperty().reconfigure(req, form);
        }

        /** Whether the form shows targets. */
        public boolean isAdministrator() {
            return Jenkins.get().hasPermission(Jenkins.ADMINISTER);
        }

        /** Offers the targets that the jobs of the folder may use. */
        @POST
        public ListBoxModel doFillTargetItems(@AncestorInPath @Nullable Item item, @QueryParameter String target) {
            return TargetChoice.defaults(item, target);
        }

        @Override
        public CheckMethod getCheckMethod(String field) {
            return READINGS.containsKey(field) ? new FieldCheck(this, field) : super.getCheckMethod(field);
        }

        /** Checks the text of the field that the rest of the path names. */
        @POST
        public FormValidation doCheckField(StaplerRequest2 request, @QueryParameter String value) {
            return FieldCheck.checked(READINGS, request, value);
        }
    }
}
