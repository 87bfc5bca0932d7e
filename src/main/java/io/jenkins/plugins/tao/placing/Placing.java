package io.jenkins.plugins.tao.placing;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.journal.RecordJson;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * What is known of a job that may run on one of several targets, or after another job; pure. Whoever acts on {@link #next} saves this
 * record first and asks again afterwards, so that a process that is killed anywhere is followed by one that knows as much.
 *
 * <p>At most one leg is neither open nor certain not to be there: so at most one job can run.
 *
 * @param parent the token of the job that must succeed first; empty for none, and once it has
 * @param inherited what placeholders of the parent stand for, by their names
 * @param legs the targets in the order in which they are asked
 * @param settled whether the job is where it stays: it began, or nobody may take it away any more
 * @param given why it is not placed at all, a sentence; empty while it may be
 */
public record Placing(String parent, Map<String, String> inherited, List<Leg> legs, boolean settled, String given) {
    private static final int MOST_TARGETS = 9;
    private static final int LONGEST_ID = 60;

    public Placing {
        inherited = Map.copyOf(inherited);
        legs = List.copyOf(legs);
        require(!legs.isEmpty(), "a job needs at least one target");
        require(
                legs.stream().filter(Placing::mayRun).count() <= 1,
                "a job must be on one target at a time, was on %s",
                legs);
    }

    /**
     * A job that nothing was done for.
     *
     * @param key its id; on the first target the job has it, on others one of its own
     * @param targets the targets in their order, no more than 9, each once
     * @param parent the job that must succeed first
     */
    public static Placing begin(JobKey key, List<String> targets, Optional<JobHandle> parent) {
        require(targets.size() <= MOST_TARGETS, "a job may name at most %d targets", MOST_TARGETS);
        require(new HashSet<>(targets).size() == targets.size(), "the targets %s name one twice", targets);
        require(
                targets.size() == 1 || key.value().length() <= LONGEST_ID,
                "the id '%s' of a job with several targets must have at most %d letters",
                key,
                LONGEST_ID);
        List<Leg> legs = new ArrayList<>();
        for (int i = 0; i < targets.size(); i++) {
            legs.add(Leg.open(targets.get(i), i == 0 ? key : new JobKey(key + "-t" + (i + 1))));
        }
        return new Placing(parent.map(JobHandle::token).orElse(""), Map.of(), legs, false, "");
    }

    private static boolean mayRun(Leg leg) {
        return leg.state() == Leg.State.SENDING || leg.state() == Leg.State.TAKEN;
    }

    /** What has to be done now. */
    public Next next() {
        if (!given.isEmpty()) {
            return new Next.Nowhere(given, "");
        }
        if (!parent.isEmpty()) {
            return new Next.Await(JobHandle.parse(parent));
        }
        for (int i = 0; i < legs.size(); i++) {
            Leg leg = legs.get(i);
            boolean last = i == legs.size() - 1;
            if (leg.state() == Leg.State.TAKEN) {
                return settled || last ? new Next.Placed(leg.job()) : new Next.Watch(leg);
            }
            if (leg.state() != Leg.State.NOT_THERE) {
                return new Next.Send(leg, last, inherited);
            }
        }
        return new Next.Nowhere(refusals(), "Change the job, or name another target.");
    }

    private String refusals() {
        String all = legs.stream().map(leg -> leg.target() + ": " + leg.why()).collect(Collectors.joining(" "));
        return legs.size() == 1 ? legs.get(0).why() : "None of " + legs.size() + " targets runs the job. " + all;
    }

    /** The parent has succeeded, and leaves {@code values} to the job. */
    public Placing parentSucceeded(Map<String, String> values) {
        return new Placing("", values, legs, settled, given);
    }

    /** The job goes out to the target of {@code leg} now; it may run from here on. */
    public Placing sending(Leg leg) {
        return with(leg, Leg::sending);
    }

    /** The target of {@code leg} did not take it, and may be asked again. */
    public Placing open(Leg leg) {
        return with(leg, Leg::reopened);
    }

    /** The target of {@code leg} has taken it. */
    public Placing taken(Leg leg, JobHandle job) {
        return with(leg, one -> one.taken(job));
    }

    /** The target of {@code leg} certainly has no such job that runs, or will run. */
    public Placing notThere(Leg leg, String why) {
        return with(leg, one -> one.notThere(why));
    }

    /** The job stays where it is. */
    public Placing stays() {
        return new Placing(parent, inherited, legs, true, given);
    }

    /** It is not placed, or no further. */
    public Placing givenUp(String why) {
        return new Placing(parent, inherited, legs, settled, why);
    }

    private Placing with(Leg leg, UnaryOperator<Leg> change) {
        return new Placing(
                parent,
                inherited,
                legs.stream()
                        .map(one -> one.key().equals(leg.key()) ? change.apply(one) : one)
                        .toList(),
                settled,
                given);
    }

    /** The leg on which the job may be now. */
    public Optional<Leg> current() {
        return legs.stream().filter(Placing::mayRun).findFirst();
    }

    /** Its text form, JSON on one line. */
    public String render() {
        return RecordJson.line(this);
    }

    /**
     * Reads what {@link #render} wrote; keys it does not know pass by.
     *
     * @throws IllegalArgumentException if it is damaged
     */
    public static Placing parse(String text) {
        return RecordJson.parse("record of a job's targets", text, Placing.class, known -> {});
    }
}
