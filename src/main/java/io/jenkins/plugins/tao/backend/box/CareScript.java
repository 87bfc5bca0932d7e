package io.jenkins.plugins.tao.backend.box;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.text.OwnFile;
import io.jenkins.plugins.tao.remote.shell.Staging;
import java.util.Map;
import java.util.stream.Collectors;

/** Shell text that looks after a box itself. Pure. */
final class CareScript {
    private static final String CARE = OwnFile.text(CareScript.class, "care.sh");

    private CareScript() {}

    /** Notes which results have come home, with their checksums; what was noted before stays. */
    static String home(JobHandle job, Map<String, String> sums) {
        String lines = sums.entrySet().stream()
                .map(sum -> sum.getValue() + "  ./" + sum.getKey() + "\n")
                .collect(Collectors.joining());
        String file = job.jobDirectory() + "/home";
        return "[ -d " + quote(job.jobDirectory()) + " ] || exit 0\n" + Staging.file(file + ".new", lines) + "cat "
                + quote(file) + " " + quote(file + ".new") + " 2>/dev/null | sort -u >" + quote(file + ".all")
                + "\nmv -f "
                + quote(file + ".all") + " " + quote(file) + " && rm -f " + quote(file + ".new") + "\n";
    }

    static String look(BoxPlace place) {
        return about(place, "tao_look");
    }

    static String reminder(BoxPlace place) {
        return about(place, "tao_age");
    }

    static String largest(BoxPlace place) {
        return about(place, "tao_largest " + quote(place.data()) + " " + quote(place.durable()));
    }

    /** Which jobs still run, and which results are not at home; nothing when a release loses nothing. */
    static String proof(BoxPlace place) {
        return about(place, "tao_proof");
    }

    private static String about(BoxPlace place, String call) {
        return "tao_base=" + quote(place.base()) + "\n" + BoxScript.LOOK + CARE + call + "\necho end\n";
    }
}
