package io.jenkins.plugins.tao.record;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The keys of a spec that name a run and do not change its work: seeds, directories of results, and names that trackers of experiments show.
 * Two runs that differ in these alone do the same work.
 */
public final class SpecLabels {
    private static final Pattern SEED = Pattern.compile("(?i)(.*[._])?(random_)?seed");

    private static final Pattern PLACE = Pattern.compile(
            "(.*[.])?(results_dir|result_dir|output_dir|out_dir|log_dir|logging_dir"
                    + "|resume_training_checkpoint_path|timestamp|run_id|run_name|exp_name|experiment|experiment_name|experiment_id)");

    /** The section of a tracker decides what is shown, and nothing of what is trained. */
    private static final Pattern TRACKER =
            Pattern.compile("(.*[._])?(wandb|mlflow|clearml|tensorboard|comet|neptune)(_config|_logger)?([._\\[].*)?");

    private SpecLabels() {}

    /** Whether {@code key} is the path of a seed. */
    static boolean isSeed(String key) {
        return SEED.matcher(key).matches();
    }

    /** Whether the value at {@code key}, a path such as {@code wandb.name} or the name of a variable or option, is a mere label. */
    public static boolean is(String key) {
        String name = key.replace('-', '_').toLowerCase(Locale.ROOT);
        return isSeed(name)
                || PLACE.matcher(name).matches()
                || TRACKER.matcher(name).matches();
    }
}
