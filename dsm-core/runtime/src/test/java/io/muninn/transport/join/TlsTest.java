package io.muninn.transport.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.NodeId;
import io.muninn.transport.TestNode;
import io.muninn.transport.net.Address;
import io.muninn.transport.tls.Identity;
import io.muninn.transport.tls.Tls;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Nodes that speak TLS on loopback, with and without certificates of an authority. */
class TlsTest {
    private static final Address ROOT = new Address.Tcp("127.0.0.1", 0);
    private static final String SAME_ON_ALL = ": give --plaintext to all nodes, or to none";

    private static final X509Bundle AUTHORITY = authority("CN=the authority");

    private static X509Bundle authority(String name) {
        try {
            return new CertificateBuilder()
                    .subject(name)
                    .setIsCertificateAuthority(true)
                    .buildSelfSigned();
        } catch (Exception cause) {
            throw new AssertionError(cause);
        }
    }

    private static CertificateBuilder certificate() {
        return new CertificateBuilder()
                .subject("CN=a node")
                .addSanIpAddress("127.0.0.1")
                .addSanDnsName("localhost");
    }

    private static Tls signed(X509Bundle certificate, X509Bundle authority) throws Exception {
        return Tls.of(Tls.Links.ALL, identity(certificate, Optional.of(authority)));
    }

    private static Identity identity(X509Bundle certificate, Optional<X509Bundle> authority) {
        return Identity.read(
                pem("cert.pem", certificate.getCertificatePathPEM()),
                pem("key.pem", certificate.getPrivateKeyPEM()),
                authority.map(one -> pem("ca.pem", one.getCertificatePathPEM())));
    }

    private static Identity.Pem pem(String name, String content) {
        return new Identity.Pem(name, content.getBytes(StandardCharsets.US_ASCII));
    }

    private static Tls ephemeral() {
        return Tls.ephemeral(Tls.Links.ALL);
    }

    private static Tls plain() {
        return Tls.ephemeral(Tls.Links.NONE);
    }

    /** Two nodes of one run; the root waits for a node that is refused. */
    private static final class Two implements AutoCloseable {
        final TestNode root;
        final Address address;
        final TestNode one;

        Two(Tls ofRoot, Tls ofOne) throws Exception {
            root = TestNode.start(0, 2, ROOT, options -> options.tls(ofRoot));
            address = TestNode.await(root.listening);
            one = TestNode.start(1, 2, address, options -> options.tls(ofOne));
        }

        void assertStarts() throws Exception {
            TestNode.await(root.started);
            TestNode.await(one.started);
            one.say(0, "x".repeat(50_000));
            root.say(1, "and back");
            assertEquals(50_000, TestNode.take(root.texts).text().length());
            assertEquals("and back", TestNode.take(one.texts).text());
        }

        /** Both sides have the same text, and a node with the right options may still join. */
        void assertRefused(String text, String atRoot, Tls right) throws Exception {
            assertEquals(text, TestNode.await(one.refused));
            assertEquals("127.0.0.1 " + atRoot, TestNode.take(root.turnedAway));
            try (TestNode next = TestNode.start(1, 2, address, options -> options.tls(right))) {
                TestNode.await(next.started);
                TestNode.await(root.started);
                assertTrue(root.losses.isEmpty() && root.failures.isEmpty());
            }
        }

        @Override
        public void close() {
            one.close();
            root.close();
        }
    }

    @Test
    void nodesWithCertificatesOfTheirOwn_meetAndTalk() throws Exception {
        try (Two two = new Two(ephemeral(), ephemeral())) {
            two.assertStarts();
        }
    }

    @Test
    void nodesWithCertificatesOfOneAuthority_meetAndTalk() throws Exception {
        X509Bundle first = certificate().buildIssuedBy(AUTHORITY);
        X509Bundle second =
                certificate()
                        .algorithm(CertificateBuilder.Algorithm.ed25519)
                        .buildIssuedBy(AUTHORITY);
        try (Two two = new Two(signed(first, AUTHORITY), signed(second, AUTHORITY))) {
            two.assertStarts();
        }
    }

