package io.jenkins.plugins.tao.backend;

import java.util.Optional;

/**
 * New bytes of a stream. They may begin and end within a line or a character.
 *
 * @param bytes what was read; never changed by anyone after
 * @param next where to read on
 * @param restarted whether the file was replaced or cut, so that {@code bytes} begin at its start again
 * @param more whether the stream already holds more than was read now
 * @param gap why nothing could be read, though there may be something; then there are no bytes, and {@code next} is where to try again
 */
@SuppressWarnings("ArrayRecordComponent") // bytes go from the wire to one reader, a copy each way would double the cost
public record Tail(byte[] bytes, Position next, boolean restarted, boolean more, Optional<String> gap) {
    /** What was read. */
    public Tail(byte[] bytes, Position next, boolean restarted, boolean more) {
        this(bytes, next, restarted, more, Optional.empty());
    }

    /** Nothing was read behind {@code at}, for a reason that says nothing of what is there. */
    public static Tail missed(Position at, String why) {
        return new Tail(new byte[0], at, false, false, Optional.of(why));
    }
}
