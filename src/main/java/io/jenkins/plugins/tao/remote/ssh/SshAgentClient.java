package io.jenkins.plugins.tao.remote.ssh;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.security.PublicKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.sshd.agent.SshAgentConstants;
import org.apache.sshd.agent.common.AbstractAgentProxy;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;

/**
 * Asks an SSH agent for its keys and signatures over its socket; MINA's own client of agents needs a native library.
 *
 * @see <a href="https://datatracker.ietf.org/doc/html/draft-ietf-sshm-ssh-agent">SSH Agent Protocol</a>
 */
final class SshAgentClient extends AbstractAgentProxy {
    /** An agent may ask a person before it signs. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final int LARGEST_ANSWER = 1 << 20;

    private final SocketChannel channel;

    private SshAgentClient(SocketChannel channel) {
        super(null);
        this.channel = channel;
    }

    /**
     * Connects to the agent at {@code socket}.
     *
     * @throws IOException if nobody listens there
     */
    static SshAgentClient connect(Path socket) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.connect(UnixDomainSocketAddress.of(socket));
            channel.configureBlocking(false);
            return new SshAgentClient(channel);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** The keys of the agent; those of a kind that we cannot use, as on hardware tokens, are left out. */
    @Override
    public List<? extends Map.Entry<PublicKey, String>> getIdentities() throws IOException {
        Buffer asked = createBuffer(SshAgentConstants.SSH2_AGENTC_REQUEST_IDENTITIES, 1);
        Buffer answer = request(prepare(asked));
        int type = answer.getUByte();
        if (type != SshAgentConstants.SSH2_AGENT_IDENTITIES_ANSWER) {
            throw new IOException("the SSH agent refused to list its keys (" + type + ")");
        }
        int count = answer.getInt();
        List<Map.Entry<PublicKey, String>> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] blob = answer.getBytes();
            String comment = answer.getString();
            try {
                PublicKey key = new ByteArrayBuffer(blob).getRawPublicKey();
                if (!KeyUtils.getKeyType(key).startsWith("sk-")) {
                    keys.add(Map.entry(key, comment));
                }
            } catch (Exception e) {
                log.debug("a key of the agent ({}) is of a kind that is not known here", comment);
            }
        }
        return keys;
    }

    @Override
    protected Buffer request(Buffer message) throws IOException {
        try (Selector selector = Selector.open()) {
            SelectionKey ready = channel.register(selector, SelectionKey.OP_WRITE);
            ByteBuffer out = ByteBuffer.wrap(message.array(), message.rpos(), message.available());
            while (out.hasRemaining()) {
                await(selector);
                channel.write(out);
            }
            ready.interestOps(SelectionKey.OP_READ);
            int length = read(selector, Integer.BYTES).getInt();
            if (length < 1 || length > LARGEST_ANSWER) {
                throw new IOException("the SSH agent gave an answer of " + length + " bytes");
            }
            return new ByteArrayBuffer(read(selector, length).array());
        }
    }

    private ByteBuffer read(Selector selector, int bytes) throws IOException {
        ByteBuffer in = ByteBuffer.allocate(bytes);
        while (in.hasRemaining()) {
            await(selector);
            if (channel.read(in) < 0) {
                throw new EOFException("the SSH agent hung up");
            }
        }
        return in.flip();
    }

    private static void await(Selector selector) throws IOException {
        if (selector.select(PATIENCE.toMillis()) == 0) {
            throw new IOException("the SSH agent did not answer within " + PATIENCE.toSeconds() + " s");
        }
        selector.selectedKeys().clear();
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
        channel.close();
        super.close();
    }
}
