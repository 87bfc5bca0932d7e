package io.jenkins.plugins.tao.backend.slurm.submit;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.OtherWork;
import io.jenkins.plugins.tao.backend.slurm.options.ArrayId;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmArray;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmLayout;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmWords;
import io.jenkins.plugins.tao.backend.slurm.reply.SlurmRefusal;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.Work;
import io.jenkins.plugins.tao.job.text.OwnFile;
import io.jenkins.plugins.tao.remote.shell.LeaseNote;
import io.jenkins.plugins.tao.remote.shell.LeaseShell;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One submission in one round trip: the shell text that stages a job and hands it to {@code sbatch}, and its answer.
 * The text tolerates being run again after any loss: see {@code submit.sh}.
 */
public final class SlurmSubmission {
    private static final String PROGRAM = OwnFile.text(SlurmSubmission.class, "submit.sh");
    /** Every first submission without a conversion goes without this text. */
    private static final String CONVERSION =
            OwnFile.text(SlurmSubmission.class, "sqsh.sh") + OwnFile.text(SlurmSubmission.class, "convert.sh");

    private static final String NO_CONVERSION = "convert() { :; }\nnote_conversion() { :; }";
    private static final String CREDENTIALS = OwnFile.text(SlurmSubmission.class, "credentials.sh");
    private static final Pattern ANSWER = Pattern.compile("tao-submit ([a-z]+) ?(.*)");
    private static final Pattern TAKEN = Pattern.compile("(\\d+) (\\d+|-)( \\d[0-9,:%-]*|)( .*|)");
    /** When the sending began, as seconds of the file system's clock. */
    private static final Pattern SINCE = Pattern.compile("(?m)^tao-since (\\d+)$");

    private SlurmSubmission() {}

    /** What a submission started; of an array, {@code id} names the members. */
    public record Taken(String id, Instant at) {}

    /** The first attempt: everything is staged. */
    public static String first(SlurmPlan plan) {
        return first(plan, Set.of());
    }

    /** The same on other nodes than {@code avoidNodes}. */
    static String first(SlurmPlan plan, Set<String> avoidNodes) {
        List<String> stage = new ArrayList<>();
        plan.files().forEach((path, text) -> stage.add(put(path, text)));
        plan.code().ifPresent(path -> stage.add("use_code " + quote(path)));
        secrets(plan.layout(), plan.key(), 1, plan.job().secrets(), stage);
        plan.enrootKey().ifPresent(key -> stage.add("enroot_credentials " + quote(key.reveal())));
        String members = plan.array().map(SlurmArray::render).orElse("");
        String text = text(plan.layout(), plan.key(), 1, avoidNodes, members, stage);
        return String.join(
                "\n",
                "work=" + Work.of(plan.job()),
                "from=" + quote(from(plan.job())),
                plan.enrootKey().isPresent() ? CREDENTIALS : "",
                plan.conversion().isPresent() ? CONVERSION : NO_CONVERSION,
                text);
    }

    /** What the comment of the job says of its code and of the build that asks for it. */
    private static String from(JobSpec job) {
        return job.gitCode().map(code -> ", commit " + code.commit()).orElse("")
                + job.origin().map(build -> ", build " + build).orElse("");
    }

    /** A later attempt: the staged script goes again as it is. */
    static String again(JobHandle previous, Map<String, Secret> secrets, Set<String> avoidNodes) {
        return again(previous, Optional.empty(), secrets, avoidNodes);
    }

    /** The same for {@code members} of an array alone; how many run at once is read from the script. */
    public static String again(
            JobHandle previous, Optional<SlurmArray> members, Map<String, Secret> secrets, Set<String> avoidNodes) {
        SlurmLayout layout = SlurmLayout.of(previous);
        List<String> stage = new ArrayList<>();
        stage.add(":");
        int attempt = previous.attempt() + 1;
        secrets(layout, previous.key(), attempt, secrets, stage);
        String array = members.map(SlurmArray::render).orElse("");
        return "work=\nfrom=\n" + CONVERSION + "\n" + text(layout, previous.key(), attempt, avoidNodes, array, stage);
    }

    private static void secrets(
            SlurmLayout layout, JobKey key, int attempt, Map<String, Secret> secrets, List<String> stage) {
        if (!secrets.isEmpty()) {
            stage.add(put(layout.secrets(key, attempt), SlurmScript.secrets(secrets)));
        }
    }

    private static String put(String path, String text) {
        return "put " + quote(path) + " " + quote(text);
    }

    /** What a later round of the same submission is: all is staged. {@code attempt} is the one that is sent. */
    public static String round(SlurmLayout layout, JobKey key, int attempt, String work, String array) {
        return String.join(
                "\n", "work=" + work, NO_CONVERSION, text(layout, key, attempt, Set.of(), array, List.of(":")));
    }

