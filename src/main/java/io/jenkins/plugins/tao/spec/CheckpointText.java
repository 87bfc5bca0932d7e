package io.jenkins.plugins.tao.spec;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.job.Checkpoints;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.text.OwnFile;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The shell text before a training's command that chooses what it resumes from, and removes checkpoints while it runs. Pure. */
final class CheckpointText {
    /** Stands in a command for the arguments that make its network resume; nothing where it starts anew. */
    private static final Pattern RESUME = Pattern.compile("(?<!\\$)\\{resume}");

    private static final String PROGRAM = OwnFile.text(CheckpointText.class, "checkpoints.sh");
    private static final String ARGUMENTS = "${tao_resume_1:+\"$tao_resume_1\"} ${tao_resume_2:+\"$tao_resume_2\"}";
    private static final Pattern PLAIN =
            Pattern.compile("[A-Za-z0-9_./{}=:,@%+'-]++([ \\t]++[A-Za-z0-9_./{}=:,@%+'-]++)*+");
    private static final String TRAIN = "train";

    private CheckpointText() {}

    /**
     * The command with what goes before it.
     *
     * @param command placeholders filled in, but for {@link #RESUME}
     * @throws Rejected if checkpoints of a network are asked for whose rule is not known
     */
    static String around(String command, JobSpec job, JobKey key, Map<String, Object> spec, String results)
            throws Rejected {
        Optional<CheckpointRule> rule = CheckpointRule.of(command);
        boolean asked = !job.checkpoints().equals(Checkpoints.USUAL)
                || RESUME.matcher(command).find();
        if (rule.isEmpty() && asked) {
            throw new Rejected(
                    "Job '" + key
                            + "' asks something of its checkpoints, and its command trains no single network whose"
                            + " checkpoints are known.",
                    "Write the command as in 'dino train -e {config_path}', one training alone, or leave resume,"
                            + " keepCheckpoints and {resume} out.");
        }
        return rule.isEmpty()
                ? command
                : prelude(rule.get(), job.checkpoints(), spec, results, takes(command)) + told(command);
    }

    /** Where the checkpoints lie from which a further attempt goes on; empty where it starts anew, or nothing proves them whole. */
    static Optional<CheckpointPlace> place(
            String command, Checkpoints request, Map<String, Object> spec, String results) {
        String train = trainFolder(spec, results);
        return CheckpointRule.of(command)
                .filter(rule -> rule.whole().equals("zip") && !request.resume().equals("never"))
                .filter(rule -> train.startsWith(results + "/"))
                .map(rule -> new CheckpointPlace(rule.folders(), rule.names(), train.substring(results.length() + 1)));
    }

    private static boolean takes(String command) {
        return RESUME.matcher(command).find() || PLAIN.matcher(command.strip()).matches();
    }

    private static String told(String command) {
        if (RESUME.matcher(command).find()) {
            return RESUME.matcher(command).replaceAll(Matcher.quoteReplacement(ARGUMENTS));
        }
        return takes(command) ? command.strip() + " " + ARGUMENTS : command;
    }

    private static String prelude(
            CheckpointRule rule, Checkpoints request, Map<String, Object> spec, String results, boolean takes) {
        Optional<Checkpoints.Best> best = request.best();
        return assign("root", results)
                + assign("train", trainFolder(spec, results))
                + assign("folders", rule.folders())
                + assign("names", rule.names())
                + assign("latest", rule.latest())
                + assign("arguments", rule.arguments())
                + assign("whole", rule.whole())
                + assign("told", takes ? "1" : "")
                + assign("resume", request.resume())
                + assign("last", Integer.toString(request.last().orElse(0)))
                + assign("metric", best.map(Checkpoints.Best::metric).orElse(""))
                + assign("sign", best.filter(metric -> !metric.highest()).isPresent() ? "-1" : "1")
                + PROGRAM;
    }

    private static String assign(String name, String value) {
        return "tao_ck_" + name + "=" + quote(value) + "\n";
    }

    private static String trainFolder(Map<String, Object> spec, String results) {
        return spec.get(TRAIN) instanceof Map<?, ?> train
                        && train.get("results_dir") instanceof String own
                        && own.startsWith("/")
                ? own.replaceAll("(?<=.)/+$", "")
                : results + "/" + TRAIN;
    }
}
