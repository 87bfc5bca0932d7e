package io.jenkins.plugins.tao.remote.shell;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code lease_tell} tells of a lease.
 *
 * @param name the lease, a job's key
 * @param holder the id of the controller that has it
 * @param since when that controller took it
 * @param renewed when it was renewed last
 * @param who the controller in its own words; may be empty
 */
public record LeaseNote(String name, String holder, Optional<Instant> since, Optional<Instant> renewed, String who) {
    private static final Pattern FORM = Pattern.compile("(\\S+) (\\S+) (\\d{1,12}|-) (\\d{1,12}|-) ?(.*)");

    /** Reads one line; empty when it is something else. */
    public static Optional<LeaseNote> parse(String line) {
        Matcher match = FORM.matcher(line.strip());
        return match.matches()
                ? Optional.of(new LeaseNote(
                        match.group(1), match.group(2), time(match.group(3)), time(match.group(4)), match.group(5)))
                : Optional.empty();
    }

    private static Optional<Instant> time(String text) {
        return text.equals("-") ? Optional.empty() : Optional.of(Instant.ofEpochSecond(Long.parseLong(text)));
    }

    /** Who holds it and since when. */
    public String words() {
        return (who.isBlank() ? "controller " + holder : who + " (" + holder + ")")
                + since.map(at -> " since " + at).orElse("");
    }
}
