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
import java.util.stream.Collectors;

/** Turns the words with which Slurm refuses something into what happened and what to do next. */
public final class SlurmRefusal {
    /** What commands of Slurm say when they lost their controller; an extended regular expression too, for grep. */
    public static final String AWAY_WORDS =
            "contact slurm|timed? ?out|zero bytes|connection|communication|unable to query"
                    + "|message (send|receive)|unexpected message|temporarily|not responding|in standby mode"
                    + "|authentication (error|credential)|job credential|configuration source|writing script";

    private static final Pattern AWAY = Pattern.compile(AWAY_WORDS, Pattern.CASE_INSENSITIVE);
    /** The limits on how many jobs are in the queue: they pass when others end. The same verdict covers sizes, which never do. */
    private static final Pattern SUBMIT_LIMIT = Pattern.compile("(QOS|Assoc)[A-Za-z]*Submit[A-Za-z]*Limit");

    private static final Pattern NOISE =
            Pattern.compile("(?m)^(sbatch|squeue|scancel|srun|allocation failure): ?((error|fatal): )?");

    /** The line that says why; the others say more, in the words of the site's plugins, too. */
    private static final Pattern VERDICT = Pattern.compile("(?m)^.*(?:submission failed|allocation failure): .*$");

    private static final int MOST_LINES = 10;
    private static final Pattern PARTITIONS = Pattern.compile("(?m)^tao-partitions (.+)$");
    private static final String WAIT = "Jobs are not affected; this will be tried again.";

    private static final List<WordRow> RULES = WordRow.read(SlurmRefusal.class, "refusals.txt");

    private SlurmRefusal() {}

    /** Why {@code sbatch} did not take a job; {@code text} is what it wrote. */
    public static BackendException ofSubmit(String target, String text) {
        String said = PARTITIONS.matcher(text).replaceAll("");
        return isAway(said)
                ? new Unreachable("Slurm on " + target + " does not answer: " + firstLine(said) + ".", WAIT)
                : refused(target, text);
    }

    /** Why Slurm, which answered, did not take a job. */
    public static Rejected refused(String target, String text) {
        Matcher partitions = PARTITIONS.matcher(text);
        String choice = partitions.find()
                ? " Use one of: " + partitions.group(1).strip().replace(" ", ", ") + "."
                : "";
        String said = partitions.replaceAll("");
        String what = "Slurm on " + target + " refused the job: " + firstLine(said) + details(said) + ".";
        return SUBMIT_LIMIT.matcher(said).find()
                ? Rejected.forLimit(what, remedy(said) + choice)
                : new Rejected(what, remedy(said) + choice);
    }

    /** A site's own words may name a queue "standby" or say what it has "temporarily" closed: only Slurm's verdict counts. */
    private static boolean isAway(String text) {
        Matcher verdict = VERDICT.matcher(text);
        return AWAY.matcher(verdict.find() ? verdict.group() : text).find();
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

    private static String firstLine(String text) {
        Matcher verdict = VERDICT.matcher(text);
        List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
        return plain(
                verdict.find()
                        ? verdict.group()
                        : lines.stream()
                                .filter(line -> line.contains("failed:") || line.contains("failure"))
                                .findFirst()
                                .or(() -> lines.stream().findFirst())
                                .orElse("no reason given"));
    }

    /** What Slurm's command wrote beside its first line, in brackets; lines without its name are the login's. */
    private static String details(String text) {
        String first = firstLine(text);
        String more = text.lines()
                .filter(line -> NOISE.matcher(line).lookingAt())
                .map(SlurmRefusal::plain)
                .filter(line -> !line.isEmpty() && !line.equals(first))
                .distinct()
                .limit(MOST_LINES)
                .collect(Collectors.joining("; "));
        return more.isEmpty() ? "" : " (" + more + ")";
    }

    private static String plain(String line) {
        return NOISE.matcher(line).replaceAll("").strip().replaceAll("\\.$", "");
    }
}
