package io.jenkins.plugins.tao.backend.slurm.reply;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.job.text.WordRow;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns the words with which Slurm refuses something into what happened and what to do next. */
public final class SlurmRefusal {
    /** What commands of Slurm say when they lost their controller; an extended regular expression too, for grep. */
    public static final String AWAY_WORDS =
            "contact slurm|timed? ?out|zero bytes|connection|communication|unable to query"
                    + "|message (send|receive)|unexpected message|temporarily|not responding|standby";

    private static final Pattern AWAY = Pattern.compile(AWAY_WORDS, Pattern.CASE_INSENSITIVE);
    /** The limits on how many jobs are in the queue: they pass when others end. The same verdict covers sizes, which never do. */
    private static final Pattern SUBMIT_LIMIT = Pattern.compile("(QOS|Assoc)[A-Za-z]*Submit[A-Za-z]*Limit");

    private static final Pattern NOISE =
            Pattern.compile("(?m)^(sbatch|squeue|scancel|srun|allocation failure): ?(error: )?");
    private static final Pattern PARTITIONS = Pattern.compile("(?m)^tao-partitions (.+)$");
    private static final String WAIT = "Jobs are not affected; this will be tried again.";

    private static final List<WordRow> RULES = WordRow.read(SlurmRefusal.class, "refusals.txt");

    private SlurmRefusal() {}

    /** Why {@code sbatch} did not take a job; {@code text} is what it wrote. */
    public static BackendException ofSubmit(String target, String text) {
        if (AWAY.matcher(text).find()) {
            return new Unreachable("Slurm on " + target + " does not answer: " + firstLine(text) + ".", WAIT);
        }
        Matcher partitions = PARTITIONS.matcher(text);
        String choice = partitions.find()
                ? " Use one of: " + partitions.group(1).strip().replace(" ", ", ") + "."
                : "";
        String said = firstLine(partitions.replaceAll(""));
        String what = "Slurm on " + target + " refused the job: " + said + ".";
        return SUBMIT_LIMIT.matcher(text).find()
                ? Rejected.forLimit(what, remedy(text) + choice)
                : new Rejected(what, remedy(text) + choice);
    }

    /** Nobody knows whether Slurm took the job: {@code sbatch} ended so, with these words if any. */
    public static Unreachable unclear(String target, String exitCode, String text) {
        String said = text.isBlank() ? "sbatch ended with exit code " + exitCode : firstLine(text);
        return new Unreachable(
                "Whether Slurm on " + target + " took the job is not known: " + said + ".",
                "It will be looked for by its name, and sent again only when it is not there.");
    }

    /** Why a question was not answered; that never ends a job. */
    public static BackendException ofQuery(String target, String command, String text) {
        return Unreachable.schedulerAlone(
                command + " on " + target + " does not answer: " + firstLine(text) + ".", WAIT);
    }

    /** The shared filesystem did not take what we stage. */
    public static BackendException ofStaging(String target, String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (lower.contains("no space") || lower.contains("quota")) {
            return new Rejected(
                    "The shared filesystem of " + target + " is full: " + firstLine(text) + ".",
                    "Free space or raise the quota, then submit again.");
        }
        return new Denied(
                "The base directory of " + target + " cannot be written: " + firstLine(text) + ".",
                "Set baseDirectory to a directory of that user on the shared filesystem.");
    }

    private static String remedy(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return RULES.stream()
                .filter(rule -> rule.isIn(lower))
                .map(WordRow::words)
                .findFirst()
                .orElse("Change the job's options, or ask the site's support with this message.");
    }

    /** The most telling line: the last one of an error is the verdict, those before it are details. */
    private static String firstLine(String text) {
        List<String> lines = NOISE.matcher(text)
                .replaceAll("")
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
        String line = lines.stream()
                .filter(each -> each.contains("failed:") || each.contains("failure"))
                .findFirst()
                .orElse(lines.isEmpty() ? "no reason given" : lines.get(0));
        return line.strip().replaceAll("\\.$", "");
    }
}