    @Test
    void plainNodeAtARootWithTls_isRefusedInWords() throws Exception {
        String text = "node 0 speaks TLS only, and the other does not" + SAME_ON_ALL;
        try (Two two = new Two(ephemeral(), plain())) {
            two.assertRefused(text, text, ephemeral());
        }
    }

    @Test
    void nodeWithTlsAtAPlainRoot_isRefusedInWords() throws Exception {
        try (Two two = new Two(plain(), ephemeral())) {
            two.assertRefused(
                    "node 0 at " + two.address + " does not speak TLS" + SAME_ON_ALL,
                    "node 0 has --plaintext and the other does not" + SAME_ON_ALL,
                    plain());
        }
    }

    @Test
    void certificateOfAnotherAuthority_isRefusedByBothSides() throws Exception {
        X509Bundle other = authority("CN=another authority");
        Tls right = signed(certificate().buildIssuedBy(AUTHORITY), AUTHORITY);
        Tls wrong = signed(certificate().buildIssuedBy(other), other);
        try (Two two = new Two(right, wrong)) {
            String text = TestNode.await(two.one.refused);
            assertTrue(
                    text.startsWith(
                            "the certificate of node 0 is of 'CN=the authority' and not accepted"),
                    text);
            assertTrue(text.endsWith("name its authority with --tls-ca"), text);
            two.assertRefused(text, "it refuses node 0: " + text, right);
        }
    }

    @Test
    void certificateForAnotherName_isRefusedAndSaysForWhichItIs() throws Exception {
        X509Bundle elsewhere =
                new CertificateBuilder()
                        .subject("CN=x")
                        .addSanDnsName("elsewhere.example")
                        .buildIssuedBy(AUTHORITY);
        Tls right = signed(certificate().buildIssuedBy(AUTHORITY), AUTHORITY);
        try (Two two = new Two(signed(elsewhere, AUTHORITY), right)) {
            String text =
                    "the certificate of node 0 is for elsewhere.example and not for 127.0.0.1:"
                            + " issue one that has it as a subject alternative name";
            assertEquals(text, TestNode.await(two.one.refused));
            assertEquals(
                    "127.0.0.1 it refuses node 0: " + text, TestNode.take(two.root.turnedAway));
        }
    }

    /** Other nodes will dial it there, and would find it out when it has long joined. */
    @Test
    void nodeWhoseCertificateIsNotForItsAddress_isRefusedByTheRoot() throws Exception {
        X509Bundle elsewhere =
                new CertificateBuilder()
                        .subject("CN=x")
                        .addSanDnsName("localhost")
                        .addSanIpAddress("127.0.0.2")
                        .buildIssuedBy(AUTHORITY);
        Tls right = signed(certificate().buildIssuedBy(AUTHORITY), AUTHORITY);
        String text =
                "the certificate of node 1 is for localhost, 127.0.0.2 and not for 127.0.0.1: issue"
                        + " one that has it as a subject alternative name";
        try (Two two = new Two(right, signed(elsewhere, AUTHORITY))) {
            two.assertRefused(text, text, right);
        }
    }

    @Test
    void certificateForManyNames_isRefusedInWordsThatFitTheOpening() throws Exception {
        CertificateBuilder many = new CertificateBuilder().subject("CN=x");
        for (int i = 0; i < 40; i++) {
            many.addSanDnsName("node" + i + ".elsewhere.example");
        }
        Tls right = signed(certificate().buildIssuedBy(AUTHORITY), AUTHORITY);
        try (Two two = new Two(signed(many.buildIssuedBy(AUTHORITY), AUTHORITY), right)) {
            String here = TestNode.await(two.one.refused);
            assertTrue(here.contains("node39.elsewhere.example and not for 127.0.0.1"), here);
            String there = TestNode.take(two.root.turnedAway);
            assertTrue(
                    there.startsWith(
                            "127.0.0.1 it refuses node 0: the certificate of node 0 is for node0"),
                    there);
            assertTrue(
                    there.endsWith("issue one that has it as a subject alternative name"), there);
        }
    }

