package io.muninn.transport.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.NodeId;
import io.muninn.transport.TestCluster;
import io.muninn.transport.TestNode;
import io.muninn.transport.net.Address;
import io.muninn.transport.stream.Control;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The cells of the tables of {@link Joining} that correct nodes do not reach. */
class JoiningTest {
    private static final Duration LIMIT = Duration.ofMillis(300);
    private static final UnaryOperator<ClusterConfig.Builder> IMPATIENT =
            it -> it.heartbeatLimit(LIMIT);
    private static final Control.Start START = new Control.Start();
    private static final Control.Welcome WELCOME = new Control.Welcome(NodeId.ROOT);

    private final Address address = TestCluster.unixRoot();
    private TestNode node; // the one that is tested

    @AfterEach
    void close() {
        assertTrue(node.failures.isEmpty(), () -> node.failures.toString());
        node.close();
    }

    /** All nodes have an agent each. */
    private static Control.Roster roster(int number, String... addresses) {
        List<Control.Roster.Place> places = new ArrayList<>();
        for (String address : addresses) {
            places.add(new Control.Roster.Place(address, places.size()));
        }
        return new Control.Roster(number, places);
    }

    private static Control.Join join(int self, int nodes, long incarnation) {
        return new Control.Join(self, nodes, self, 5_000, incarnation, "", "unix:@x", "");
    }

    private static Control.Join impatientJoin(int self, int nodes) {
        long millis = LIMIT.toMillis();
        return new Control.Join(self, nodes, self, millis, 7, "", "unix:@x", "");
    }

    private Speaker joined(int self, Control.Join join) throws Exception {
        Speaker speaker = Speaker.dial(address);
        speaker.proveTo(0, self);
        speaker.say(join);
        speaker.hear(Control.Welcome.class);
        return speaker;
    }

    private void startRoot(int nodes, UnaryOperator<ClusterConfig.Builder> options)
            throws Exception {
        node = TestNode.start(0, nodes, address, options);
        TestNode.await(node.listening);
    }

    // --- welcomes that come late -----------------------------------------------------------------

    /** A handshake may take longer than its time: the next attempt has twice as much. */
    @Test
    void nodeWhoseWelcomeIsLate_dialsAgainAndStarts() throws Exception {
        try (Speaker root = Speaker.listen(address)) {
            node = TestNode.start(1, 2, address, it -> it.handshakeTimeout(LIMIT));
            // its welcome arrives when no attempt waits for it
            Control.Join first = root.acceptJoin();
            assertEquals("closed its connection", TestNode.take(root.ends));
            Control.Join second = root.acceptJoin();
            assertEquals(first.incarnation(), second.incarnation());

            root.say(WELCOME, roster(1, "", second.address()));

            assertEquals(new Control.Ready(1), root.hear());
            root.say(START);
            TestNode.await(node.started);
            assertTrue(node.losses.isEmpty());
        }
    }

    /** The root's side of the same: the node was the last, so the roster was in transit, too. */
    @Test
    void rootWhoseWelcomeWasLate_awaitsTheNodeAgain() throws Exception {
        startRoot(2, it -> it);
        try (Speaker first = joined(1, join(1, 2, 7))) {
            assertEquals(1, first.hear(Control.Roster.class).number());
            first.hangUp();

            try (Speaker second = joined(1, join(1, 2, 7))) {
                assertEquals(2, second.hear(Control.Roster.class).number());
                second.say(new Control.Ready(1)); // has crossed the second
                second.say(new Control.Ready(2));

                assertEquals(START, second.hear());
                TestNode.await(node.started);
                assertTrue(node.losses.isEmpty());
            }
        }
    }

    @Test
    void secondConnectionOfTheSameProcess_takesThePlaceOfTheFirst() throws Exception {
        startRoot(3, it -> it);
        try (Speaker first = joined(1, join(1, 3, 7));
                Speaker second = joined(1, join(1, 3, 7));
                Speaker two = joined(2, join(2, 3, 8))) {
            assertEquals("closed its connection", TestNode.take(first.ends));
            assertInstanceOf(Control.Roster.class, second.hear());
            assertInstanceOf(Control.Roster.class, two.hear());
            assertTrue(node.losses.isEmpty());
        }
    }

    @Test
    void otherProcessOfTheSameId_isRefusedByTheRoot() throws Exception {
        startRoot(3, it -> it);
        try (Speaker first = joined(1, join(1, 3, 7));
                Speaker second = Speaker.dial(address)) {
            second.proveTo(0, 1);
            second.say(join(1, 3, 8));

            assertEquals(new Control.Refused("node 1 has joined already"), second.hear());
            assertTrue(first.ends.isEmpty());
        }
    }

