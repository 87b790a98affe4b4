package io.muninn.ipc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.api.Comparison;
import io.muninn.api.Mode;
import io.muninn.api.remote.WordCondition;
import io.muninn.api.remote.WordKind;
import io.muninn.api.spi.PageAdvice;
import io.muninn.model.BarrierId;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.ObjectId;
import io.muninn.model.PageId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Event;
import io.muninn.spi.PageLoads;
import io.muninn.spi.WaiterId;
import io.muninn.wire.ByteReader;
import io.muninn.wire.MalformedMessageException;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallCodecTest {
    private static final WaiterId WAITER = new WaiterId(MappingId.FIRST, 3);
    private static final LockId LOCK = new LockId("a lock");
    private static final ReadWriteLockId TABLE = new ReadWriteLockId("a t\u00e4ble");
    private static final ConditionId CONDITION = new ConditionId(LOCK, "a condition");
    private static final BarrierId BARRIER = new BarrierId("b\u00e4rrier");
    private static final ObjectId OBJECT = new ObjectId("queue");
    private static final NodeId NODE = NodeId.of(2);
    private static final PageId PAGE = new PageId(1, 70_000);
    private static final Bytes BYTES = new Bytes(new byte[] {1, 2, 3});

    private static final List<Event> CALLS =
            List.of(
                    new Event.AcquireCalled(WAITER, LOCK, -1),
                    new Event.AcquireCancelled(WAITER, LOCK),
                    new Event.ReleaseCalled(WAITER.mapping(), LOCK),
                    new Event.LocalAcquireCalled(WAITER, LOCK, MappingId.ALL),
                    new Event.LocalAcquireCalled(WAITER, LOCK, MappingId.of(3)),
                    new Event.ReleaseNoticed(),
                    new Event.PermissionCalled(WAITER, TABLE, true, 1_000),
                    new Event.PermissionCalled(WAITER, TABLE, false, -1),
                    new Event.PermissionCancelled(WAITER, TABLE),
                    new Event.LocalReadCalled(WAITER, TABLE),
                    new Event.WriteReleased(WAITER.mapping(), TABLE, true),
                    new Event.ReadersLeft(TABLE),
                    new Event.BarrierReached(WAITER, BARRIER, 4, 1_000, BYTES),
                    new Event.BarrierReached(WAITER, BARRIER, Event.ALL_PARTIES, -1),
                    new Event.GatherCalled(WAITER, BARRIER, 4),
                    new Event.WaitCalled(WAITER, CONDITION),
                    new Event.SignalAwaited(WAITER, CONDITION, 1_000),
                    new Event.SignalAwaitCancelled(WAITER),
                    new Event.SignalCalled(WAITER, CONDITION, true),
                    new Event.SendCalled(WAITER, NODE, 9, BYTES),
                    new Event.ReceiveCalled(WAITER, Event.ANY_NODE, 9, 1_000),
                    new Event.PrefetchCalled(MappingId.FIRST, PAGE, 5, Mode.WRITE),
                    new Event.Advised(PAGE, 5, new PageAdvice.GuardedBy("a lock")),
                    new Event.Advised(PAGE, 5, new PageAdvice.AddReader(2)),
                    new Event.RefreshCalled(WAITER),
                    new Event.Loaded(List.of()),
                    new Event.Loaded(
                            List.of(
                                    new PageLoads(PAGE, BitSet.valueOf(new long[] {5, -1}), true),
                                    new PageLoads(PAGE, BitSet.valueOf(new long[] {8}), false))),
                    new Event.Sealed(WAITER),
                    new Event.ObjectDeclared(OBJECT, NODE, 77, "a type"),
                    new Event.ShipCalled(WAITER, OBJECT, NODE, 77, BYTES),
                    new Event.PostCalled(WAITER, 6, OBJECT, NODE, 77, BYTES),
                    new Event.RemoteCalled(WAITER, NODE, BYTES),
                    new Event.RemotePosted(WAITER, 7, NODE, BYTES),
                    new Event.RemotePosted(WAITER, Event.NO_ANSWER, NODE, BYTES),
                    new Event.FenceCalled(WAITER),
                    new Event.RemoteAwaited(
                            WAITER,
                            NODE,
                            new WordCondition(WordKind.INT, 44, Comparison.LESS, -5),
                            1_000),
                    new Event.ReplyAwaited(WAITER),
                    new Event.ServeCalled(WAITER, OBJECT),
                    new Event.CallServed(OBJECT, BYTES));

    @Test
    void everyCall_isReadAsItWasWritten() {
        for (Event call : CALLS) {
            ByteReader in = new ByteReader(frame(call));

            assertEquals(call, CallCodec.read(in.u8(), WAITER, in));
            assertEquals(0, in.remaining(), call.toString());
        }
    }

    @Test
    void everyWait_isOneOfTheCalls() {
        assertEquals(
                Event.Waiting.class.getPermittedSubclasses().length,
                CALLS.stream()
                        .filter(call -> call instanceof Event.Waiting)
                        .map(Event::getClass)
                        .distinct()
                        .count());
    }

    @Test
    void numberOfNoCall_isMalformed() {
        ByteReader empty = new ByteReader(new byte[0]);

        assertThrows(MalformedMessageException.class, () -> CallCodec.read(99, WAITER, empty));
    }

    @Test
    void eventOfTheAgent_isNotWritten() {
        Event lost = new Event.PeerLost(NODE, "gone");

        assertThrows(IllegalArgumentException.class, () -> CallCodec.write(lost, new CallBuffer()));
    }

    private static byte[] frame(Event call) {
        CallBuffer buffer = new CallBuffer();
        CallCodec.write(call, buffer);
        buffer.received(buffer.written());
        return buffer.rest();
    }
}
