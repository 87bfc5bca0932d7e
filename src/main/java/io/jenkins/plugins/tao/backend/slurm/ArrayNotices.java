package io.jenkins.plugins.tao.backend.slurm;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is told while an array runs. A watch tells each text once, so that the number of texts there can be is what bounds the
 * noise: a line for each of the first members that fail, and sixteen for the whole way.
 */
record ArrayNotices(List<ArrayMember> members, int before) {
    private static final int STEPS = 16;

    List<String> render() {
        List<String> notices = new ArrayList<>();
        if (members.stream().anyMatch(ArrayMember::lives)) {
            failures(notices);
            progress(notices);
            members.stream()
                    .flatMap(member -> member.status().stream())
                    .flatMap(status -> status.reason().stream())
                    .filter(reason -> reason.contains(PendingReason.NEVER))
                    .distinct()
                    .forEach(reason -> notices.add("members of the array wait: " + reason));
        }
        return notices;
    }

    private void failures(List<String> notices) {
        List<ArrayMember> bad = members.stream()
                .filter(ArrayMember::isKnown)
                .filter(ArrayMember::endedBadly)
                .toList();
        if (bad.size() > ArrayMember.LISTED) {
            notices.add("more than " + ArrayMember.LISTED
                    + " members of the array have failed; the others go on, and the" + " end tells how many");
        } else {
            bad.forEach(member ->
                    notices.add("member " + member.describe() + " of the array has failed; the others go on"));
        }
    }

    private void progress(List<String> notices) {
        int total = members.size() + before;
        int step = (total + STEPS - 1) / STEPS;
        long ended = before + members.stream().filter(ArrayMember::hasEnded).count();
        Stream.of(ended - ended % step)
                .filter(told -> told > before)
                .map(told -> told + " of " + total + " members have ended")
                .forEach(notices::add);
    }
}
