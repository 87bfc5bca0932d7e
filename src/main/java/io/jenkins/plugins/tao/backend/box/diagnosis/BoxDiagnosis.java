package io.jenkins.plugins.tao.backend.box.diagnosis;

import io.jenkins.plugins.tao.backend.Diagnosis;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the traces of an ended job most likely mean. Pure. */
public final class BoxDiagnosis {
    private static final Pattern RECORD = Pattern.compile("(?m)^exit record: (\\d{1,3}) ");
    private static final Pattern FULL =
            Pattern.compile("No space left on device|Disk quota exceeded|iostream error|unexpected pos");

    private static final String LAUNCH = "launch: ";

    private BoxDiagnosis() {}

    public static Diagnosis read(String answer) {
        List<String> facts = new ArrayList<>(answer.lines().toList());
        GpuHealth.of(facts).forEach(line -> facts.add(0, "gpu verdict: " + line));
        Matcher record = RECORD.matcher(answer);
        OptionalInt code = record.find() ? OptionalInt.of(Integer.parseInt(record.group(1))) : OptionalInt.empty();
        List<String> death = facts.stream()
                .filter(line -> line.startsWith("death: "))
                .map(line -> line.substring("death: ".length()))
                .toList();
        Optional<Diagnosis> found = launch(facts)
                .or(() -> full(facts))
                .or(() -> death.isEmpty()
                        ? Optional.empty()
                        : BoxDeath.of(death, code).map(cause -> of(cause, facts)));
        Diagnosis raw = found.orElseGet(() -> code.isPresent() ? byCode(code.getAsInt(), facts) : unknown(facts));
        return new Diagnosis(raw.summary(), raw.remedy(), BoxFacts.words(facts));
    }

    private static Diagnosis of(BoxDeath death, List<String> facts) {
        String what = death.what();
        return new Diagnosis(Character.toUpperCase(what.charAt(0)) + what.substring(1) + ".", death.remedy(), facts);
    }

    private static Optional<Diagnosis> launch(List<String> facts) {
        return facts.stream()
                .filter(line -> line.startsWith(LAUNCH))
                .map(line -> line.substring(LAUNCH.length()).strip().replaceFirst("\\.$", ""))
                .findFirst()
                .map(why -> new Diagnosis("The command was not started: " + why + ".", launchRemedy(why), facts));
    }

    private static String launchRemedy(String why) {
        if (why.contains("could not select device driver") || why.contains("unresolvable CDI devices")) {
            return "Give the engine its GPUs: install the NVIDIA Container Toolkit on this machine; for podman also run"
                    + " 'sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml'.";
        }
        return why.contains("GPU")
                ? "Compare driver, CUDA and framework, or switch the look off with gpuCheck: false."
                : "Fix what this message names, then submit the job again.";
    }

    private static Optional<Diagnosis> full(List<String> facts) {
        boolean said = facts.stream()
                .anyMatch(line -> line.startsWith("main.") && FULL.matcher(line).find());
        Optional<String> hog = facts.stream()
                .filter(line -> line.startsWith("fills the disk: "))
                .map(line -> line.substring("fills the disk: ".length()))
                .findFirst();
        if (!said && hog.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Diagnosis(
                "The disk is full, or out of inodes"
                        + hog.flatMap(BoxFacts::large).map(text -> "; " + text).orElse("") + ".",
                "Free space by value: caches and old periodic checkpoints first. Nothing is deleted for you.",
                facts));
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
            case 126 -> new Diagnosis("The command cannot be executed.", "Check its file mode and format.", facts);
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