    @Test
    void selfSignedCertificateThatOnlyItsNodeNames_isRefusedByBothSides() throws Exception {
        X509Bundle own = certificate().setIsCertificateAuthority(true).buildSelfSigned();
        Tls wrong = signed(own, own);
        Tls right = signed(certificate().buildIssuedBy(AUTHORITY), AUTHORITY);
        String text =
                "the certificate of node 0 is self-signed, and --tls-ca of the other side does not"
                        + " name it: give all nodes certificates of one authority, or no node"
                        + " --tls-cert";
        try (Two two = new Two(wrong, right)) {
            two.assertRefused(text, "it refuses node 0: " + text, wrong);
        }
    }

    /** A chain that holds here and not there, as with clocks that differ. */
    @Test
    void certificateThatHasExpiredForTheOtherSide_isRefusedAndNamesTheClocks() throws Exception {
        Instant past = Instant.parse("2020-01-01T00:00:00Z");
        X509Bundle between =
                new CertificateBuilder()
                        .subject("CN=an authority of the past")
                        .setIsCertificateAuthority(true)
                        .notBefore(past)
                        .notAfter(past.plusSeconds(60))
                        .buildIssuedBy(AUTHORITY);
        X509Bundle leaf = certificate().buildIssuedBy(between);
        Tls wrong = signed(leaf, leaf);
        Tls right = signed(certificate().buildIssuedBy(AUTHORITY), AUTHORITY);
        String text =
                "the certificate of node 0 has expired on 2020-01-01T00:01:00Z: renew it, or"
                        + " compare the clocks of both machines";
        try (Two two = new Two(wrong, right)) {
            assertEquals(text, TestNode.await(two.one.refused));
            assertEquals(
                    "127.0.0.1 it refuses node 0: " + text, TestNode.take(two.root.turnedAway));
        }
    }

    @Test
    void ownCertificateAtARootWithAnAuthority_isRefused() throws Exception {
        Tls right = signed(certificate().buildIssuedBy(AUTHORITY), AUTHORITY);
        String text =
                "the certificate of node 1 is one that it has made itself: give all nodes"
                        + " --tls-cert, or none";
        try (Two two = new Two(right, ephemeral())) {
            two.assertRefused(text, text, right);
        }
        String other = text.replace("node 1", "node 0");
        try (Two two = new Two(ephemeral(), right)) {
            two.assertRefused(other, "it refuses node 0: " + other, ephemeral());
        }
    }

    /** The secret is proved over the session, so it is asked for beside every certificate. */
    @Test
    void rightCertificateAndAnotherSecret_areRefused() throws Exception {
        Tls right = signed(certificate().buildIssuedBy(AUTHORITY), AUTHORITY);
        try (TestNode root = TestNode.start(0, 2, ROOT, options -> options.tls(right))) {
            Address address = TestNode.await(root.listening);
            Secret other = new Secret("another secret of tests".getBytes());
            ClusterConfig.Builder config =
                    ClusterConfig.builder(NodeId.of(1), 2, address, other).tls(right);
            try (TestNode one = new TestNode(config, TestNode::receivedOnly).start()) {
                assertEquals(AcceptingHandshake.WRONG_SECRET, TestNode.await(one.refused));
                assertEquals(
                        "127.0.0.1 got a proof of another secret" + AcceptingHandshake.SAME_SECRET,
                        TestNode.take(root.turnedAway));
            }
        }
    }

