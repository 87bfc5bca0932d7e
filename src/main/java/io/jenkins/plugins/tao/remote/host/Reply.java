package io.jenkins.plugins.tao.remote.host;

import java.nio.charset.StandardCharsets;

/**
 * What a script answered.
 *
 * @param exitCode 0 to 255; 128 and the signal's number when a signal ended it
 * @param out its standard output, from the first line the script itself wrote: banners and noisy profiles are cut off
 * @param err the end of its standard error, at most 64 KiB, as UTF-8
 */
@SuppressWarnings("ArrayRecordComponent") // outputs hold job logs, which need not be text; one reader, never changed
public record Reply(int exitCode, byte[] out, String err) {
    /** The standard output as UTF-8, damaged characters replaced. */
    public String text() {
        return new String(out, StandardCharsets.UTF_8);
    }

    /** Whether the exit code is 0. */
    public boolean ok() {
        return exitCode == 0;
    }
}
