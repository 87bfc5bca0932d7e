package io.jenkins.plugins.tao.backend.box.diagnosis;

import io.jenkins.plugins.tao.failure.FailureRules;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Why a process is gone that left no record, or one that a signal ended: the most certain cause first. Pure; the facts are
 * those of {@code tao_evidence} in box.sh.
 *
 * @param what one line for a person, evidence included
 * @param remedy what to do about it
 */
public record BoxDeath(Cause cause, String what, String remedy) {
    private static final int HANG_UP = 129;
    private static final int KILLED = 137;
    private static final int TERMINATED = 143;
    private static final String KERNEL = "kernel";
    private static final String OOM_KILLS = "oom ";
    private static final String XID = ".*NVRM: Xid \\(?([^)]*)\\)?: (\\d+),.*";

    /** What ended it. */
    enum Cause {
        REBOOT(Ending.NODE_FAILURE),
        DEAD_GPU(Ending.NODE_FAILURE),
        OUT_OF_MEMORY(Ending.OUT_OF_MEMORY),
        HANG_UP(Ending.NODE_FAILURE),
        OUTSIDE(Ending.UNKNOWN),
        /** Outside too, and the machine counts kills for lack of memory. */
        KILLED(Ending.KILLED);

        private final Ending ending;

        Cause(Ending ending) {
            this.ending = ending;
        }
    }

    public Ending ending() {
        return cause.ending;
    }

    /** Whether something shows what ended it; else only the signal is known. */
    boolean isCertain() {
        return cause != Cause.OUTSIDE && cause != Cause.KILLED;
    }

    /** Empty when the exit code is a program's own and nothing outside explains it. */
    public static Optional<BoxDeath> of(List<String> facts, OptionalInt code) {
        return reboot(facts, code)
                .or(() -> deadGpu(facts))
                .or(() -> memory(facts, code))
                .or(() -> hangUp(facts, code))
                .or(() -> outside(facts, code));
    }

    private static Optional<BoxDeath> reboot(List<String> facts, OptionalInt code) {
        String[] boots = words(facts, "boot ");
        if (code.isPresent() || boots.length < 2 || boots[0].equals("-") || boots[0].equals(boots[1])) {
            return Optional.empty();
        }
        String uptime =
                fact(facts, "uptime ").map(text -> ", up since " + text + " s").orElse("");
        return Optional.of(new BoxDeath(
                Cause.REBOOT,
                "reboot: the box has the boot id " + boots[1] + uptime + ", the job ran under " + boots[0],
                "The same command may be started again; it should resume from its last checkpoint."));
    }

    private static Optional<BoxDeath> deadGpu(List<String> facts) {
        return kernel(facts, Outcome.Cause.HARDWARE)
                .map(match -> new BoxDeath(
                        Cause.DEAD_GPU,
                        "dead GPU: the kernel reports "
                                + match.line().replaceFirst(XID, "Xid $2 of $1") + ". "
                                + match.rule().sentence().replaceFirst("\\.$", ""),
                        match.rule().remedy()));
    }

    /** What the rules for lines of the kernel say; other rules are for logs of jobs. */
    private static Optional<FailureRules.Match> kernel(List<String> facts, Outcome.Cause cause) {
        return FailureRules.own()
                .match(KERNEL, true, List.of(all(facts, KERNEL + " ")))
                .filter(match ->
                        match.rule().backend().equals(KERNEL) && match.rule().cause() == cause);
    }

    private static Optional<BoxDeath> memory(List<String> facts, OptionalInt code) {
        String[] counts = words(facts, OOM_KILLS);
        boolean counted = counts(facts) && Long.parseLong(counts[1]) > Long.parseLong(counts[0]);
        boolean killed = code.isEmpty() || code.getAsInt() == KILLED;
        Optional<String> kernel = kernel(facts, Outcome.Cause.OUT_OF_MEMORY)
                .filter(match -> killed)
                .map(FailureRules.Match::line);
        if (!counted && kernel.isEmpty() && fact(facts, "container-oom ").isEmpty()) {
            return Optional.empty();
        }
        String evidence = counted
                ? "oom_kill of its cgroup rose from " + counts[0] + " to " + counts[1]
                : kernel.orElse("the container's daemon says OOMKilled");
        return Optional.of(new BoxDeath(
                Cause.OUT_OF_MEMORY,
                "out of memory (RAM): " + evidence,
                "Use fewer data workers or a box with more memory; a smaller batch saves GPU memory, not this."));
    }

    /** Whether the machine counts the kills for lack of memory. */
    private static boolean counts(List<String> facts) {
        return fact(facts, OOM_KILLS)
                .filter(two -> two.matches("\\d{1,15} \\d{1,15}"))
                .isPresent();
    }

    private static Optional<BoxDeath> hangUp(List<String> facts, OptionalInt code) {
        Optional<String> signal = all(facts, "signal ").stream()
                .filter(line -> line.startsWith("HUP"))
                .findFirst();
        if (signal.isEmpty() && code.orElse(0) != HANG_UP) {
            return Optional.empty();
        }
        return Optional.of(
                new BoxDeath(
                        Cause.HANG_UP,
                        "hang-up (SIGHUP)"
                                + signal.map(line -> " at epoch " + line.substring(4))
                                        .orElse(""),
                        "The job was detached and no drop of a connection sends this; look for what closes sessions of this user."));
    }

    private static Optional<BoxDeath> outside(List<String> facts, OptionalInt code) {
        Optional<String> signal = all(facts, "signal ").stream().findFirst();
        if (code.isPresent() && code.getAsInt() != KILLED && code.getAsInt() != TERMINATED) {
            return Optional.empty();
        }
        String how = signal.map(line -> "the wrapper got SIG" + line.split(" ", 2)[0] + ", which we did not send")
                .orElse(
                        code.isPresent()
                                ? "ended by a signal that we did not send"
                                : "no signal was noted, as with SIGKILL");
        return Optional.of(new BoxDeath(
                code.isPresent() && counts(facts) ? Cause.KILLED : Cause.OUTSIDE,
                "killed from outside: " + how + "; no reboot, no out-of-memory kill, no fault of a GPU",
                "Find out what ends processes on this box: a user, a quota, an agent of the provider, or systemd-oomd or"
                        + " earlyoom, which end what uses much memory."));
    }

    private static Optional<String> fact(List<String> facts, String name) {
        return all(facts, name).stream().findFirst();
    }

    private static String[] words(List<String> facts, String name) {
        return fact(facts, name).orElse("").split(" ", -1);
    }

    private static List<String> all(List<String> facts, String name) {
        return facts.stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).strip())
                .toList();
    }
}
