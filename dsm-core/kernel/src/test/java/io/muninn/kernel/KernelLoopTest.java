package io.muninn.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.kernel.port.LockWords;
import io.muninn.kernel.port.Pages;
import io.muninn.kernel.port.PoolMemory;
import io.muninn.kernel.port.RemoteMemory;
import io.muninn.kernel.port.Timers;
import io.muninn.kernel.port.Traps;
import io.muninn.kernel.port.Waiters;
import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Cargo;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.PoolResult;
import io.muninn.spi.UpdateRules;
import io.muninn.spi.WaiterId;
import io.muninn.spi.WeakRules;
import io.muninn.sync.SyncMessage;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order in which a loop steps what traps have done, and results of effects. */
class KernelLoopTest {
    private static final PageId PAGE = new PageId(0, 1); // of the other node
    private static final RegionSpec REGION =
            new RegionSpec(
                    0,
                    "pages",
                    Protocol.WEAK,
                    0,
                    4L * RegionSpec.MACHINE_PAGE_BYTES,
                    Long.BYTES,
                    1,
                    List.of());

    private final List<Class<?>> stepped = new ArrayList<>();
    private final List<Effect> withdrawn = new ArrayList<>();
    private boolean isTaken; // the list, by the last event

    /**
     * A trap enters a page, another node publishes it, and this node takes the notice: the copy has
     * to go, although the trap is younger than the event.
     */
    @Test
    void entryOfATrap_isSteppedBeforeTheListThatFollowsIt() {
        KernelLoop loop = loop();
        loop.handle(new Event.RegionAdded(REGION));
        stepped.clear();

        loop.handle(
                new Event.AcquireCalled(new WaiterId(MappingId.FIRST, 0), new LockId("lock"), -1));
        loop.handle(
                new Event.MessageArrived(
                        NodeId.ROOT, new SyncMessage.LockGrant(new LockId("lock"), Cargo.NONE), 0));

        assertEquals(
                List.of(
                        Event.AcquireCalled.class,
                        Event.MessageArrived.class,
                        Event.PageEntered.class,
                        PoolResult.Listed.class),
                stepped);
        assertEquals(List.of(new Effect.Withdraw(MappingId.FIRST, PAGE, 1)), withdrawn);
    }

    private KernelLoop loop() {
        KernelConfig config =
                new KernelConfig(
                        NodeId.of(1),
                        2,
                        1,
                        0,
                        0,
                        UpdateRules.DEFAULT.withWeak(WeakRules.DEFAULT.pooled()));
        EffectPerformer.Ports ports =
                new EffectPerformer.Ports(
                        (_, _) -> 0,
                        port(Pages.class),
                        port(LockWords.class),
                        port(Waiters.class),
                        port(Timers.class),
                        (_, _) -> {},
                        _ -> {},
                        RemoteMemory.NONE,
                        pool());
        return new KernelLoop(
                new NodeKernel(config), ports, traps(), () -> 0, new PageStatistics(), observer());
    }

    /** Its list has one notice. */
    private PoolMemory pool() {
        return (PoolMemory)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {PoolMemory.class},
                        (_, method, _) -> {
                            assertEquals("takeList", method.getName());
                            isTaken = true;
                            return List.of(PAGE);
                        });
    }

    @SuppressWarnings("unchecked") // the proxy implements it
    private static <P> P port(Class<P> type) {
        return (P)
                Proxy.newProxyInstance(
                        type.getClassLoader(), new Class<?>[] {type}, (_, _, _) -> null);
    }

    /** A trap enters the page between the event and the taking of the list. */
    private Traps traps() {
        return new Traps() {
            @Override
            public void beforeStep(Event event, Listener listener) {}

            @Override
            public void report(Listener listener) {
                if (isTaken) {
                    isTaken = false;
                    listener.entered(MappingId.FIRST, PAGE, false);
                }
            }

            @Override
            public void afterStep(Listener listener) {
                report(listener);
            }
        };
    }

    private KernelLoop.Observer observer() {
        return new KernelLoop.Observer() {
            @Override
            public void stepped(Event event, List<Effect> effects) {
                stepped.add(
                        event instanceof Event.PoolDone(_, PoolResult result, _)
                                ? result.getClass()
                                : event.getClass());
                effects.stream()
                        .filter(effect -> effect instanceof Effect.Withdraw)
                        .forEach(withdrawn::add);
            }

            @Override
            public void failed(Event outside, Throwable cause) {
                throw new AssertionError("fails at " + outside, cause);
            }
        };
    }
}
