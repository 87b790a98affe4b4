package io.muninn.transport.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.transport.TestNames;
import io.muninn.transport.TestNode;
import io.muninn.transport.net.Address;
import io.muninn.transport.net.Sockets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The addresses on which nodes listen, and the look-up of a root that has a name. */
class AddressesTest {
    private static final UnaryOperator<ClusterConfig.Builder> DEFAULTS = it -> it;
    private static final UnaryOperator<ClusterConfig.Builder> HURRIED =
            it -> it.joinTimeout(Duration.ofMillis(300));

    private static TestNode root(int nodes, String listen) throws Exception {
        TestNode root =
                TestNode.start(0, nodes, new Address.Tcp("127.0.0.1", 0), it -> it.listen(listen));
        TestNode.await(root.listening);
        return root;
    }

    private static int port(TestNode node) throws Exception {
        return ((Address.Tcp) TestNode.await(node.listening)).port();
    }

    /** It is unknown at first, then has a useless address, then the root's. */
    @Test
    void nameOfTheRoot_isLookedUpForEveryAttempt() throws Exception {
        List<List<String>> answers =
                List.of(List.of(), List.of("127.0.0.3"), List.of("127.0.0.3", "127.0.0.2"));
        AtomicInteger asked = new AtomicInteger();
        TestNames.put(
                "later.muninn.test",
                () -> answers.get(Math.min(asked.getAndIncrement(), answers.size() - 1)));
        try (TestNode zero = root(2, "127.0.0.2");
                TestNode one =
                        TestNode.start(
                                1, 2, new Address.Tcp("later.muninn.test", port(zero)), DEFAULTS)) {
            TestNode.await(one.started);
            TestNode.await(zero.started);
            assertTrue(asked.get() >= answers.size(), asked::toString);
        }
    }

    @Test
    void nameThatNeverHasAnAddress_isNamedAtTheTimeout() throws Exception {
        TestNames.put("never.muninn.test", List::of);
        Address unknown = new Address.Tcp("never.muninn.test", 7000);
        try (TestNode zero = TestNode.start(0, 2, unknown, HURRIED);
                TestNode one = TestNode.start(1, 2, unknown, HURRIED)) {
            assertEquals(
                    "the root at never.muninn.test:7000 did not answer (host"
                            + " 'never.muninn.test' is unknown) within 300 ms",
                    TestNode.await(one.failed));
            assertEquals(
                    "host 'never.muninn.test', where it listens, was unknown within 300 ms",
                    TestNode.await(zero.failed));
        }
    }

    /** A name may have addresses of other machines, or of none. */
    @Test
    void root_listensOnTheFirstOfItsAddressesThatIsHere() throws Exception {
        TestNames.put("root.muninn.test", () -> List.of("192.0.2.1", "127.0.0.2"));
        try (TestNode zero =
                TestNode.start(0, 2, new Address.Tcp("root.muninn.test", 0), DEFAULTS)) {
            Address.Tcp listening = (Address.Tcp) TestNode.await(zero.listening);

            assertEquals("127.0.0.2", listening.host());
        }
    }

    @Test
    void rootWhoseAddressIsElsewhere_saysWhatWouldHelp() throws Exception {
        try (TestNode zero = TestNode.start(0, 2, new Address.Tcp("192.0.2.1", 7000), DEFAULTS)) {
            String text = TestNode.await(zero.failed);

            assertTrue(text.startsWith("node 0 cannot listen on 192.0.2.1:7000: "), text);
            assertTrue(text.endsWith("on which address of its machine a node listens"), text);
        }
    }

    @Test
    void root_listensOnTheAddressThatItIsReachedAtUnlessTold() throws Exception {
        try (TestNode zero = TestNode.start(0, 2, new Address.Tcp("127.0.0.2", 0), DEFAULTS)) {
            assertEquals("127.0.0.2", ((Address.Tcp) TestNode.await(zero.listening)).host());
        }
    }

    /** From loopback, this is loopback. */
    @Test
    void otherNode_listensOnTheAddressFromWhichItReachesTheRoot() throws Exception {
        int port;
        try (Speaker taken = Speaker.listen(new Address.Tcp("127.0.0.2", 0))) {
            port = ((Address.Tcp) Sockets.bound(taken.listening(), any("127.0.0.2"))).port();
            try (TestNode one =
                    TestNode.start(1, 2, new Address.Tcp("127.0.0.2", port), DEFAULTS)) {
                Address.Tcp announced = (Address.Tcp) Address.parse(taken.acceptJoin().address());

                assertEquals("127.0.0.1", announced.host());
                assertNotEquals(0, announced.port());
                try (Speaker other = Speaker.dial(announced)) {
                    other.proveTo(1, 0);
                }
                assertTrue(one.failures.isEmpty());
            }
        }
    }

    private static Address any(String host) {
        return new Address.Tcp(host, 0);
    }

    @Test
    void portOfAnyNode_canBeFixed() throws Exception {
        int fixed;
        try (Speaker free = Speaker.listen(any("127.0.0.1"))) {
            fixed = ((Address.Tcp) Sockets.bound(free.listening(), any("127.0.0.1"))).port();
        }
        try (Speaker root = Speaker.listen(any("127.0.0.1"));
                TestNode one =
                        TestNode.start(
                                1,
                                2,
                                Sockets.bound(root.listening(), any("127.0.0.1")),
                                it -> it.listen("127.0.0.2:" + fixed))) {
            assertEquals("127.0.0.2:" + fixed, root.acceptJoin().address());
            assertTrue(one.failures.isEmpty());
        }
    }
}
