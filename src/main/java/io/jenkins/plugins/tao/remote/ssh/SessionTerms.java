package io.jenkins.plugins.tao.remote.ssh;

import java.util.Map;
import org.apache.sshd.client.session.AbstractClientSession;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.AttributeRepository;
import org.apache.sshd.common.kex.KexProposalOption;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.common.session.SessionListener;
import org.jspecify.annotations.Nullable;

/**
 * What one session is opened with: the check of the host key of its own address, and the methods and keys of its own login. They travel with
 * the connection and not on the shared client: a host that answers late is still judged by its own known keys.
 */
record SessionTerms(HostKeyCheck hostKey, OfferedMethods methods, LoginKeys keys) {
    /** Gives each session its terms before the key exchange begins. */
    static final SessionListener LISTENER = new SessionListener() {
        @Override
        public void sessionCreated(Session session) {
            if (session instanceof ClientSession client) {
                of(client).apply(client);
            }
        }

        /** Before the server shows its key: a certificate is for the name of the host, not for the way to it. */
        @Override
        public void sessionNegotiationEnd(
                Session session,
                Map<KexProposalOption, String> ours,
                Map<KexProposalOption, String> theirs,
                Map<KexProposalOption, String> agreed,
                @Nullable Throwable reason) {
            if (session instanceof AbstractClientSession client) {
                client.setConnectAddress(of(client).hostKey().certifiedName());
            }
        }
    };

    private static final AttributeRepository.AttributeKey<SessionTerms> KEY = new AttributeRepository.AttributeKey<>();

    /** The form in which MINA carries them from the connection to its session. */
    AttributeRepository context() {
        return AttributeRepository.ofKeyValuePair(KEY, this);
    }

    /** Those of an own session. */
    static SessionTerms of(ClientSession session) {
        return session.getConnectionContext().getAttribute(KEY);
    }

    private void apply(ClientSession session) {
        session.setServerKeyVerifier(hostKey);
        session.setSignatureFactories(SshClientSetup.signatures(hostKey));
        session.setPublicKeyAuthenticationReporter(methods);
    }
}
