package io.jenkins.plugins.tao.backend;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is told while an array runs. A watch tells each text once, so that the number of texts there can be is what bounds the
 * noise: a line for each of the first members that fail, and sixteen for the whole way.
 */
record MemberNotices(List<MemberStatus> members, int before) {
    private static final int STEPS = 16;

    List<String> render() {
        List<String> notices = new ArrayList<>();
        if (members.stream().anyMatch(MemberStatus::lives)) {
            failures(notices);
            progress(notices);
            members.stream()
                    .flatMap(member -> member.status().stream())
                    .flatMap(status -> status.reason().stream())
                    .filter(reason -> reason.contains(MemberFold.NEVER))
                    .distinct()
                    .forEach(reason -> notices.add("members of the array wait: " + reason));
        }
        return notices;
    }

    private void failures(List<String> notices) {
        List<MemberStatus> bad = members.stream()
                .filter(MemberStatus::isKnown)
                .filter(MemberStatus::endedBadly)
                .toList();
        if (bad.size() > MemberStatus.LISTED) {
            notices.add("more than " + MemberStatus.LISTED
                    + " members of the array have failed; the others continue. The end of the job shows how many");
        } else {
            bad.forEach(member ->
                    notices.add("member " + member.describe() + " of the array has failed; the others continue"));
        }
    }

    private void progress(List<String> notices) {
        int total = members.size() + before;
        int step = (total + STEPS - 1) / STEPS;
        long ended = before + members.stream().filter(MemberStatus::hasEnded).count();
        Stream.of(ended - ended % step)
                .filter(told -> told > before)
                .map(told -> told + " of " + total + " members have ended")
                .forEach(notices::add);
    }
}
