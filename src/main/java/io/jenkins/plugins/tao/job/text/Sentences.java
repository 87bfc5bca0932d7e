package io.jenkins.plugins.tao.job.text;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/** Puts what several places say of one thing into one line. */
public final class Sentences {
    private static final String ENDS = ".!?:";
    private static final Pattern DOUBLE_STOP = Pattern.compile("(?<=[^\\s./])\\.\\.(?=\\s|$)");

    private Sentences() {}

    /** The same with one full stop where two sentences were put together with two; an ellipsis stays. */
    public static String clean(String text) {
        return DOUBLE_STOP.matcher(text).replaceAll(".");
    }

    /** The parts in their order, each closed by a full stop unless it ends a sentence itself; blank ones are left out. */
    public static String join(String... parts) {
        StringJoiner line = new StringJoiner(" ");
        for (String part : parts) {
            String text = part.strip();
            if (!text.isEmpty()) {
                line.add(ENDS.indexOf(text.charAt(text.length() - 1)) < 0 ? text + "." : text);
            }
        }
        return line.toString();
    }

    /** {@code 1 run} or {@code 3 runs}. */
    public static String count(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    /** Why a file cannot be read or written: of most errors Java says its name alone. */
    public static String why(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof FileAlreadyExistsException) {
            return "a file is in the place of a directory";
        }
        if (e instanceof CharacterCodingException) {
            return "it is not UTF-8 text";
        }
        return e instanceof FileSystemException file && file.getReason() != null
                ? file.getReason()
                : String.valueOf(e.getMessage());
    }

    /** At most this many characters of a text, and an ellipsis where it is longer. */
    public static String shortened(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most) + "…";
    }

    /** {@code 1st}, {@code 2nd}, {@code 11th}. */
    public static String ordinal(long number) {
        boolean teen = number / 10 % 10 == 1;
        return number
                + switch (teen ? 0 : (int) (number % 10)) {
                    case 1 -> "st";
                    case 2 -> "nd";
                    case 3 -> "rd";
                    default -> "th";
                };
    }
}