    @Test
    void secondJoinOnOneConnection_losesTheNode() throws Exception {
        startRoot(3, it -> it);
        try (Speaker one = joined(1, join(1, 3, 7))) {
            one.say(join(1, 3, 7));

            TestNode.Loss loss = TestNode.take(node.losses);
            assertEquals(new TestNode.Loss(NodeId.of(1), "sent out of turn: join"), loss);
        }
    }

    // --- nodes that stop -------------------------------------------------------------------------

    @Test
    void nodeThatHasJoinedAndStops_isLostWithinTheLimit() throws Exception {
        startRoot(3, IMPATIENT);
        try (Speaker one = joined(1, impatientJoin(1, 3))) {
            TestNode.Loss loss = TestNode.take(node.losses);

            assertEquals(new TestNode.Loss(NodeId.of(1), "silent for 300 ms"), loss);
            assertInstanceOf(Control.Lost.class, one.hear());
        }
    }

    /** It has proved the secret, and its join does not arrive. */
    @Test
    void nodeThatStopsWhileItJoins_isLostWithinTheLimit() throws Exception {
        startRoot(2, IMPATIENT);
        try (Speaker one = Speaker.dial(address)) {
            one.proveTo(0, 1);

            TestNode.Loss loss = TestNode.take(node.losses);
            assertEquals(NodeId.of(1), loss.node());
            assertEquals("silent for 300 ms while it joined", loss.reason());
            assertEquals("closed its connection", TestNode.take(one.ends));
        }
    }

    @Test
    void rootThatDoesNotComeBack_isLostWithinTheLimit() throws Exception {
        try (Speaker root = Speaker.listen(address)) {
            node = TestNode.start(1, 2, address, IMPATIENT);
            root.acceptJoin();
            root.say(WELCOME);
            root.vanish();

            TestNode.Loss loss = TestNode.take(node.losses);
            assertEquals(NodeId.ROOT, loss.node());
            assertTrue(loss.reason().startsWith("closed its connection"), loss.reason());
        }
    }

    @Test
    void rootThatIsBack_isJoinedAgain() throws Exception {
        try (Speaker root = Speaker.listen(address)) {
            node = TestNode.start(1, 2, address, it -> it);
            root.acceptJoin();
            root.say(WELCOME);
            root.hangUp();
            Control.Join again = root.acceptJoin();
            root.say(WELCOME, roster(1, "", again.address()));

            assertEquals(new Control.Ready(1), root.hear());
            assertTrue(node.losses.isEmpty());
        }
    }

    @Test
    void rootThatLeavesBeforeTheStart_isLost() throws Exception {
        try (Speaker root = Speaker.listen(address)) {
            node = TestNode.start(1, 2, address, it -> it);
            root.acceptJoin();
            root.say(WELCOME, new Control.Leave("closed"));

            TestNode.Loss loss = TestNode.take(node.losses);
            assertEquals("left before the run had started: closed", loss.reason());
        }
    }

    // --- connections between other nodes ---------------------------------------------------------

    /** Node 1 of three, which is ready; the test acts as node 2. */
    private Speaker readyWithTwo(Speaker root) throws Exception {
        node = TestNode.start(1, 3, address, it -> it);
        Address own = Address.parse(root.acceptJoin().address());
        root.say(WELCOME, roster(1, "", own.toString(), "unix:@x"));
        Speaker two = dialled(own, 7);
        assertEquals(new Control.Ready(1), root.hear());
        return two;
    }

    private static Speaker dialled(Address one, long incarnation) throws Exception {
        Speaker two = Speaker.dial(one);
        two.proveTo(1, 2);
        two.say(join(2, 3, incarnation));
        two.hear(Control.Welcome.class);
        return two;
    }

    /** Node 2 has given up an attempt that node 1 has accepted: the next one replaces it. */
    @Test
    void readyNodeThatLosesAConnection_startsWhenItIsBack() throws Exception {
        try (Speaker root = Speaker.listen(address);
                Speaker two = readyWithTwo(root)) {
            two.hangUp();

            try (Speaker again = dialled(node.address(), 7)) {
                root.say(START);
                TestNode.await(node.started);
                assertTrue(again.ends.isEmpty() && node.losses.isEmpty());
            }
        }
    }

