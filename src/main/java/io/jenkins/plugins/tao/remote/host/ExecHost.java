package io.jenkins.plugins.tao.remote.host;

import io.jenkins.plugins.tao.backend.BackendException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;

/**
 * A container as a host: programs are started in it by a service, which passes their streams on. Scripts reach it as they reach any
 * other host, on the standard input of a shell, so that neither a process list nor a service's log of requests shows them.
 *
 * @param name the host in messages
 */
public record ExecHost(String name, Exec exec) implements Host {
    private static final int CHUNK = 64 * 1024;
    private static final int TRIES = 3;
    /** The service has no way to say that the input ends. */
    private static final String NO_INPUT = "exec </dev/null\n";

    /** Starts programs in the container. */
    @FunctionalInterface
    public interface Exec {
        /**
         * Starts a program.
         *
         * @param words the program and its arguments
         * @param input its standard input
         * @param err takes its standard error while it runs
         * @throws BackendException if it was not started
         */
        Started start(List<String> words, byte[] input, OutputStream err) throws BackendException;
    }

    /** A program that was started; closing it lets go of it. */
    public interface Started extends AutoCloseable {
        /** Its standard output; reading fails where the connection is lost. */
        InputStream out();

        /**
         * How it ended, once its output has.
         *
         * @throws BackendException.Unreachable if that did not come
         */
        int exitCode(Duration limit) throws BackendException;

        @Override
        void close();
    }

    /** A script whose answer is cut runs again within the limit, at most {@value #TRIES} times in all: it must only read. */
    @Override
    public Reply run(String script, Duration limit) throws BackendException {
        Deadline deadline = Deadline.in(limit);
        for (int tried = 1; ; tried++) {
            try {
                return once(script, deadline.left());
            } catch (BackendException.Unreachable e) {
                if (tried == TRIES
                        || deadline.passed()
                        || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
            }
        }
    }

    private Reply once(String script, Duration limit) throws BackendException {
        CappedBuffer buffer = new CappedBuffer();
        Answer answer = new Answer(name, buffer);
        int exitCode = execute(script, answer, limit);
        return answer.end(exitCode, buffer.toByteArray());
    }

    @Override
    public Reply stream(String script, OutputStream sink, Duration limit) throws BackendException {
        Answer answer = new Answer(name, sink);
        return answer.end(execute(script, answer, limit), new byte[0]);
    }

    private int execute(String script, Answer answer, Duration limit) throws BackendException {
        ScriptFrame frame = ScriptFrame.beforeFeed(NO_INPUT + script);
        try (Started program = exec.start(List.of("/bin/sh", "-c", frame.program()), frame.input(), answer.err())) {
            byte[] chunk = new byte[CHUNK];
            InputStream out = program.out();
            for (int count = out.read(chunk); count >= 0; count = out.read(chunk)) {
                answer.out(chunk, count);
            }
            return program.exitCode(limit);
        } catch (IOException e) {
            throw new BackendException.Unreachable(
                    "The connection to " + name + " was lost: " + e.getMessage() + ".", "Try again.", e);
        }
    }

    @Override
    public void close() {
        // whoever started the container ends it
    }
}
