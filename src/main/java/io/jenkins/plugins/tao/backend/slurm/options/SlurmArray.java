package io.jenkins.plugins.tao.backend.slurm.options;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The members of a job array, as {@code --array} names them: {@code 0-15%4}, {@code 1,3,5-9:2}.
 *
 * @param members their indices in order
 * @param limit how many run at once; empty for as many as there is room for
 * @see <a href="https://slurm.schedmd.com/job_array.html">Job Array Support</a>, read for Slurm 22.05 to 26.05
 */
public record SlurmArray(List<Integer> members, OptionalInt limit) {
    /** Slurm's own bound of MaxArraySize; most clusters have a lower one. */
    private static final int HIGHEST = 4_000_000;

    /** More files in one directory than this are no job's: a look reads a note of each member. */
    private static final int MOST = 5_000;

    private static final Pattern FORM = Pattern.compile("([0-9,:-]{1,100000}+)(?:%(\\d{1,7}+))?+");
    private static final Pattern RANGE = Pattern.compile("(\\d{1,7})(-\\d{1,7}|)(:\\d{1,7}|)");

    public SlurmArray {
        members = List.copyOf(new TreeSet<>(members));
        require(!members.isEmpty(), "an array needs at least one member");
        require(members.size() <= MOST, "an array may have at most %d members, has %d", MOST, members.size());
        require(
                members.get(members.size() - 1) <= HIGHEST,
                "the highest index of an array is %d, was %d",
                HIGHEST,
                members.get(members.size() - 1));
        limit.ifPresent(most -> require(most >= 1, "the limit behind %% must be at least 1, was %d", most));
    }

    /**
     * Reads what {@link #render} writes, and every other way to put it.
     *
     * @throws IllegalArgumentException if Slurm would not take it either
     */
    public static SlurmArray parse(String text) {
        Matcher form = FORM.matcher(text);
        require(form.matches(), "array must look like 0-15, 0-15%%4 or 1,3,5-9:2, was '%s'", text);
        SortedSet<Integer> members = new TreeSet<>();
        for (String part : form.group(1).split(",", -1)) {
            Matcher range = RANGE.matcher(part);
            boolean stepAlone = range.matches()
                    && range.group(2).isEmpty()
                    && !range.group(3).isEmpty();
            require(
                    range.matches() && !stepAlone,
                    "array '%s' has the part '%s', which is no index and no range",
                    text,
                    part);
            add(text, range, members);
        }
        String limit = form.group(2);
        return new SlurmArray(
                List.copyOf(members), limit == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(limit)));
    }

    private static void add(String text, Matcher range, SortedSet<Integer> members) {
        int first = Integer.parseInt(range.group(1));
        int last = range.group(2).isEmpty()
                ? first
                : Integer.parseInt(range.group(2).substring(1));
        int step =
                range.group(3).isEmpty() ? 1 : Integer.parseInt(range.group(3).substring(1));
        require(first <= last && step >= 1, "array '%s' has the empty range '%s'", text, range.group());
        require((last - first) / step < MOST, "array '%s' has more than %d members", text, MOST);
        for (int index = first; index <= last; index += step) {
            members.add(index);
        }
    }

    /** The same limit for some of the members. */
    public SlurmArray only(Collection<Integer> some) {
        return new SlurmArray(List.copyOf(some), limit);
    }

    public int highest() {
        return members.get(members.size() - 1);
    }

    /** As {@code sbatch} takes it: {@code 0-15%4}. */
    public String render() {
        return indices() + (limit.isPresent() ? "%" + limit.getAsInt() : "");
    }

    /** The members alone, as short as can be: {@code 0-15}. */
    public String indices() {
        List<String> parts = new ArrayList<>();
        int at = 0;
        while (at < members.size()) {
            int step = at + 1 < members.size() ? members.get(at + 1) - members.get(at) : 1;
            int end = at + 1;
            while (end < members.size() && members.get(end) - members.get(end - 1) == step) {
                end++;
            }
            boolean run = end - at > 2 || (end - at == 2 && step == 1);
            parts.add(run ? range(at, end - 1, step) : members.get(at).toString());
            at = run ? end : at + 1;
        }
        return String.join(",", parts);
    }

    private String range(int from, int to, int step) {
        return members.get(from) + "-" + members.get(to) + (step == 1 ? "" : ":" + step);
    }
}
