package io.jenkins.plugins.tao.backend.box;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.Tidying.Tidied;
import io.jenkins.plugins.tao.job.text.OwnFile;
import io.jenkins.plugins.tao.remote.host.Reply;
import io.jenkins.plugins.tao.remote.shell.CodeShell;
import java.time.Duration;

/** Removes the code of jobs that no job has used for a month; files of jobs stay. */
public final class BoxTidy {
    private static final Duration KEEP = Duration.ofDays(30);
    private static final String PROGRAM = OwnFile.text(BoxTidy.class, "tidy.sh");

    private BoxTidy() {}

    public static String render(String base, boolean dryRun) {
        return "tao_base=" + quote(base) + "\n" + CodeShell.tidy(BoxLayout.codeRoot(base), KEEP, dryRun) + PROGRAM;
    }

    public static Tidied parse(BoxPlace place, Reply reply) throws Unreadable {
        String text = reply.text();
        if (!text.endsWith("tidied\n")) {
            throw new Unreadable("Tidying up on " + place.name() + " broke off", text, "It continues the next time.");
        }
        return CodeShell.removed(text);
    }
}
