package io.jenkins.plugins.tao.remote.host;

import io.jenkins.plugins.tao.backend.BackendException;
import java.io.IOException;
import java.io.OutputStream;

/** Where the outputs of one script go while it runs, and what became of them. */
public final class Answer {
    private final String host;
    private final MarkedOutput out;
    private final TailBuffer errTail = new TailBuffer();
    private final MarkedOutput err = new MarkedOutput(errTail);

    /**
     * Takes the outputs of a script.
     *
     * @param host what to call the machine in messages
     */
    public Answer(String host, OutputStream sink) {
        this.host = host;
        this.out = new MarkedOutput(sink);
    }

    /** Takes standard output; fails as the sink fails, turned into words for the user. */
    public void out(byte[] bytes, int length) throws BackendException {
        try {
            out.write(bytes, 0, length);
        } catch (CappedBuffer.Overflow e) {
            throw new BackendException.Unreadable(
                    "The answer of " + host + " was dropped", String.valueOf(e.getMessage()), "Ask for less at once.");
        } catch (IOException e) {
            throw new BackendException.Rejected(
                    "What " + host + " sent could not be stored: " + e.getMessage() + ".",
                    "Free disk space or fix permissions where it is stored, then fetch it again.");
        }
    }

    /** Takes standard error. */
    public OutputStream err() {
        return err;
    }

    /**
     * The reply of a script that has ended, with what its sink holds.
     *
     * @throws BackendException.Denied if the login shell never started it
     */
    public Reply end(int exitCode, byte[] bytes) throws BackendException {
        if (!out.passed()) {
            String said = (out.before() + "\n" + err.before()).strip();
            throw new BackendException.Denied(
                    "The login shell on " + host + " ended with exit code " + exitCode + " without running our script"
                            + (said.isEmpty() ? "." : ": " + said + "."),
                    "Give this user a login shell that runs commands, and let its profile not end the shell.");
        }
        return new Reply(exitCode, bytes, errTail.text());
    }
}
