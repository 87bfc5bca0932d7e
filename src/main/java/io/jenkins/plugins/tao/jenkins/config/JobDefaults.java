package io.jenkins.plugins.tao.jenkins.config;

import hudson.ExtensionList;
import hudson.model.Item;
import hudson.model.ItemGroup;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the folders of a job say of its TAO jobs: each parameter from the nearest folder that names it, and the variables of all. */
public final class JobDefaults {
    /** Variables: those of the job come after those of its folders, the outermost first. */
    public static final String ENV = "env";

    private final Map<String, String> values = new LinkedHashMap<>();
    private final Map<String, String> env = new LinkedHashMap<>();

    private JobDefaults() {}

    /**
     * Those of the folders of {@code item}.
     *
     * @throws IllegalArgumentException if the variables of a folder are no mapping
     */
    public static JobDefaults of(Item item) {
        JobDefaults defaults = new JobDefaults();
        for (ItemGroup<?> folder : Targets.folders(item)) {
            ExtensionList.lookup(FolderSettings.class).forEach(settings -> defaults.add(settings.defaults(folder)));
        }
        return defaults;
    }

    private void add(Map<String, String> outer) {
        outer.forEach(values::putIfAbsent);
        FormText.texts(ENV, outer.get(ENV)).forEach(env::putIfAbsent);
    }

    /** What is given; else what the folders say. */
    public String or(String parameter, String given) {
        return given.isEmpty() ? values.getOrDefault(parameter, "") : given;
    }

    /**
     * The variables that are given, and those of the folders that are not.
     *
     * @throws IllegalArgumentException if the given text is no mapping
     */
    public String env(String given) {
        if (env.isEmpty()) {
            return given;
        }
        Map<String, String> all = new LinkedHashMap<>(env);
        all.putAll(FormText.texts(ENV, given));
        return FormText.yaml(all);
    }
}
