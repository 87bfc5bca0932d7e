package io.jenkins.plugins.tao.backend.box.diagnosis;

import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.failure.FailureRule;
import io.jenkins.plugins.tao.failure.FailureRules;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the traces of an ended job most likely mean. Pure. */
public final class BoxDiagnosis {
    private static final Pattern RECORD = Pattern.compile("(?m)^exit record: (\\d{1,3}) ");
    private static final String SYSTEM = "box";
    private static final String LAUNCH = "launch: ";

    private BoxDiagnosis() {}

    /** What {@code answer} shows of a job that has GPUs, or may have, or has none. */
    public static Diagnosis read(String answer, boolean gpus) {
        List<String> facts = new ArrayList<>(answer.lines().toList());
        GpuHealth.afterEnd(facts).forEach(line -> facts.add(0, "gpu verdict: " + line));
        Matcher record = RECORD.matcher(answer);
        OptionalInt code = record.find() ? OptionalInt.of(Integer.parseInt(record.group(1))) : OptionalInt.empty();
        List<String> death = all(facts, "death: ");
        Optional<BoxDeath> ended =
                Optional.of(death).filter(all -> !all.isEmpty()).flatMap(all -> BoxDeath.of(all, code));
        Optional<Diagnosis> found = launch(facts)
                .or(() -> full(facts))
                .or(() -> ended.filter(BoxDeath::isCertain).map(cause -> of(cause, facts)))
                .or(() -> logged(facts, gpus))
                .or(() -> ended.map(cause -> of(cause, facts)));
        Diagnosis raw = found.orElseGet(() -> code.isPresent() ? byCode(code.getAsInt(), facts) : unknown(facts));
        return new Diagnosis(raw.summary(), raw.remedy(), BoxFacts.words(facts));
    }

    private static Diagnosis of(BoxDeath death, List<String> facts) {
        String what = death.what();
        return new Diagnosis(Character.toUpperCase(what.charAt(0)) + what.substring(1) + ".", death.remedy(), facts);
    }

    private static Optional<Diagnosis> launch(List<String> facts) {
        return all(facts, LAUNCH).stream()
                .map(line -> line.strip().replaceFirst("\\.$", ""))
                .findFirst()
                .map(why -> new Diagnosis("The command was not started: " + why + ".", launchRemedy(why), facts));
    }

    private static String launchRemedy(String why) {
        return shown(List.of(List.of(why)), true)
                .filter(rule -> rule.cause() == Cause.LAUNCH)
                .map(FailureRule::remedy)
                .orElse(
                        why.contains("GPU")
                                ? "Compare driver, CUDA and framework, or switch the look off with gpuCheck: false."
                                : "Fix what this message names, then submit the job again.");
    }

    private static Optional<Diagnosis> full(List<String> facts) {
        return all(facts, "fills the disk: ").stream()
                .findFirst()
                .map(hog -> new Diagnosis(
                        "The disk is full, or out of inodes"
                                + BoxFacts.large(hog).map(text -> "; " + text).orElse("") + ".",
                        "Free space by value: caches and old periodic checkpoints first. Nothing is deleted for you.",
                        facts));
    }

    /** What the ends of the job's logs show. */
    private static Optional<Diagnosis> logged(List<String> facts, boolean gpus) {
        return shown(List.of(all(facts, "main.err: "), all(facts, "main.out: ")), gpus)
                .map(rule -> new Diagnosis(rule.sentence(), rule.remedy(), facts));
    }

    private static Optional<FailureRule> shown(List<List<String>> logs, boolean gpus) {
        return FailureRules.own()
                .match(SYSTEM, gpus, logs)
                .filter(FailureRules.Match::isNamed)
                .map(FailureRules.Match::rule);
    }

    private static List<String> all(List<String> facts, String name) {
        return facts.stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()))
                .toList();
    }

    private static Diagnosis unknown(List<String> facts) {
        return new Diagnosis(
                "The job left no exit record: it still runs, or something outside ended it.",
                "Look at the machine's log (dmesg, journalctl -k) for an out-of-memory kill or a reboot.",
                facts);
    }

    private static Diagnosis byCode(int code, List<String> facts) {
        return switch (code) {
            case 0 -> new Diagnosis("The command ended with exit code 0.", "", facts);
            case 71 ->
                new Diagnosis(
                        "The GPUs cannot be used from the job's runtime; its command was not started.",
                        "Compare driver, CUDA and framework, or switch the look off with gpuCheck: false.",
                        facts);
            case 72 ->
                new Diagnosis("The smoke command failed; nothing was started.", "Fix what its output shows.", facts);
            case 73 ->
                new Diagnosis(
                        "What had to be there before the start could not be made or fetched.",
                        "The last lines that begin with 'tao:' name it.",
                        facts);
            case 78 ->
                new Diagnosis(
                        "The credential file of the target cannot be read; nothing was started.",
                        "Put it where credentialFile says, readable by the jobs' user.",
                        facts);
            case 79 ->
                new Diagnosis(
                        "The results directory is in use by another job; nothing was started.",
                        "Give each job its own directory.",
                        facts);
            case 126 -> new Diagnosis("The command is not executable.", "Check its file mode and format.", facts);
            case 127 -> new Diagnosis("The command was not found.", "Check its name and PATH on this machine.", facts);
            case 134, 139 -> new Diagnosis("The program crashed.", "Look at the end of its error output.", facts);
            case 137 -> new Diagnosis("The program was killed (SIGKILL).", "Find out who did it.", facts);
            case 143 -> new Diagnosis("The program was asked to end (SIGTERM).", "Find out who did it.", facts);
            default ->
                new Diagnosis(
                        "The command ended with exit code " + code + ".",
                        "Look at the end of its error output.",
                        facts);
        };
    }
}
