package io.muninn.transport.tls;

import io.netty.handler.ssl.SslHandler;
import java.net.InetAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS 1.3 on one connection.
 *
 * <p>The TLS handshake completes with any certificate, so that both sides can tell each other in
 * words what is wrong with it. Its owner must therefore ask for the {@link #refusal} before it
 * sends or accepts anything else, and then prove the secret over the {@link #binding}.
 *
 * <p><b>Threads.</b> The event loop of the connection.
 */
public final class TlsSession {
    private static final String PROTOCOL = "TLSv1.3";
    private static final String LABEL = "EXPORTER-muninn-agents";
    private static final int BINDING_BYTES = 32;
    private static final String OWN_CERTIFICATE =
            "is one that it has made itself: give all nodes --tls-cert, or none";

    private final SslHandler handler;
    private final SSLEngine engine;
    private final Verdict verdict;

    /** Of the side that dials. */
    TlsSession(Identity identity, String host, int port) {
        verdict = new Verdict(identity.authorities(), host);
        engine = context(identity, verdict).createSSLEngine(host, port);
        engine.setUseClientMode(true);
        SSLParameters parameters = parameters();
        if (identity.authorities() != null) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        engine.setSSLParameters(parameters);
        handler = handler();
    }

    /** Of the side that listens. */
    TlsSession(Identity identity) {
        verdict = new Verdict(identity.authorities(), "this node");
        engine = context(identity, verdict).createSSLEngine();
        engine.setUseClientMode(false);
        SSLParameters parameters = parameters();
        parameters.setWantClientAuth(identity.authorities() != null);
        engine.setSSLParameters(parameters);
        handler = handler();
    }

    private SslHandler handler() {
        SslHandler created = new SslHandler(engine);
        created.setHandshakeTimeoutMillis(0); // the handshakes of the agents have limits
        return created;
    }

    private static SSLParameters parameters() {
        SSLParameters parameters = new SSLParameters();
        parameters.setProtocols(new String[] {PROTOCOL});
        return parameters;
    }

    /** Of this session alone: nothing is resumed. */
    private static SSLContext context(Identity identity, Verdict verdict) {
        try {
            SSLContext context = SSLContext.getInstance(PROTOCOL);
            context.init(identity.keyManagers(), new TrustManager[] {verdict}, null);
            return context;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every JDK has " + PROTOCOL, impossible);
        }
    }

    /** The handler in front of the connection. */
    public SslHandler sslHandler() {
        return handler;
    }

    /**
     * A phrase for "the certificate of … ", if this node does not accept the other's certificate.
     * The TLS handshake is over.
     */
    public Optional<String> refusal() {
        if (verdict.shown == null && verdict.authorities != null) {
            return Optional.of("is missing: give all nodes --tls-cert, or none");
        }
        return Optional.ofNullable(verdict.refusal);
    }

    /**
     * A phrase for "the certificate of … ", if it is not for the address at which other nodes dial
     * its node: they would refuse it. The TLS handshake is over.
     */
    public Optional<String> refusalAt(InetAddress address) {
        X509Certificate certificate = verdict.shown;
        return verdict.authorities == null
                        || certificate == null
                        || CertificateNames.contain(certificate, address)
                ? Optional.empty()
                : Optional.of(Identity.isFor(certificate, address.getHostAddress()));
    }

    /**
     * Bytes that only the two ends of this session know, and that differ in any other session:
     * keying material of RFC 8446, section 7.5.
     */
    public byte[] binding() {
        if (engine.getSession() instanceof ExtendedSSLSession session) {
            try {
                return session.exportKeyingMaterialData(LABEL, null, BINDING_BYTES);
            } catch (SSLException cause) {
                throw new IllegalStateException("the TLS handshake is not over", cause);
            }
        }
        throw new IllegalStateException("a session of " + PROTOCOL + " exports keys");
    }

    /** Accepts every certificate, and keeps what is wrong with it. */
    private static final class Verdict extends X509ExtendedTrustManager {
        private final @Nullable X509ExtendedTrustManager authorities;
        private final String host;
        private @Nullable String refusal; // null if there is none
        private @Nullable X509Certificate shown; // null until the other side has shown one

        Verdict(@Nullable X509ExtendedTrustManager authorities, String host) {
            this.authorities = authorities;
            this.host = host;
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
            check(chain, trusted -> trusted.checkClientTrusted(chain, type, engine));
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
            check(chain, trusted -> trusted.checkServerTrusted(chain, type, engine));
        }

        /** The check of one role. */
        private interface Check {
            void run(X509ExtendedTrustManager trusted) throws CertificateException;
        }

        private void check(X509Certificate[] chain, Check check) {
            shown = chain[0];
            X509ExtendedTrustManager trusted = authorities;
            if (trusted == null) {
                return;
            }
            try {
                check.run(trusted);
            } catch (CertificateException refused) {
                refusal =
                        EphemeralCertificate.isOne(chain[0])
                                ? OWN_CERTIFICATE
                                : Identity.phrase(chain, host, refused);
            }
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {
            throw new IllegalStateException("agents use engines, not sockets");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
            throw new IllegalStateException("agents use engines, not sockets");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {
            throw new IllegalStateException("agents use engines");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            throw new IllegalStateException("agents use engines");
        }

        /** None, so that the other side shows its certificate whoever has signed it. */
        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
