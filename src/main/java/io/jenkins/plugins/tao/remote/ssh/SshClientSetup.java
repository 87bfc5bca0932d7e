package io.jenkins.plugins.tao.remote.ssh;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.apache.sshd.client.ClientBuilder;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.auth.password.PasswordIdentityProvider;
import org.apache.sshd.client.config.hosts.HostConfigEntryResolver;
import org.apache.sshd.common.NamedFactory;
import org.apache.sshd.common.cipher.BuiltinCiphers;
import org.apache.sshd.common.cipher.Cipher;
import org.apache.sshd.common.kex.BuiltinDHFactories;
import org.apache.sshd.common.kex.KeyExchangeFactory;
import org.apache.sshd.common.keyprovider.KeyIdentityProvider;
import org.apache.sshd.common.signature.Signature;
import org.apache.sshd.common.util.security.SecurityUtils;
import org.apache.sshd.core.CoreModuleProperties;

/**
 * MINA as we use it: nothing is read from the home directory, no prompt is answered, a silent connection is noticed
 * within a minute. Without {@code TCP_NODELAY} each script would cost two stalls of 40 ms.
 */
final class SshClientSetup {
    /** Set by the command line: a new process asks for the key exchange that a cold JVM computes in no time. */
    private static final String QUICK = "tao.ssh.quick";

    private static final Duration HEARTBEAT = Duration.ofSeconds(15);
    private static final int UNANSWERED_HEARTBEATS = 3;
    private static final int NETWORK_THREADS = 2;

    /**
     * Largest packet that a server may send. OpenSSH's are at most 32 KiB all the same; MINA opens the window again after half of this
     * value, and each time costs both sides a packet. MINA refuses packets above 256 KiB.
     */
    private static final long LARGEST_PACKET = 192 * 1024;

    private SshClientSetup() {}

    /** Loads the classes of a first connection; what fails here fails there again. */
    static void preload() {
        try {
            createWhatAConnectionNeeds();
        } catch (Exception e) {
            System.getLogger(SshClientSetup.class.getName()).log(System.Logger.Level.DEBUG, "not loaded", e);
        }
    }

    /** The parser of keys, a client, the key exchange and the cipher that servers of 2020 and later have. */
    static void createWhatAConnectionNeeds() throws Exception {
        SecurityUtils.getKeyPairResourceParser();
        SecurityUtils.isEDDSACurveSupported();
        SshClient.setUpDefaultClient();
        BuiltinDHFactories.curve25519.create().getE();
        Cipher cipher = BuiltinCiphers.aes128gcm.create();
        cipher.init(Cipher.Mode.Encrypt, new byte[cipher.getKdfSize()], new byte[cipher.getIVSize()]);
    }

    /** A started client; it keeps two network threads, and one while a script's text is on its way. */
    static SshClient start() {
        SshClient client = SshClient.setUpDefaultClient();
        client.setHostConfigEntryResolver(HostConfigEntryResolver.EMPTY);
        client.setKeyIdentityProvider(KeyIdentityProvider.EMPTY_KEYS_PROVIDER);
        CoreModuleProperties.ABORT_ON_INVALID_CERTIFICATE.set(client, false); // its plain key may be known
        client.setPasswordIdentityProvider(PasswordIdentityProvider.EMPTY_PASSWORDS_PROVIDER);
        client.setNioWorkers(NETWORK_THREADS);
        client.setCipherFactories(ciphers());
        client.setKeyExchangeFactories(keyExchanges(Boolean.getBoolean(QUICK)));
        CoreModuleProperties.MAX_PACKET_SIZE.set(client, LARGEST_PACKET);
        CoreModuleProperties.TCP_NODELAY.set(client, true);
        CoreModuleProperties.HEARTBEAT_INTERVAL.set(client, HEARTBEAT);
        CoreModuleProperties.HEARTBEAT_NO_REPLY_MAX.set(client, UNANSWERED_HEARTBEATS);
        client.start();
        return client;
    }

    /** All ciphers, AES-GCM first: the processor does it, MINA's ChaCha20 is plain Java and a fifth as fast. */
    private static List<NamedFactory<Cipher>> ciphers() {
        List<NamedFactory<Cipher>> ciphers = ClientBuilder.setUpDefaultCiphers(false);
        ciphers.sort(Comparator.comparing(cipher -> !cipher.getName().contains("-gcm@")));
        return ciphers;
    }

    /**
     * All key exchanges, in MINA's order; for a {@code quick} process sntrup761 last. Its keys take a cold JVM 0.4 s of
     * processor time, and 1 s where its code is compiled twice. ML-KEM, which OpenSSH has since 9.9, is as strong and fast.
     */
    static List<KeyExchangeFactory> keyExchanges(boolean quick) {
        List<KeyExchangeFactory> exchanges = NamedFactory.setUpTransformedFactories(
                false, ClientBuilder.DEFAULT_KEX_PREFERENCE, ClientBuilder.DH2KEX);
        if (quick) {
            exchanges.sort(Comparator.comparing(exchange -> exchange.getName().startsWith("sntrup761")));
        }
        return exchanges;
    }

    /** All signatures, the wanted ones first: then the server shows a key that we know, if it has one. */
    static List<NamedFactory<Signature>> signatures(HostKeyCheck hostKey) {
        List<NamedFactory<Signature>> signatures = ClientBuilder.setUpDefaultSignatureFactories(false);
        signatures.sort(Comparator.comparing(factory -> hostKey.rank(factory.getName())));
        return signatures;
    }
}
