package io.jenkins.plugins.tao.backend.box;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.Machine;
import io.jenkins.plugins.tao.backend.box.options.BoxRules;
import io.jenkins.plugins.tao.remote.files.Upload;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.host.Reply;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import lombok.RequiredArgsConstructor;

/** Looks after a box itself: what it costs, what fills it, what is brought there, how it is released. */
@RequiredArgsConstructor
abstract class BoxCare implements Machine {
    static final Duration LOOK = Duration.ofMinutes(1);
    private static final Duration SLOW = Duration.ofMinutes(10);
    private static final int LONGEST_LIST = 10;
    private static final int PIECE = 1024 * 1024;

    final BoxPlace place;
    final Host host;

    @Override
    public List<String> look() throws BackendException {
        return CareReply.look(place, host.run(CareScript.look(place), LOOK).text());
    }

    @Override
    public List<String> reminder() throws BackendException {
        return place.lease() == BoxRules.Lease.OWNED
                ? List.of()
                : CareReply.reminder(
                        place, host.run(CareScript.reminder(place), LOOK).text());
    }

    @Override
    public List<String> largest() throws BackendException {
        return CareReply.largest(host.run(CareScript.largest(place), SLOW).text());
    }

    @Override
    public List<String> push(Path directory, String name) throws BackendException {
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
            throw new Rejected("'" + name + "' is not a name for a tree.", "Use letters, digits and . _ -");
        }
        Upload.Done done = Upload.push(host, directory, place.base() + "/code/" + name);
        List<String> lines = new ArrayList<>();
        lines.add(done.files() + " files are in " + done.path() + " with the right checksums; " + done.sentBytes()
                + " bytes were sent.");
        done.notes().lines().map(note -> note + ".").forEach(lines::add);
        lines.add("Jobs start there with the option code: " + name + ".");
        return lines;
    }

    @Override
    public String tunnel(int port) {
        return BoxWords.tunnel(place, port);
    }

    /** In pieces of a MiB, by the same way as everything else. */
    @Override
    public void send(long bytes) throws BackendException {
        String piece = ": '" + "x".repeat(PIECE) + "'\n";
        for (long sent = 0; sent < bytes; sent += PIECE) {
            host.run(piece, LOOK);
        }
    }

    @Override
    public void receive(long bytes) throws BackendException {
        host.stream("head -c " + bytes + " /dev/zero\n", OutputStream.nullOutputStream(), SLOW);
    }

    @Override
    public List<String> release(boolean leaveResults) throws BackendException {
        String command = place.settings()
                .rules()
                .stopCommand()
                .orElseThrow(() -> new Rejected(
                        "The target '" + place.name() + "' has no stopCommand.",
                        "Set it, or release the machine where you rented it."));
        List<String> lost =
                CareReply.lost(host.run(CareScript.proof(place), SLOW).text());
        if (lost.stream().anyMatch(line -> line.startsWith("job ")) || (!lost.isEmpty() && !leaveResults)) {
            throw refused(lost);
        }
        List<String> lines = new ArrayList<>();
        lines.add(
                lost.isEmpty()
                        ? "All results of this box have been fetched, and their checksums match."
                        : lost.size() + " results are left behind, as you ask.");
        lines.add(stop(command));
        return lines;
    }

    private Rejected refused(List<String> lost) {
        String more = lost.size() > LONGEST_LIST ? " and " + (lost.size() - LONGEST_LIST) + " more" : "";
        return new Rejected(
                "The target '" + place.name() + "' was not stopped, because something would be lost: "
                        + String.join("; ", lost.subList(0, Math.min(LONGEST_LIST, lost.size()))) + more + ".",
                "Wait for the jobs or cancel them, and fetch the files (archive: '**/*'). --leave-results discards results.");
    }

    /** A machine that goes down takes the connection with it: that is no error here. */
    private String stop(String command) throws BackendException {
        try {
            Reply reply = host.run(command + "\n", LOOK);
            if (reply.ok()) {
                return "The stop command has ended well. Look where you rented the machine that it is released.";
            }
            throw new Rejected(
                    "The stop command of target '" + place.name() + "' ended with exit code " + reply.exitCode() + ": "
                            + reply.err().strip() + ".",
                    "The machine still runs and costs money. Fix stopCommand, or release the machine by hand.");
        } catch (Unreachable e) {
            return "The connection ended during the stop command, as it does when a machine goes down. Look where you rented"
                    + " it that it is released.";
        }
    }
}