    @Test
    void strangersBytesInsteadOfTls_costTheRunNothing() throws Exception {
        try (Two two = new Two(ephemeral(), ephemeral());
                Socket socket = new Socket()) {
            Address.Tcp address = (Address.Tcp) two.address;
            socket.connect(new InetSocketAddress(address.host(), address.port()));
            socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(TestNode.SECONDS_MAX));
            byte[] record = new byte[100]; // begins as one of TLS and is none
            record[0] = 22;
            record[1] = 3;
            record[4] = 95;
            socket.getOutputStream().write(record);
            socket.shutdownOutput();

            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
            two.assertStarts();
        }
    }

    // --- what an agent refuses to begin with ----------------------------------------------------

    @Test
    void expiredCertificate_isRefusedBeforeTheStart() throws Exception {
        Instant past = Instant.parse("2020-01-01T00:00:00Z");
        X509Bundle expired =
                certificate()
                        .notBefore(past)
                        .notAfter(past.plusSeconds(60))
                        .buildIssuedBy(AUTHORITY);

        assertRefusedHere(
                "the certificate in cert.pem has expired on 2020-01-01T00:01:00Z: renew it, or"
                        + " compare the clocks of both machines",
                expired);
    }

    @Test
    void certificateOfTheFuture_isRefusedBeforeTheStart() throws Exception {
        Instant from = Instant.now().plusSeconds(100_000);
        X509Bundle future =
                certificate()
                        .notBefore(from)
                        .notAfter(from.plusSeconds(60))
                        .buildIssuedBy(AUTHORITY);

        IllegalArgumentException refused =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> identity(future, Optional.of(AUTHORITY)));
        assertTrue(
                refused.getMessage().endsWith(": compare the clocks of both machines"),
                refused.getMessage());
    }

    @Test
    void selfSignedCertificateWithoutItsAuthority_isRefusedBeforeTheStart() throws Exception {
        X509Bundle own = certificate().setIsCertificateAuthority(true).buildSelfSigned();

        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> identity(own, Optional.empty()));
        assertEquals(
                "the certificate in cert.pem is self-signed: name it, or the authority that signed"
                        + " it, with --tls-ca",
                refused.getMessage());
        assertTrue(identity(own, Optional.of(own)) != null);
    }

    @Test
    void filesThatDoNotFit_areRefusedBeforeTheStart() throws Exception {
        X509Bundle one = certificate().buildIssuedBy(AUTHORITY);
        X509Bundle other = certificate().buildIssuedBy(AUTHORITY);

        assertRefusedFiles(
                "the key in key.pem is not that of the certificate in cert.pem",
                one.getCertificatePathPEM(),
                other.getPrivateKeyPEM());
        assertRefusedFiles(
                "key.pem contains nothing in PEM form, not PRIVATE KEY: convert it by 'openssl pkcs8"
                        + " -topk8 -nocrypt'",
                one.getCertificatePathPEM(),
                "");
        assertRefusedFiles(
                "key.pem contains EC PRIVATE KEY, not PRIVATE KEY: convert it by 'openssl pkcs8"
                        + " -topk8 -nocrypt'",
                one.getCertificatePathPEM(),
                one.getPrivateKeyPEM().replace("PRIVATE KEY", "EC PRIVATE KEY"));
        assertRefusedFiles(
                "cert.pem contains no certificate in PEM form", "", one.getPrivateKeyPEM());
    }

    private static void assertRefusedHere(String text, X509Bundle certificate) {
        IllegalArgumentException refused =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> identity(certificate, Optional.of(AUTHORITY)));
        assertEquals(text, refused.getMessage());
    }

    private static void assertRefusedFiles(String text, String certificate, String key) {
        IllegalArgumentException refused =
                assertThrows(
                        IllegalArgumentException.class,
                        () ->
                                Identity.read(
                                        pem("cert.pem", certificate),
                                        pem("key.pem", key),
                                        Optional.of(pem("ca.pem", AUTHORITY.getCertificatePEM()))));
        assertEquals(text, refused.getMessage());
    }
}