    private static String text(
            SlurmLayout layout, JobKey key, int attempt, Set<String> avoid, String array, List<String> stage) {
        List<String> nodes = avoid.stream().filter(SlurmWords::isNode).toList();
        return String.join(
                "\n",
                "base=" + quote(layout.base()),
                "key=" + quote(key.value()),
                "attempt=" + attempt,
                "name=" + quote(SlurmLayout.jobName(key)),
                "script=" + quote(layout.script(key)),
                "away=" + quote(SlurmRefusal.AWAY_WORDS),
                "avoid=" + quote(String.join(" ", nodes)),
                "array=" + array,
                "stage() {",
                String.join("\n", stage),
                "}",
                PROGRAM);
    }

    /**
     * Reads the answer.
     *
     * @throws Rejected if Slurm refused, or several jobs of that name exist
     * @throws Unreachable if it is unknown whether Slurm took the job; ask again
     */
    public static Taken parse(String target, JobKey key, String reply) throws BackendException {
        List<String> lines = reply.lines().toList();
        Matcher answer = ANSWER.matcher(lines.isEmpty() ? "" : lines.get(0));
        if (!answer.matches()) {
            throw new Unreadable(
                    "The submission to " + target + " gave no answer of ours",
                    reply,
                    "The same submission is safe to repeat; look for full disks and odd shells on the login host.");
        }
        String rest = answer.group(2);
        String more = String.join("\n", lines.subList(1, lines.size()));
        return switch (answer.group(1)) {
            case "id" -> taken(target, rest, more);
            case "other" -> throw OtherWork.refused(target, key);
            case "several" -> throw several(target, key, rest);
            case "gone" ->
                throw new Rejected(
                        "The staged script of job " + key + " on " + target + " is gone.", "Submit the job again.");
            case "busy" ->
                throw new Unreachable(
                        "Another submission of job " + key + " to " + target + " is still in progress.",
                        "It will be asked for its result.");
            case "away" -> throw SlurmRefusal.ofQuery(target, "squeue", more);
            case "stage" -> throw SlurmRefusal.ofStaging(target, rest + "\n" + more);
            case "code" ->
                throw new Rejected(
                        "The code of job " + key + " is not on " + target + " (" + rest + ").",
                        "Submit the job again: its code is then sent again.");
            case "import" -> throw conversion(target, more);
            case "foreign" -> throw foreign(target, rest);
            case "held" -> throw held(target, key, rest);
            case "unclear" -> throw SlurmRefusal.unclear(target, rest, more);
            case "refused" -> throw SlurmRefusal.ofSubmit(target, more);
            default ->
                throw new Unreadable(
                        "sbatch on " + target + " gave an answer without a job id",
                        more,
                        "It will be looked for by name.");
        };
    }

    private static Taken taken(String target, String rest, String more) throws Unreadable {
        Matcher taken = TAKEN.matcher(rest);
        Matcher since = SINCE.matcher(more);
        if (!taken.matches() || (taken.group(2).equals("-") && !since.find())) {
            throw new Unreadable("The note of a job id on " + target + " is damaged", rest, "Look into its submit/.");
        }
        String members = taken.group(3).strip();
        String id =
                members.isEmpty() ? taken.group(1) : new ArrayId(taken.group(1), SlurmArray.parse(members)).render();
        String seconds = taken.group(2).equals("-") ? since.group(1) : taken.group(2);
        return new Taken(id, Instant.ofEpochSecond(Long.parseLong(seconds)));
    }

    private static BackendException conversion(String target, String more) {
        BackendException refusal = SlurmRefusal.ofSubmit(target, more);
        return refusal instanceof Rejected
                ? new Rejected(
                        "The conversion of the image was not taken. " + refusal.getMessage(),
                        "Set conversionPartition and conversionMemory to what this cluster has for jobs without GPUs,"
                                + " or set useSqsh to false. " + refusal.remedy())
                : refusal;
    }

    private static Rejected foreign(String target, String rest) {
        String[] fileAndImage = rest.split(" ", 2);
        return new Rejected(
                "The file " + fileAndImage[0] + " on " + target + " holds another image: "
                        + fileAndImage[fileAndImage.length - 1] + ".",
                "Set another sqshCacheDir, or remove that file together with its .image note.");
    }

    private static BackendException held(String target, JobKey key, String rest) {
        return LeaseNote.parse(rest)
                .<BackendException>map(note -> LeaseShell.refused("Job " + key + " on " + target, note))
                .orElseGet(() -> new Unreachable(
                        "Another controller is at work on job " + key + " on " + target + ".",
                        "It will be asked for again."));
    }

    private static Rejected several(String target, JobKey key, String ids) {
        return new Rejected(
                "Slurm on " + target + " has several jobs named " + SlurmLayout.jobName(key) + ": "
                        + ids.strip().replace(" ", ", ") + ".",
                "Cancel all but one of them with scancel, then submit again: the one left is taken over.");
    }
}
