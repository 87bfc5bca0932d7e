package io.jenkins.plugins.tao.backend.lepton.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonJob;
import io.jenkins.plugins.tao.job.Secret;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** How long a token lives on, by the service's own list and clock. */
public final class LeptonToken {
    private static final Duration SOON = Duration.ofDays(10);
    private static final int SHOWN = 4;

    private LeptonToken() {}

    /** A warning when the token ends soon; empty when it does not, or when nothing tells. */
    public static Optional<Check> warning(LeptonApi api, Secret token) throws BackendException {
        JsonNode list;
        try {
            list = api.tokens();
        } catch (BackendException.Rejected | BackendException.Denied | BackendException.Unreadable e) {
            return Optional.empty(); // a token may not be allowed to list tokens; its use is checked by its use
        }
        Optional<Instant> now = api.serviceTime();
        Optional<Instant> end = expiry(list, token.reveal());
        if (now.isEmpty() || end.isEmpty()) {
            return Optional.empty();
        }
        Duration left = Duration.between(now.get(), end.get());
        return left.compareTo(SOON) >= 0
                ? Optional.empty()
                : Optional.of(Check.warning(
                        "token lives on",
                        "it ends in " + words(left) + " (" + end.get() + ")",
                        "A job that is watched longer than that is lost from sight until the token is renewed: make a new one"
                                + " under Settings, Tokens."));
    }

    /** The service masks tokens: their beginning and end are told. */
    private static Optional<Instant> expiry(JsonNode list, String token) {
        Optional<Instant> earliest = Optional.empty();
        for (JsonNode each : list) {
            String[] ends = each.path("masked_value").asText("").split("\\.\\.\\.|\\*+", 2);
            boolean own = ends.length == 2
                    && ends[0].length() >= Math.min(SHOWN, token.length())
                    && token.startsWith(ends[0])
                    && token.endsWith(ends[1]);
            Optional<Instant> end = own ? LeptonJob.instant(each.path("expires_at")) : Optional.empty();
            if (end.isPresent() && (earliest.isEmpty() || end.get().isBefore(earliest.get()))) {
                earliest = end;
            }
        }
        return earliest;
    }

    private static String words(Duration left) {
        return left.toHours() >= 48 ? left.toDays() + " days" : left.toHours() + " hours";
    }
}
