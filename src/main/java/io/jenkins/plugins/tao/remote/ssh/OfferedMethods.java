package io.jenkins.plugins.tao.remote.ssh;

import java.io.IOException;
import java.security.KeyPair;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.apache.sshd.client.auth.AbstractUserAuth;
import org.apache.sshd.client.auth.UserAuth;
import org.apache.sshd.client.auth.UserAuthFactory;
import org.apache.sshd.client.auth.pubkey.PublicKeyAuthenticationReporter;
import org.apache.sshd.client.auth.pubkey.PublicKeyIdentity;
import org.apache.sshd.client.auth.pubkey.UserAuthPublicKey;
import org.apache.sshd.client.auth.pubkey.UserAuthPublicKeyFactory;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.signature.SignatureFactoriesManager;
import org.apache.sshd.common.util.buffer.Buffer;

/** Logs in by key alone, and notes what else the server asked for, so that a refusal can be explained. */
final class OfferedMethods implements PublicKeyAuthenticationReporter {
    private final Set<String> prompts = new ConcurrentSkipListSet<>();
    private volatile boolean keyTried;
    private volatile boolean keyAccepted;

    /** Our key, then the methods that would prompt; these are noted with their session and left. */
    static List<UserAuthFactory> factories() {
        return List.of(new OwnKeys(), new Prompt("keyboard-interactive"), new Prompt("password"));
    }

    /** The methods the server offered that ask a person. */
    Set<String> prompts() {
        return prompts;
    }

    /** Whether the server let us offer the key at all. */
    boolean keyTried() {
        return keyTried;
    }

    /** Whether it took the key and still wants more: a second factor. */
    boolean keyAccepted() {
        return keyAccepted;
    }

    @Override
    public void signalAuthenticationAttempt(ClientSession session, String service, KeyPair key, String signature) {
        keyTried = true;
    }

    @Override
    public void signalAuthenticationFailure(
            ClientSession session, String service, KeyPair key, boolean partial, List<String> serverMethods) {
        if (partial) {
            keyAccepted = true;
        }
    }

    /** The keys of the session's own login. */
    private static final class OwnKeys extends UserAuthPublicKeyFactory {
        @Override
        public UserAuthPublicKey createUserAuth(ClientSession session) {
            return new UserAuthPublicKey(getSignatureFactories()) {
                @Override
                protected Iterator<PublicKeyIdentity> createPublicKeyIterator(
                        ClientSession own, SignatureFactoriesManager factories) throws IOException {
                    return SessionTerms.of(own).keys().offer(own, factories);
                }
            };
        }
    }

    /** A method that is never used. */
    private static final class Prompt implements UserAuthFactory {
        private final String name;

        Prompt(String name) {
            this.name = name;
        }

        @Override
        public String getName() {
            return name;
        }

        @Override
        public UserAuth createUserAuth(ClientSession session) {
            SessionTerms.of(session).methods().prompts.add(name);
            return new Declined(name);
        }
    }

    /** Sends nothing. */
    private static final class Declined extends AbstractUserAuth {
        Declined(String name) {
            super(name);
        }

        @Override
        protected boolean sendAuthDataRequest(ClientSession session, String service) {
            return false;
        }

        @Override
        protected boolean processAuthDataRequest(ClientSession session, String service, Buffer buffer)
                throws IOException {
            return false;
        }
    }
}
