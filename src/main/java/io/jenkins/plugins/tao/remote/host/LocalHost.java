package io.jenkins.plugins.tao.remote.host;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** This machine: the same scripts for the same shell, as the user of this process. */
public final class LocalHost implements Host {
    private static final int CHUNK = 64 * 1024;
    private static final int MAX_PAUSE_MILLIS = 16;
    private static final int LAST_WORDS_MILLIS = 5000;
    /** So many looks at empty outputs before the first pause, for a pause of a millisecond halves the speed of a copy. */
    private static final int EAGER_LOOKS = 500;

    private static final Feed NOTHING = out -> {};

    @Override
    public Reply run(String script, Duration limit) throws BackendException {
        CappedBuffer buffer = new CappedBuffer();
        Answer answer = new Answer(name(), buffer);
        int exitCode = execute(new ScriptFrame(script), NOTHING, answer, Deadline.in(limit));
        return answer.end(exitCode, buffer.toByteArray());
    }

    @Override
    public Reply send(String script, Feed feed, Duration limit) throws BackendException {
        CappedBuffer buffer = new CappedBuffer();
        Answer answer = new Answer(name(), buffer);
        int exitCode = execute(ScriptFrame.beforeFeed(script), feed, answer, Deadline.in(limit));
        return answer.end(exitCode, buffer.toByteArray());
    }

    @Override
    public Reply stream(String script, OutputStream sink, Duration limit) throws BackendException {
        Answer answer = new Answer(name(), sink);
        return answer.end(execute(new ScriptFrame(script), NOTHING, answer, Deadline.in(limit)), new byte[0]);
    }

    @Override
    public String name() {
        return "this machine";
    }

    @Override
    public void close() {
        // nothing is kept between scripts
    }

    private int execute(ScriptFrame frame, Feed feed, Answer answer, Deadline deadline) throws BackendException {
        Process process = null;
        try {
            process = new ProcessBuilder("/bin/sh", "-c", frame.program()).start();
            send(process, frame.input(), feed);
            return collect(process, answer, deadline);
        } catch (IOException e) {
            throw new Unreachable("A script on this machine broke off: " + e.getMessage() + ".", "Try again.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unreachable("A script on this machine was interrupted.", "Try again.", e);
        } finally {
            end(process);
        }
    }

    /** The frame's program reads everything before it writes anything, so this cannot block for good; one that ends early tells why. */
    private static void send(Process process, byte[] input, Feed feed)
            throws IOException, InterruptedException, BackendException {
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.write(input);
            feed.writeTo(stdin);
        } catch (IOException e) {
            if (!process.waitFor(LAST_WORDS_MILLIS, TimeUnit.MILLISECONDS)) {
                throw e;
            }
        }
    }

    /** Ends with the process, even where a child in the background still holds its outputs. */
    private static int collect(Process process, Answer answer, Deadline deadline)
            throws IOException, InterruptedException, BackendException {
        byte[] chunk = new byte[CHUNK];
        int pause = 1;
        int eager = 0;
        while (true) {
            boolean ended = !process.isAlive();
            if (drain(process, answer, chunk)) {
                pause = 1;
                eager = EAGER_LOOKS;
            } else if (ended) {
                return process.exitValue();
            } else if (eager > 0) {
                eager--;
                Thread.onSpinWait();
            } else {
                process.waitFor(pause, TimeUnit.MILLISECONDS);
                pause = Math.min(MAX_PAUSE_MILLIS, 2 * pause);
            }
            if (deadline.passed()) {
                throw new Unreachable(
                        "A script on this machine did not end within its time limit.",
                        "Look for a hanging file system or an overloaded machine.");
            }
        }
    }

    private static boolean drain(Process process, Answer answer, byte[] chunk) throws IOException, BackendException {
        int out = readAvailable(process.getInputStream(), chunk);
        answer.out(chunk, out);
        int err = readAvailable(process.getErrorStream(), chunk);
        answer.err().write(chunk, 0, err);
        return out + err > 0;
    }

    private static int readAvailable(InputStream stream, byte[] chunk) throws IOException {
        int available = Math.min(stream.available(), chunk.length);
        return available == 0 ? 0 : Math.max(0, stream.read(chunk, 0, available));
    }

    private static void end(@Nullable Process process) {
        if (process != null && process.isAlive()) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
