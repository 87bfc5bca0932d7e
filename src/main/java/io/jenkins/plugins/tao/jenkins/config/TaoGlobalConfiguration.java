package io.jenkins.plugins.tao.jenkins.config;

import hudson.Extension;
import hudson.ExtensionList;
import io.jenkins.plugins.tao.cost.Budgets;
import io.jenkins.plugins.tao.placing.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import jenkins.model.GlobalConfiguration;
import net.sf.json.JSONObject;
import org.jenkinsci.Symbol;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.DataBoundSetter;
import org.kohsuke.stapler.StaplerRequest2;

/** The targets of this controller: Manage Jenkins, System, TAO jobs. */
@Extension
@Symbol("tao")
public class TaoGlobalConfiguration extends GlobalConfiguration {
    private static final Logger LOGGER = Logger.getLogger(TaoGlobalConfiguration.class.getName());

    private volatile List<TargetConfiguration> targets = new ArrayList<>();

    private volatile @Nullable String prices;
    private volatile @Nullable String budgets;
    private volatile @Nullable String limits;
    private volatile @Nullable MlflowConfiguration mlflow;

    @SuppressWarnings("this-escape") // the way of every global configuration: it reads itself when made
    public TaoGlobalConfiguration() {
        load();
        LOGGER.log(Level.FINE, "targets that ask for it need {0}", TaoPermissions.USE); // known from the start on
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

    /**
     * Replaces all targets, or none of them.
     *
     * @throws IllegalArgumentException if a name is wrong or stands twice, or a field is wrong
     */
    @DataBoundSetter
    public void setTargets(List<TargetConfiguration> targets) {
        TargetNames.check(targets);
        this.targets = new ArrayList<>(targets);
        save();
    }

    /** What a GPU-hour costs: a YAML list, as docs/cost.md has it. */
    public String getPrices() {
        return FormText.kept(prices);
    }

    /**
     * Sets the prices.
     *
     * @throws IllegalArgumentException if one is wrong
     */
    @DataBoundSetter
    public void setPrices(String prices) {
        String text = FormText.kept(prices);
        AccountsText.prices(text);
        this.prices = text;
        save();
    }

    /** What a month may use: a YAML list, as docs/cost.md has it. */
    public String getBudgets() {
        return FormText.kept(budgets);
    }

    /**
     * Sets the budgets.
     *
     * @throws IllegalArgumentException if one is wrong
     */
    @DataBoundSetter
    public void setBudgets(String budgets) {
        String text = FormText.kept(budgets);
        AccountsText.budgets(text);
        this.budgets = text;
        save();
    }

    /** What jobs may have on a target at a time: a YAML list, as docs/targets-and-chains.md has it. */
    public String getLimits() {
        return FormText.kept(limits);
    }

    /**
     * Sets the limits.
     *
     * @throws IllegalArgumentException if one is wrong
     */
    @DataBoundSetter
    public void setLimits(String limits) {
        String text = FormText.kept(limits);
        AccountsText.limits(text);
        this.limits = text;
        save();
    }

    /** What jobs may have at a time on the target called {@code name}. */
    public Limits limits(String name) {
        return Limits.of(name, AccountsText.limits(getLimits()));
    }

    /** The MLflow server that runs are logged to; null for none. */
    public @Nullable MlflowConfiguration getMlflow() {
        return mlflow;
    }

    /**
     * Sets the MLflow server.
     *
     * @throws IllegalArgumentException if a field is wrong
     */
    @DataBoundSetter
    public void setMlflow(@Nullable MlflowConfiguration mlflow) {
        if (mlflow != null) {
            mlflow.check();
        }
        this.mlflow = mlflow;
        save();
    }

    /** The prices and budgets, ready for use. */
    public Budgets accounts() {
        return new Budgets(
                AccountsText.budgets(getBudgets()),
                AccountsText.prices(getPrices()),
                "Manage Jenkins, System, TAO jobs, Budgets");
    }

    /** A form without any target sends no list at all. Builds that run meanwhile find the former targets, or the new ones. */
    @Override
    public boolean configure(StaplerRequest2 req, JSONObject json) throws FormException {
        try {
            AccountsText.prices(json.optString("prices")); // all of a form is right, or none of it is taken
            AccountsText.budgets(json.optString("budgets"));
            AccountsText.limits(json.optString("limits"));
            Optional<MlflowConfiguration> tracking =
                    req.bindJSONToList(MlflowConfiguration.class, json.opt("mlflow")).stream()
                            .findFirst();
            tracking.ifPresent(MlflowConfiguration::check);
            setTargets(req.bindJSONToList(TargetConfiguration.class, json.opt("targets")));
            setPrices(json.optString("prices"));
            setBudgets(json.optString("budgets"));
            setLimits(json.optString("limits"));
            setMlflow(tracking.orElse(null));
        } catch (IllegalArgumentException e) {
            throw FormMistake.of(e, "targets");
        }
        return true;
    }
}