    /** Its message may reach the root after that of the node which it had awaited. */
    @Test
    void nodeThatIsReadyAgain_mayTellAStartedRoot() throws Exception {
        startRoot(3, it -> it);
        try (Speaker one = joined(1, join(1, 3, 7));
                Speaker two = joined(2, join(2, 3, 8))) {
            one.hear(Control.Roster.class);
            one.say(new Control.Ready(1));
            two.hear(Control.Roster.class);
            two.say(new Control.Ready(1));
            assertEquals(START, one.hear());

            one.say(new Control.Ready(1), new Control.Lost(NodeId.of(2), "gone"));

            assertEquals(new TestNode.Loss(NodeId.of(2), "gone"), TestNode.take(node.losses));
        }
    }

    @Test
    void startWhileAConnectionIsMissing_losesItsNode() throws Exception {
        try (Speaker root = Speaker.listen(address);
                Speaker two = readyWithTwo(root)) {
            String own = node.address().toString();
            root.say(roster(2, "", own, "unix:@y"), START);

            TestNode.Loss loss = TestNode.take(node.losses);
            assertEquals(NodeId.of(2), loss.node());
            assertEquals("closed its connection", TestNode.take(two.ends));
            assertFalse(node.started.isDone());
        }
    }

    /** A restarted node arrives with another roster; until then it is not refused. */
    @Test
    void otherProcessOfAnId_takesThePlaceWhenTheOlderIsGone() throws Exception {
        try (Speaker root = Speaker.listen(address);
                Speaker two = readyWithTwo(root)) {
            Address own = node.address();
            try (Speaker early = Speaker.dial(own)) {
                early.proveTo(1, 2);
                early.say(join(2, 3, 8));
                assertEquals("closed its connection", TestNode.take(early.ends));
                assertTrue(early.heard.isEmpty());
            }
            root.say(roster(2, "", own.toString(), "unix:@y"));
            assertEquals("closed its connection", TestNode.take(two.ends));
            try (Speaker late = Speaker.dial(own)) {
                late.proveTo(1, 2);
                late.say(new Control.Join(2, 3, 0, 5_000, 8, "", "unix:@y", ""));

                late.hear(Control.Welcome.class);
                assertEquals(new Control.Ready(2), root.hear());
            }
        }
    }

    /** Its agent has answered the application by then, and must not answer again. */
    @Test
    void lossBeforeTheStart_isFollowedByNothing() throws Exception {
        try (Speaker root = Speaker.listen(address);
                Speaker two = readyWithTwo(root)) {
            root.say(
                    new Control.Lost(NodeId.of(2), "gone"),
                    START,
                    new Control.Refused("node 0: node 2 did not join"));

            assertEquals(new TestNode.Loss(NodeId.of(2), "gone"), TestNode.take(node.losses));
            assertEquals("closed its connection", TestNode.take(two.ends));
            node.call(() -> true); // all messages sent together have been received
            assertFalse(node.started.isDone());
            assertFalse(node.refused.isDone());
        }
    }

    // --- time ------------------------------------------------------------------------------------

    /**
     * The join timeout runs from the last node that has joined. Even a short one does not report
     * one second twice.
     */
    @Test
    void everyNodeThatJoins_givesTheOthersTime() throws Exception {
        Duration timeout = Duration.ofMillis(1_200);
        startRoot(3, it -> it.joinTimeout(timeout));
        assertEquals(
                "1 of 3 nodes have joined after 1 s; awaiting nodes 1, 2",
                TestNode.take(node.progress));
        String last;
        long askedNanos = System.nanoTime(); // the node joins after that
        try (Speaker one = joined(1, join(1, 3, 7))) {
            String text = TestNode.await(node.failed);

            assertTrue(System.nanoTime() - askedNanos >= timeout.toNanos());
            assertTrue(text.startsWith("node 2 did not join"), text);
            assertEquals(new Control.Refused("node 0: " + text), one.hear());
            last = node.progress.stream().reduce((_, next) -> next).orElseThrow();
        }
        assertEquals("2 of 3 nodes have joined after 2 s; awaiting node 2", last);
        assertEquals(1, node.progress.size());
    }

    @Test
    void limitsOfMoreNodes_areLongerWhileTheyJoin() {
        Duration limit = Duration.ofSeconds(5);

        for (int nodes : List.of(2, 7, 8, 64)) {
            ClusterConfig config =
                    ClusterConfig.builder(NodeId.ROOT, nodes, address, TestNode.SECRET).build();
            assertEquals(limit.multipliedBy(1 + nodes / 8), config.joiningLimit());
            assertEquals(config.joiningLimit(), config.handshakeTimeout());
        }
        node = TestNode.start(0, 1, address, it -> it);
    }
}
