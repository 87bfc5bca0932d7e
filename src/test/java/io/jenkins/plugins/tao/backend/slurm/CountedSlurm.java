package io.jenkins.plugins.tao.backend.slurm;

import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobOptions;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.host.Reply;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** The Slurm backend over SSH, with every remote command and its bytes counted. */
public final class CountedSlurm implements BackendType {
    private final SlurmType real = new SlurmType();
    private final LongAdder commands = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final LongAdder received = new LongAdder();

    /** Remote commands so far, the bytes of their scripts and of their outputs. */
    public record Count(long commands, long sent, long received) {
        /** What came after {@code before}. */
        public Count since(Count before) {
            return new Count(commands - before.commands, sent - before.sent, received - before.received);
        }
    }

    /** The count so far. */
    public Count count() {
        return new Count(commands.sum(), sent.sum(), received.sum());
    }

    @Override
    public Backend open(Target target) {
        SlurmTarget slurm = (SlurmTarget) target;
        return new SlurmBackend(slurm, new Counted(new SshHost(slurm.login(), slurm.name())));
    }

    @Override
    public String name() {
        return real.name();
    }

    @Override
    public Class<? extends Target> targetType() {
        return real.targetType();
    }

    @Override
    public Class<? extends JobOptions> optionsType() {
        return real.optionsType();
    }

    @Override
    public Preview preview(Target target, JobSpec spec, JobKey key) throws BackendException {
        return real.preview(target, spec, key);
    }

    private final class Counted implements Host {
        private final Host host;

        private Counted(Host host) {
            this.host = host;
        }

        @Override
        public Reply run(String script, Duration limit) throws BackendException {
            commands.increment();
            sent.add(script.getBytes(StandardCharsets.UTF_8).length);
            Reply reply = host.run(script, limit);
            received.add(reply.out().length);
            return reply;
        }

        @Override
        public Reply stream(String script, OutputStream sink, Duration limit) throws BackendException {
            commands.increment();
            sent.add(script.getBytes(StandardCharsets.UTF_8).length);
            return host.stream(script, new Counting(sink), limit);
        }

        @Override
        public String name() {
            return host.name();
        }

        @Override
        public void close() {
            host.close();
        }
    }

    private final class Counting extends FilterOutputStream {
        private Counting(OutputStream sink) {
            super(sink);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            received.add(length);
            out.write(bytes, offset, length);
        }
    }
}
