package io.jenkins.plugins.tao.backend.lepton.checks;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.backend.lepton.api.LeptonApi;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonOptions;
import io.jenkins.plugins.tao.backend.lepton.view.LeptonGroup;
import io.jenkins.plugins.tao.backend.lepton.view.LeptonList;
import io.jenkins.plugins.tao.job.JobSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Checks of what a job names in its workspace besides its place: secrets, a reservation, variables. */
record LeptonNeeds(LeptonApi api, JobSpec spec, LeptonOptions options) {
    private static final String RESERVED = "LEPTON_";
    private static final Set<String> OVER = Set.of("rejected", "expired");

    boolean namesSecrets() {
        return !options.secretRefs().isEmpty();
    }

    boolean namesReservation() {
        return options.reservation().isPresent();
    }

    /** The workspace sets variables of its own and refuses a job that does. */
    Optional<Check> variables() {
        List<String> bad = Stream.of(
                        spec.env().keySet(),
                        spec.secrets().keySet(),
                        options.secretRefs().keySet())
                .flatMap(Set::stream)
                .filter(name -> name.startsWith(RESERVED))
                .sorted()
                .toList();
        return bad.isEmpty()
                ? Optional.empty()
                : Optional.of(Check.failed(
                        "variables",
                        String.join(", ", bad) + ": names that begin with " + RESERVED + " are Lepton's own",
                        "Give them other names."));
    }

    /** A private secret may be listed under a name with a suffix. */
    Check secrets() throws BackendException {
        List<String> listed = new ArrayList<>();
        for (JsonNode secret : LeptonList.of(api.userSecrets(), "usersecrets")) {
            listed.add(secret.path("name").asText(""));
        }
        Set<String> missing = new TreeSet<>(options.secretRefs().values());
        missing.removeIf(name -> listed.stream().anyMatch(each -> each.equals(name) || each.startsWith(name + ".")));
        return missing.isEmpty()
                ? Check.passed(
                        "secrets",
                        String.join(", ", new TreeSet<>(options.secretRefs().values())))
                : Check.failed(
                        "secrets",
                        "the workspace has no secret " + String.join(", ", missing),
                        "Make it in the dashboard under Settings, Secrets, or correct its name in secretRefs.");
    }

    Check reservation(Optional<LeptonGroup> group) throws BackendException {
        String wanted = options.reservation().orElse("");
        if (group.isEmpty()) {
            return Check.failed(
                    "reservation",
                    "'" + wanted + "' is named without a node group",
                    "Name the nodeGroup that it reserves nodes of.");
        }
        List<String> ids = new ArrayList<>();
        for (JsonNode each : LeptonList.of(api.reservations(group.get().id()), "reservations")) {
            String id = each.path("metadata").path("id").asText("");
            String name = each.path("metadata").path("name").asText(id);
            String phase = each.path("status").path("phase").asText("");
            if (wanted.equals(id)) {
                return phase(wanted, phase);
            }
            ids.add(id.equals(name) ? id : id + " (" + name + ")");
        }
        return Check.failed(
                "reservation",
                "node group " + group.get().name() + " has no reservation '" + wanted + "'",
                ids.isEmpty() ? "It has none; leave it out." : "Use one of: " + String.join(", ", ids) + ".");
    }

    private static Check phase(String id, String phase) {
        if (OVER.contains(phase.toLowerCase(Locale.ROOT))) {
            return Check.failed("reservation", "'" + id + "' is " + phase, "Name one that is in force, or none.");
        }
        return phase.equals("Reserved")
                ? Check.passed("reservation", id)
                : Check.warning(
                        "reservation",
                        "'" + id + "' is " + (phase.isEmpty() ? "in an unknown phase" : phase),
                        "The job waits until it is in force.");
    }
}
