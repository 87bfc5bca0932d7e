package io.jenkins.plugins.tao.backend.box;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.OtherWork;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.remote.host.Reply;
import io.jenkins.plugins.tao.remote.shell.LeaseNote;
import io.jenkins.plugins.tao.remote.shell.LeaseShell;

/** Why an attempt was not started, by the exit code of the script that should have. Pure. */
final class BoxRefusal {
    private static final int FIRST_SIGNAL = 128;

    private BoxRefusal() {}

    static BackendException of(BoxPlace place, JobKey key, Reply reply) {
        String job = "Job '" + key + "' did not start on target '" + place.name() + "': ";
        if (reply.exitCode() > FIRST_SIGNAL) {
            return new Unreachable(
                    job + "the script that starts it was killed by signal " + (reply.exitCode() - FIRST_SIGNAL) + ".",
                    "The same request is made again, and finds what was started.");
        }
        return switch (reply.exitCode()) {
            case BoxScript.STILL_RUNS ->
                new Unreachable(job + reply.err().strip() + ".", "It is tried again once that has ended.");
            case BoxScript.WITHDRAWN ->
                new Unreachable(
                        job + "its wrapper waited half a minute for us and has withdrawn; nothing was run.",
                        "Submit the job again to start it.");
            case BoxScript.NOT_AFTER_REBOOT ->
                new Rejected(
                        job + "the box was rebooted, and the job says onReboot: fail.",
                        "Submit it again, or let it say onReboot: relaunch.");
            case BoxScript.OTHER_WORK -> OtherWork.refused(place.name(), key);
            case BoxScript.HELD ->
                LeaseNote.parse(reply.err())
                        .<BackendException>map(note -> LeaseShell.refused("Job " + key + " on " + place.name(), note))
                        .orElseGet(() -> new Rejected(
                                "Another controller is at work on job " + key + " on " + place.name() + ".",
                                "Try again in a minute."));
            case BoxScript.NO_CODE ->
                new Rejected(job + "its code is not there.", "Submit the job again: its code is then sent again.");
            case BoxScript.DEAD_GPU ->
                new Rejected(
                        job + "a GPU of this box is dead (Xid 48 or 79).",
                        "Change the machine: submit the job to another one.");
            default ->
                new Rejected(
                        job + reply.err().strip() + " (exit code " + reply.exitCode() + ").",
                        "Make " + place.base() + " writable with free space, and look for the first error above.");
        };
    }
}
