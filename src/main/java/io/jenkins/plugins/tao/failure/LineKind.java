package io.jenkins.plugins.tao.failure;

import io.jenkins.plugins.tao.job.text.OwnFile;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What one line tells of a failure, the least first. The patterns are data, {@code log-lines.txt}. */
public enum LineKind {
    /** It repeats the words of an error that did not come: a line of source, a setting, help, advice. No rule looks at it. */
    QUOTED,
    /** Nothing, though it may look like an error. */
    HARMLESS,
    /** It goes with an error, or a library reports of itself: neither an error nor work. */
    DETAIL,
    /** What a program writes while all goes well. */
    ORDINARY,
    /** It belongs to the error beside it: a frame of a stack, a rule of a report. */
    PART,
    /** It has a word that errors have, and no pattern fits. */
    UNKNOWN,
    /** What follows from the failure of another process, or from an error that stands above. */
    CONSEQUENCE,
    /** It is written as an error, and is no exception. */
    ERROR,
    /** A launcher says that a signal ended a process, which could not say more itself. */
    ENDED,
    /** An exception, or another sign of why the program itself ended. */
    OWN,
    /** A rule names it, and its cause is not the program. */
    NAMED;

    /** Nearly all lines have none of these words, and a log may have millions of lines. */
    private static final Pattern WORTH_A_LOOK = Pattern.compile(
            "(?i)err|exc|trace|fatal|critical|warn|fail|fault|found"
                    + "|detected|available|xid|kill|oom|out of|no such|denied|space|quota|exit|signal|peer|broken|termin|sigterm|dump"
                    + "|watchdog|time-?out|timed |timing out|time limit|unable|stale|endpoint|refused|requires|offline|skipping|retry|truncated|queue\\.|gpu is lost|abort|interrupt|interpreter|cannot|could not|no module|corrupt|lost|fallen|read-only|i/o|^key '"
                    + "|torch/distributed|nccl (?:info|trace)|^wandb: |^\\[[iwd]\\d|process received|\\[0x|what\\(|cause|invalid|frame #|curl|\\[e]|^tao: |^[-=*#~_+]{3,}|\\.\\w+:\\d+$");

    private static final Map<LineKind, List<Pattern>> PATTERNS = OwnFile.text(LineKind.class, "log-lines.txt")
            .lines()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .map(line -> line.split(" ", 2))
            .collect(Collectors.groupingBy(
                    parts -> valueOf(parts[0]),
                    Collectors.mapping(parts -> Pattern.compile(parts[1]), Collectors.toList())));

    /** What {@code text}, a line without the marks of its rank, is. */
    public static LineKind of(String text) {
        if (!WORTH_A_LOOK.matcher(text).find()) {
            return text.isBlank() || Character.isWhitespace(text.charAt(0)) ? PART : ORDINARY;
        }
        return Stream.of(QUOTED, DETAIL, HARMLESS, ENDED, CONSEQUENCE, OWN, ERROR, PART)
                .filter(kind -> kind.fits(text))
                .findFirst()
                .orElse(UNKNOWN);
    }

    /** Whether one of its patterns fits {@code text}, which {@link #of} does not ask of a line without a word that errors have. */
    boolean fits(String text) {
        return PATTERNS.getOrDefault(this, List.of()).stream()
                .anyMatch(pattern -> pattern.matcher(text).find());
    }

    /** Whether a program that writes it goes on with its work. */
    boolean isWork() {
        return this == ORDINARY || this == HARMLESS || this == UNKNOWN;
    }
}
