package io.jenkins.plugins.tao.remote;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;
import org.jspecify.annotations.Nullable;

/**
 * One command of {@link LoopbackSshServer}, as sshd runs it: its outputs are read to their end before its exit code is sent.
 * MINA's own {@code ProcessShellFactory} asks a process that has ended how many bytes are available; the JDK is moving
 * them to another stream just then, and answers 0 for a moment. The output of a short command got lost that way.
 */
final class LoopbackCommand implements Command {
    private final List<String> words;
    private final List<Thread> outputs = new ArrayList<>();
    private @Nullable InputStream in;
    private @Nullable OutputStream out;
    private @Nullable OutputStream err;
    private @Nullable ExitCallback ended;
    private @Nullable Process process;

    LoopbackCommand(List<String> words) {
        this.words = words;
    }

    @Override
    public void setInputStream(InputStream stream) {
        in = stream;
    }

    @Override
    public void setOutputStream(OutputStream stream) {
        out = stream;
    }

    @Override
    public void setErrorStream(OutputStream stream) {
        err = stream;
    }

    @Override
    public void setExitCallback(ExitCallback callback) {
        ended = callback;
    }

    @Override
    public void start(ChannelSession channel, Environment environment) throws IOException {
        Process started = new ProcessBuilder(words).start();
        process = started;
        copy(Objects.requireNonNull(in), started.getOutputStream(), true);
        outputs.add(copy(started.getInputStream(), Objects.requireNonNull(out), false));
        outputs.add(copy(started.getErrorStream(), Objects.requireNonNull(err), false));
        daemon(() -> end(started));
    }

    private void end(Process started) {
        try {
            int code = started.waitFor();
            for (Thread output : outputs) {
                output.join();
            }
            Objects.requireNonNull(ended).onExit(code);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Thread copy(InputStream from, OutputStream to, boolean close) {
        return daemon(() -> {
            byte[] chunk = new byte[32 * 1024];
            try (from) {
                for (int n = from.read(chunk); n >= 0; n = from.read(chunk)) {
                    to.write(chunk, 0, n);
                    to.flush();
                }
                if (close) {
                    to.close();
                }
            } catch (IOException e) {
                // the other side has gone: so has what it would have read
            }
        });
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "command");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    @Override
    public void destroy(ChannelSession channel) {
        Process started = process;
        if (started != null) {
            started.destroy();
        }
    }
}
