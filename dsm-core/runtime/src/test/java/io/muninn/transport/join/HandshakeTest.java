package io.muninn.transport.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.NodeId;
import io.muninn.transport.TestCluster;
import io.muninn.transport.TestNode;
import io.muninn.transport.net.Address;
import io.muninn.transport.stream.Control;
import io.muninn.transport.stream.Digest;
import org.junit.jupiter.api.Test;

/** Both ends prove the secret before they send anything else, the listening one first. */
class HandshakeTest {
    private final Address address = TestCluster.unixRoot();

    /** The listener receives nothing that depends on the secret, and no join. */
    @Test
    void listenerWithoutTheSecret_getsNoProofAndNoJoin() throws Exception {
        try (Speaker impostor = Speaker.listen(address);
                TestNode one = TestNode.start(1, 2, address, it -> it)) {
            Digest nonce = impostor.hear(Control.Hello.class).nonce();
            assertEquals(new Control.Claim(1, 0), impostor.hear());
            impostor.say(new Control.Challenge(Control.PROTOCOL_VERSION, nonce)); // its own
            impostor.say(new Control.Proof(Digest.random()));

            assertEquals(AcceptingHandshake.WRONG_SECRET, TestNode.await(one.refused));
            assertEquals(new Control.Refused(AcceptingHandshake.WRONG_SECRET), impostor.hear());
            assertEquals("closed its connection", TestNode.take(impostor.ends));
        }
    }

    /** A proof of another node on another connection is not valid here. */
    @Test
    void listenerThatPassesOnTheProofOfAnotherNode_isFoundOut() throws Exception {
        Address root = TestCluster.unixRoot();
        try (TestNode zero = TestNode.start(0, 3, root, it -> it);
                Speaker listening = Speaker.listen(address);
                TestNode two = TestNode.start(2, 3, address, it -> it)) {
            TestNode.await(zero.listening);
            Digest nonce = listening.hear(Control.Hello.class).nonce();
            listening.hear(Control.Claim.class);
            try (Speaker dialling = Speaker.dial(root)) { // as node 1, with the nonce of node 2
                dialling.say(
                        new Control.Hello(Control.PROTOCOL_VERSION, nonce),
                        new Control.Claim(1, 0));
                listening.say(dialling.hear(), dialling.hear());
            }

            assertEquals(AcceptingHandshake.WRONG_SECRET, TestNode.await(two.refused));
            assertTrue(zero.failures.isEmpty());
        }
    }

    @Test
    void nodeThatListensWhereAnotherShould_saysSoAndProvesNothing() throws Exception {
        try (TestNode root = TestNode.start(0, 3, address, it -> it)) {
            TestNode.await(root.listening);
            try (Speaker two = Speaker.dial(address)) {
                two.say(
                        new Control.Hello(Control.PROTOCOL_VERSION, Digest.random()),
                        new Control.Claim(2, 1));

                assertEquals(new Control.Refused("node 0 listens where node 1 should"), two.hear());
            }
        }
    }

    @Test
    void nodeThatJoinsAsAnotherThanItClaimedToBe_isTurnedAway() throws Exception {
        try (TestNode root = TestNode.start(0, 3, address, it -> it)) {
            TestNode.await(root.listening);
            try (Speaker speaker = Speaker.dial(address)) {
                speaker.proveTo(0, 1);
                speaker.say(new Control.Join(2, 3, 0, 5_000, 7, "", "unix:@x", ""));

                assertEquals("closed its connection", TestNode.take(speaker.ends));
                assertTrue(speaker.heard.isEmpty());
            }
        }
    }

    /** Before both proofs, only the next step of the handshake is accepted from either side. */
    @Test
    void anythingBeforeItsTurn_isTurnedAway() throws Exception {
        try (TestNode root = TestNode.start(0, 3, address, it -> it)) {
            TestNode.await(root.listening);
            Control hello = new Control.Hello(Control.PROTOCOL_VERSION, Digest.random());
            Control join = new Control.Join(1, 3, 0, 5_000, 7, "", "unix:@x", "");
            for (Control early : new Control[] {join, new Control.Lost(NodeId.of(1), "x"), hello}) {
                try (Speaker speaker = Speaker.dial(address)) {
                    speaker.say(hello, new Control.Claim(1, 0), early);

                    assertInstanceOf(Control.Challenge.class, speaker.hear());
                    assertInstanceOf(Control.Proof.class, speaker.hear());
                    assertEquals("closed its connection", TestNode.take(speaker.ends));
                }
            }
            assertTrue(root.failures.isEmpty() && root.losses.isEmpty());
        }
    }
}
