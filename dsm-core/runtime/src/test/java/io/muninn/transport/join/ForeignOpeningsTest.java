package io.muninn.transport.join;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.ForeignBytes;
import io.muninn.transport.net.Address;
import io.muninn.transport.tls.Identity;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What is read before a connection has frames: its first bytes, addresses, files of certificates.
 */
class ForeignOpeningsTest {
    private static final byte[] CLIENT_HELLO = {22, 3, 1, 2, 0, 1, 0, 1, (byte) 0xFC, 3, 3};

    /** Certificates are slow to read. */
    private static final int FILES_FEW = 100;

    private static final int FILES_MANY = 100_000;

    /** Says what somebody who speaks TLS is turned away with. */
    private static final class SpeaksTls extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void firstBytes_arePassedOnAsTheyAre() {
        feedFirstBytes(ForeignBytes.FEW / 2);
    }

    @Test
    @Tag("slow")
    void aMillionFirstBytes_arePassedOnAsTheyAre() {
        feedFirstBytes(ForeignBytes.MANY);
    }

    private static void feedFirstBytes(int inputs) {
        SplittableRandom cuts = new SplittableRandom(1);
        ForeignBytes.feed(
                inputs,
                _ -> CLIENT_HELLO,
                SpeaksTls.class,
                bytes -> {
                    int cut = cuts.nextInt(bytes.length + 1);
                    List<Boolean> answers = new ArrayList<>();
                    EmbeddedChannel channel =
                            new EmbeddedChannel(new FirstBytes((_, tls) -> answers.add(tls)));
                    channel.writeInbound(Unpooled.copiedBuffer(bytes, 0, cut));
                    channel.writeInbound(Unpooled.copiedBuffer(bytes, cut, bytes.length - cut));
                    boolean isTls =
                            bytes.length > 1 && bytes[0] >= 20 && bytes[0] <= 23 && bytes[1] == 3;
                    assertEquals(bytes.length > 1 ? List.of(isTls) : List.of(), answers);
                    assertEquals(bytes.length > 1 ? bytes.length : 0, passed(channel));
                    channel.finishAndReleaseAll();
                    if (isTls) {
                        throw new SpeaksTls();
                    }
                });
    }

    private static int passed(EmbeddedChannel channel) {
        int passed = 0;
        ByteBuf next = channel.readInbound();
        while (next != null) {
            passed += next.readableBytes();
            next.release();
            next = channel.readInbound();
        }
        return passed;
    }

    @Test
    void addresses_areReadOrRefused() {
        feedAddresses(ForeignBytes.FEW);
    }

    @Test
    @Tag("slow")
    void aMillionAddresses_areReadOrRefused() {
        feedAddresses(ForeignBytes.MANY);
    }

    private static void feedAddresses(int inputs) {
        String[] valid = {"unix:@muninn-7", "10.0.0.7:7000", "[fe80::1]:81", "host.example:1"};
        ForeignBytes.feed(
                inputs,
                random -> valid[random.nextInt(valid.length)].getBytes(StandardCharsets.UTF_8),
                IllegalArgumentException.class,
                bytes -> Address.parse(new String(bytes, StandardCharsets.UTF_8)));
    }

    @Test
    void filesOfCertificates_areReadOrRefused() throws Exception {
        feedFiles(FILES_FEW);
    }

    @Test
    @Tag("slow")
    void manyFilesOfCertificates_areReadOrRefused() throws Exception {
        feedFiles(FILES_MANY);
    }

    /** One of the three files is altered. */
    private static void feedFiles(int inputs) throws Exception {
        X509Bundle authority =
                new CertificateBuilder()
                        .subject("CN=the authority")
                        .setIsCertificateAuthority(true)
                        .buildSelfSigned();
        X509Bundle own =
                new CertificateBuilder()
                        .subject("CN=a node")
                        .addSanDnsName("localhost")
                        .buildIssuedBy(authority);
        byte[][] files = {
            own.getCertificatePathPEM().getBytes(StandardCharsets.US_ASCII),
            own.getPrivateKeyPEM().getBytes(StandardCharsets.US_ASCII),
            authority.getCertificatePathPEM().getBytes(StandardCharsets.US_ASCII)
        };
        int[] which = {0};
        ForeignBytes.feed(
                inputs,
                random -> {
                    which[0] = random.nextInt(files.length);
                    return files[which[0]];
                },
                IllegalArgumentException.class,
                bytes ->
                        Identity.read(
                                pem("cert.pem", which[0] == 0 ? bytes : files[0]),
                                pem("key.pem", which[0] == 1 ? bytes : files[1]),
                                Optional.of(pem("ca.pem", which[0] == 2 ? bytes : files[2]))));
    }

    private static Identity.Pem pem(String name, byte[] content) {
        return new Identity.Pem(name, content);
    }
}
