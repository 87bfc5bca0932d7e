package io.jenkins.plugins.tao.remote.ssh;

import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;

/** A caller that was interrupted in the middle of MINA, which takes the thread's mark away and throws instead. */
final class SshInterrupt {
    private SshInterrupt() {}

    static boolean is(IOException e) {
        return e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException);
    }

    /** Puts the mark back; a connection that others share is not touched. */
    static Unreachable told(IOException e, String place, String remedy) {
        Thread.currentThread().interrupt();
        return new Unreachable("A request to " + place + " was interrupted.", remedy, e);
    }
}
