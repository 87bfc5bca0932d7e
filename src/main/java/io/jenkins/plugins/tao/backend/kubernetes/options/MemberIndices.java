package io.jenkins.plugins.tao.backend.kubernetes.options;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Indices in the notation of a Job's {@code completedIndexes}: {@code 0,2-5}. Pure. */
public record MemberIndices(List<Integer> list) {
    private static final Pattern PART = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?");

    /** A Job has no more completions that are told one by one. */
    private static final int MOST = 100_000;

    public MemberIndices {
        list = List.copyOf(new TreeSet<>(list));
    }

    /** Those from 0 on. */
    public static MemberIndices first(int count) {
        List<Integer> all = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            all.add(index);
        }
        return new MemberIndices(all);
    }

    /** Reads the notation; parts that are none are left out. */
    public static MemberIndices parse(@Nullable String text) {
        List<Integer> all = new ArrayList<>();
        for (String part : (text == null ? "" : text).split(",", -1)) {
            Matcher range = PART.matcher(part.strip());
            if (range.matches()) {
                int from = Integer.parseInt(range.group(1));
                int to = range.group(2) == null ? from : Integer.parseInt(range.group(2));
                for (int index = from; index <= to && all.size() < MOST; index++) {
                    all.add(index);
                }
            }
        }
        return new MemberIndices(all);
    }

    public String render() {
        StringBuilder text = new StringBuilder();
        int at = 0;
        while (at < list.size()) {
            int end = at;
            while (end + 1 < list.size() && list.get(end + 1) == list.get(end) + 1) {
                end++;
            }
            text.append(text.isEmpty() ? "" : ",").append(list.get(at));
            if (end > at) {
                text.append(end == at + 1 ? "," : "-").append(list.get(end));
            }
            at = end + 1;
        }
        return text.toString();
    }

    /** The ones that stand at {@code positions} of this list, counted from 0. */
    public MemberIndices at(MemberIndices positions) {
        return new MemberIndices(positions.list().stream()
                .filter(at -> at < list.size())
                .map(list::get)
                .toList());
    }

    public MemberIndices without(MemberIndices others) {
        return new MemberIndices(
                list.stream().filter(index -> !others.list().contains(index)).toList());
    }

    public MemberIndices and(MemberIndices others) {
        List<Integer> all = new ArrayList<>(list);
        all.addAll(others.list());
        return new MemberIndices(all);
    }
}
