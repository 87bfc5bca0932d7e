package io.jenkins.plugins.tao.backend.box;

import io.jenkins.plugins.tao.backend.Diagnosis;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an exit code most likely means. Pure. */
final class BoxDiagnosis {
    private static final Pattern RECORD = Pattern.compile("(?m)^exit record: (\\d{1,3}) ");

    private BoxDiagnosis() {}

    static Diagnosis read(String answer) {
        List<String> facts = answer.lines().toList();
        Matcher record = RECORD.matcher(answer);
        if (!record.find()) {
            return new Diagnosis(
                    "The job left no exit record: it still runs, or something outside ended it.",
                    "Look at the machine's log (dmesg, journalctl -k) for an out-of-memory kill or a reboot.",
                    facts);
        }
        return switch (Integer.parseInt(record.group(1))) {
            case 0 -> new Diagnosis("The command ended with exit code 0.", "", facts);
            case 126 -> new Diagnosis("The command cannot be executed.", "Check its file mode and format.", facts);
            case 127 -> new Diagnosis("The command was not found.", "Check its name and PATH on this machine.", facts);
            case 134, 139 -> new Diagnosis("The program crashed.", "Look at the end of its error output.", facts);
            case 137 ->
                new Diagnosis(
                        "The program was killed (SIGKILL), most likely for using too much memory.",
                        "Look for 'Out of memory' in dmesg; use fewer workers or a machine with more memory.",
                        facts);
            case 143 -> new Diagnosis("The program was asked to end (SIGTERM).", "Find out who did it.", facts);
            default ->
                new Diagnosis(
                        "The command ended with exit code " + record.group(1) + ".",
                        "Look at the end of its error output.",
                        facts);
        };
    }
}
