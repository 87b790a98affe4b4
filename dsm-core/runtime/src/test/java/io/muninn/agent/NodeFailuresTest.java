package io.muninn.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.api.spi.VariableSpec;
import io.muninn.coherence.invalidate.Conventional;
import io.muninn.coherence.writeshared.WriteSharedMessages;
import io.muninn.kernel.EffectPerformer;
import io.muninn.kernel.KernelConfig;
import io.muninn.kernel.KernelLoop;
import io.muninn.kernel.NodeKernel;
import io.muninn.kernel.PageStatistics;
import io.muninn.kernel.port.LockWords;
import io.muninn.kernel.port.Pages;
import io.muninn.kernel.port.PoolMemory;
import io.muninn.kernel.port.RunControl;
import io.muninn.kernel.port.Timers;
import io.muninn.kernel.port.Transport;
import io.muninn.kernel.port.Traps;
import io.muninn.kernel.port.Waiters;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.nativefault.BrokenMemoryException;
import io.muninn.spi.Event;
import io.muninn.spi.UpdateRules;
import io.muninn.wire.WireMessage;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The attribution of a failure of the loop. */
class NodeFailuresTest {
    private static final NodeId SELF = NodeId.of(0);
    private static final NodeId OTHER = NodeId.of(1);
    private static final PageId PAGE = new PageId(0, 1);

    private final List<String> failures = new ArrayList<>();
    private final KernelLoop loop =
            new KernelLoop(
                    new NodeKernel(new KernelConfig(SELF, 2, 1, 0, 1_000_000, UpdateRules.PLAIN)),
                    new EffectPerformer.Ports(
                            port(Transport.class),
                            port(Pages.class),
                            PoolMemory.NONE,
                            port(LockWords.class),
                            port(Waiters.class),
                            port(Timers.class),
                            (_, _) -> {},
                            port(RunControl.class)),
                    Traps.NONE,
                    System::nanoTime,
                    new PageStatistics(),
                    new NodeFailures(new Failures()));

    private final class Failures implements NodeFailures.Owner {
        @Override
        public void onHalt(String description) {
            failures.add("halt: " + description.lines().findFirst().orElseThrow());
        }

        @Override
        public void onMalformed(NodeId from, String text) {
            failures.add("node " + from + " " + text);
        }

        @Override
        public void onBrokenMemory(BrokenMemoryException broken) {
            failures.add(String.valueOf(broken.getMessage()));
        }
    }

    private static <T> T port(Class<T> type) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (_, method, _) -> {
                            throw new AssertionError("nothing is performed: " + method);
                        }));
    }

    private void arrives(WireMessage message) {
        loop.handle(new Event.MessageArrived(OTHER, message, 0));
    }

    NodeFailuresTest() {
        loop.handle(
                new Event.RegionAdded(
                        new RegionSpec(
                                0,
                                "grid",
                                Protocol.CONVENTIONAL,
                                0,
                                4 * 4096,
                                8,
                                1,
                                List.of(new VariableSpec("grid", "double[9]", 0, 72)))));
    }

    @Test
    void messageOfAnotherProtocol_isItsSendersFailure() {
        arrives(new WriteSharedMessages.FetchRequest(PAGE, OTHER, 0));

        assertEquals(
                List.of(
                        "node 1 sent a malformed message: fetch-request: fetch-request is about"
                                + " pages of another protocol"),
                failures);
    }

    @Test
    void messageThatMayNotComeNow_isAViolation() {
        arrives(new Conventional.InvalidateAck(PAGE, 3));

        assertEquals(1, failures.size());
        assertTrue(failures.getFirst().startsWith("halt: violation: page=0/1"), failures::toString);
    }

    @Test
    void eventsAfterAFailure_areNotHandled() {
        arrives(new WriteSharedMessages.FetchRequest(PAGE, OTHER, 0));
        arrives(new Conventional.InvalidateAck(PAGE, 3));

        assertEquals(1, failures.size());
    }
}
