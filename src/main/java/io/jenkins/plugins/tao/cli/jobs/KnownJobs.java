package io.jenkins.plugins.tao.cli.jobs;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.cli.input.TargetsChoice;
import io.jenkins.plugins.tao.cli.records.JobEntry;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.job.JobHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Jobs that were submitted before, and members of those that are arrays. */
public final class KnownJobs {
    private static final Pattern MEMBER = Pattern.compile("(.+)\\[(\\d{1,7})]");

    @Parameters(
            arity = "0..*",
            paramLabel = "JOB",
            description =
                    "Ids, tokens, folders of runs, members of an array as ID[3]; nothing for the job submitted last.")
    public List<String> jobs = new ArrayList<>();

    @Option(names = "--all", description = "All jobs known here that have not ended.")
    public boolean all;

    @Mixin
    TargetsChoice targets = new TargetsChoice();

    /**
     * One job that was chosen.
     *
     * @param entry what is recorded of it
     * @param handle the job, or the member of it that was asked for
     */
    public record Chosen(JobEntry entry, JobHandle handle, Target target) {
        public boolean isMember() {
            return !handle.nativeId().equals(entry.handle().nativeId());
        }

        /** What it is called in messages. */
        public String name() {
            return isMember()
                    ? handle.key() + "[" + handle.nativeId().replaceFirst(".*_", "") + "]"
                    : handle.key().value();
        }
    }

    public List<Chosen> chosen(Session session) throws UsageException, BackendException {
        if (all && !jobs.isEmpty()) {
            throw new UsageException("--all means all jobs; leave out " + String.join(", ", jobs) + ".");
        }
        List<Chosen> chosen = new ArrayList<>();
        if (all) {
            for (JobEntry entry : session.store().all()) {
                if (ExitCode.ofEnd(entry.state()).isEmpty()) {
                    chosen.add(whole(entry, session));
                }
            }
        } else if (jobs.isEmpty()) {
            chosen.add(whole(session.store().resolve(Optional.empty(), session.here()), session));
        }
        for (String job : jobs) {
            chosen.add(one(job, session));
        }
        return chosen;
    }

    private Chosen one(String text, Session session) throws UsageException, BackendException {
        Matcher member = MEMBER.matcher(text.strip());
        if (!member.matches()) {
            return whole(session.store().resolve(Optional.of(text), session.here()), session);
        }
        Chosen array = whole(session.store().resolve(Optional.of(member.group(1)), session.here()), session);
        JobHandle handle =
                session.dispatcher().member(array.target(), array.handle(), Integer.parseInt(member.group(2)));
        return new Chosen(array.entry(), handle, array.target());
    }

    private Chosen whole(JobEntry entry, Session session) throws UsageException {
        return new Chosen(
                entry, entry.handle(), targets.of(entry, session.here()).target());
    }
}
