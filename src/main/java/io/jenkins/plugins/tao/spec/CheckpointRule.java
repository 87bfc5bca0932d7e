package io.jenkins.plugins.tao.spec;

import io.jenkins.plugins.tao.job.text.OwnFile;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** How one network names its checkpoints and finds them again: a line of {@code checkpoints.tsv}, which tells the columns. */
record CheckpointRule(String network, String folders, String names, String latest, String arguments, String whole) {
    private static final int COLUMNS = 6;
    private static final List<CheckpointRule> RULES = OwnFile.text(CheckpointRule.class, "checkpoints.tsv")
            .lines()
            .filter(line -> !line.startsWith("#") && !line.isBlank())
            .map(CheckpointRule::parse)
            .toList();
    private static final Pattern TRAINING = Pattern.compile(
            "(?:^|[;&|(\\n]|\\b(?:exec|time|then|do)\\s)\\s*([A-Za-z][A-Za-z0-9_-]*)[ \\t]+train(?=[\\s;&|)]|$)");

    private static CheckpointRule parse(String line) {
        String[] columns = line.split("\t", -1);
        if (columns.length != COLUMNS) {
            throw new IllegalStateException("checkpoints.tsv has a line of " + columns.length + " columns: " + line);
        }
        return new CheckpointRule(columns[0], columns[1], columns[2], columns[3], columns[4], columns[5]);
    }

    /** The rule of the one network that {@code command} trains; empty where it trains none, several, or one that is not known. */
    static Optional<CheckpointRule> of(String command) {
        Set<String> networks =
                TRAINING.matcher(command).results().map(found -> found.group(1)).collect(Collectors.toSet());
        Matcher trainings = TRAINING.matcher(command);
        boolean once = trainings.find() && !trainings.find();
        return once
                ? RULES.stream().filter(rule -> networks.contains(rule.network)).findFirst()
                : Optional.empty();
    }
}
