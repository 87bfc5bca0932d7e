package io.jenkins.plugins.tao.backend;

/**
 * New bytes of a stream. They may begin and end within a line or a character.
 *
 * @param bytes what was read; never changed by anyone after
 * @param next where to read on
 * @param restarted whether the file was replaced or cut, so that {@code bytes} begin at its start again
 * @param more whether the stream already holds more than was read now
 */
@SuppressWarnings("ArrayRecordComponent") // bytes go from the wire to one reader, a copy each way would double the cost
public record Tail(byte[] bytes, Position next, boolean restarted, boolean more) {}
