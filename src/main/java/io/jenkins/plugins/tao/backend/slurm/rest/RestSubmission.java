package io.jenkins.plugins.tao.backend.slurm.rest;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmLayout;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmAccess;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmSending;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmSubmission;
import io.jenkins.plugins.tao.job.JobKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import lombok.RequiredArgsConstructor;

/**
 * One submission by REST, in rounds: the files' host stages the job under a lock and tells what it has to know; {@code slurmrestd} is
 * asked; the host notes what came of it. The lock stays over all rounds, and the note that something was sent until its outcome is
 * known, so a submission that broke off anywhere finds its own job the next time.
 */
@RequiredArgsConstructor
final class RestSubmission {
    private static final Pattern ASK = Pattern.compile("tao-submit ask (find|submit) (rest@\\S+ \\d+) (\\d+)");
    /** Clocks of the cluster's hosts differ, and accounting is asked by whole jobs. */
    private static final Duration EARLIER = Duration.ofDays(2);

    private static final String TOO_FEW = "requested node configuration is not available";

    private final SlurmApi api;
    /** The locks of submissions that broke off between two rounds: the next try goes on with them at once. */
    private final Map<String, String> turns = new ConcurrentHashMap<>();

    private record Ask(boolean finds, String turn, Instant since) {
        static Optional<Ask> in(String reply) {
            Matcher ask = ASK.matcher(reply.lines().findFirst().orElse(""));
            return ask.matches()
                    ? Optional.of(new Ask(
                            ask.group(1).equals("find"),
                            ask.group(2),
                            Instant.ofEpochSecond(Long.parseLong(ask.group(3)))))
                    : Optional.empty();
        }
    }

    /** Sends an attempt; the answer of the last round. */
    String send(SlurmSending sending, SlurmAccess.Shell shell) throws BackendException {
        String turn = Optional.ofNullable(turns.remove(sending.mark())).orElse("");
        String reply = shell.run(RestShell.firstRound(turn, sending.text().apply(Set.of())))
                .text();
        for (Optional<Ask> ask = Ask.in(reply); ask.isPresent(); ask = Ask.in(reply)) {
            reply = next(sending, shell, ask.get(), reply);
        }
        return reply;
    }

    private String next(SlurmSending sending, SlurmAccess.Shell shell, Ask ask, String reply) throws BackendException {
        turns.put(sending.mark(), ask.turn());
        String next = ask.finds() ? find(sending, shell, ask) : submit(sending, shell, ask, reply);
        turns.remove(sending.mark());
        return next;
    }

    /** The first round again, for it goes on to stage the job when there is none of its name. */
    private String find(SlurmSending sending, SlurmAccess.Shell shell, Ask ask) throws BackendException {
        String name = SlurmLayout.jobName(sending.key());
        List<String> queued = RestRows.all(
                api.queue(job -> RestRows.text(job.path("name")).equals(name)
                        && RestRows.text(job.path("user_name")).equals(api.user())),
                RestRows::found);
        List<String> past = new ArrayList<>();
        api.pastNamed(name, ask.since().minus(EARLIER))
                .ifPresent(jobs -> past.addAll(RestRows.all(jobs, RestRows::foundPast)));
        return shell.run(RestShell.foundRound(
                        ask.turn(), queued, past, sending.text().apply(Set.of())))
                .text();
    }

    private String submit(SlurmSending sending, SlurmAccess.Shell shell, Ask ask, String reply)
            throws BackendException {
        RestOrder order = RestOrder.parse(sending.attempt(), sending.layout().base(), reply);
        String outcome = "taken";
        String said;
        Optional<BackendException> refusal = Optional.empty();
        try {
            said = submit(order, sending.avoid());
        } catch (Rejected | Denied e) { // both are answers: nothing was taken
            outcome = "refused";
            said = String.valueOf(e.getMessage());
            refusal = Optional.of(e);
        } catch (BackendException e) {
            outcome = "unclear";
            said = String.valueOf(e.getMessage());
        }
        String last = shell.run(RestShell.lastRound(ask.turn(), outcome, said, later(sending)))
                .text();
        if (refusal.isPresent()) {
            turns.remove(sending.mark());
            throw refusal.get();
        }
        return last;
    }

    private static String later(SlurmSending sending) {
        JobKey key = sending.key();
        return SlurmSubmission.round(sending.layout(), key, sending.attempt(), sending.work(), sending.array());
    }

    /** Where so many nodes are avoided that the rest is too small, the last one alone is, and for a first attempt none. */
    private String submit(RestOrder order, Set<String> avoid) throws BackendException {
        List<String> usable = usable(avoid);
        List<Set<String>> tries = new ArrayList<>(List.of(new LinkedHashSet<>(usable)));
        if (usable.size() > 1) {
            tries.add(Set.of(usable.get(0)));
        }
        if (!usable.isEmpty() && order.attempt() == 1) {
            tries.add(Set.of());
        }
        for (Set<String> excluded : tries.subList(0, tries.size() - 1)) {
            try {
                return api.submit(RestJob.of(api.version(), order, excluded));
            } catch (Rejected e) {
                if (!String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).contains(TOO_FEW)) {
                    throw e;
                }
            }
        }
        return api.submit(RestJob.of(api.version(), order, tries.get(tries.size() - 1)));
    }

    /** Those that the cluster knows. */
    private List<String> usable(Set<String> avoid) throws BackendException {
        if (avoid.isEmpty()) {
            return List.of();
        }
        Set<String> known = RestRows.all(api.nodes(), node -> RestRows.text(node.path("name"))).stream()
                .collect(Collectors.toSet());
        return avoid.stream().filter(known::contains).toList();
    }
}
