package io.jenkins.plugins.tao.remote.shell;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.job.text.OwnFile;
import java.time.Duration;

/** The shell functions that say which controller may change a job, and the words for one that may not. */
public final class LeaseShell {
    /** A holder that has renewed nothing for so long has gone. */
    public static final Duration LEASE = Duration.ofMinutes(30);

    private static final Duration RENEWAL = Duration.ofMinutes(5);
    private static final String FUNCTIONS = OwnFile.text(LeaseShell.class, "lease.sh");

    private LeaseShell() {}

    /** The functions of {@code lease.sh}, to be used for {@code controller}. */
    public static String of(Controller controller) {
        return String.join(
                "\n",
                "me=" + quote(controller.id()),
                "mine=" + quote(controller.words()),
                "session=" + quote(controller.session()),
                "lease_minutes=" + LEASE.toMinutes() + " lease_renew=" + RENEWAL.toMinutes(),
                FUNCTIONS);
    }

    /** Why {@code job} is left alone, and what a person can do about it. */
    public static Rejected refused(String job, LeaseNote note) {
        return new Rejected(
                job + " is held by " + note.words() + ": it was left alone.",
                "Let that controller do it, or take the job over: taoWait or taoCancel with takeOver: true, or tao wait"
                        + " --take-over. Its lease ends automatically " + LEASE.toMinutes()
                        + " minutes after its last renewal.");
    }
}
