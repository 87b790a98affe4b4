package io.muninn.ipc;

import io.muninn.api.Mode;
import io.muninn.api.remote.WordCondition;
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
import io.muninn.sync.RemoteMessage;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.WireReader;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The frames of {@link Call} that are events of the kernel. The waiter and the process are not part
 * of a frame: the connection identifies them.
 */
public final class CallCodec {
    private CallCodec() {}

    /**
     * Writes the frame of an event. The frame of {@link Event.CallServed} also calls for the next
     * request, as {@link Event.ServeCalled} does.
     *
     * @throws IllegalArgumentException if no application sends such an event
     */
    public static void write(Event event, CallBuffer out) {
        switch (event) {
            case Event.AcquireCalled(_, LockId lock, long limitNanos) ->
                    out.start(Call.ACQUIRE).text(lock.name()).i64(limitNanos);
            case Event.ReleaseCalled(_, LockId lock) -> out.start(Call.RELEASE).text(lock.name());
            case Event.LocalAcquireCalled(_, LockId lock, var releaser) ->
                    out.start(Call.LOCAL_ACQUIRE).text(lock.name()).u32(releaser.index());
            case Event.ReleaseNoticed() -> out.start(Call.RELEASE_NOTICE);
            case Event.BarrierReached(
                            _,
                            BarrierId barrier,
                            int parties,
                            long limitNanos,
                            Bytes to) ->
                    bytes(
                            out.start(Call.BARRIER)
                                    .text(barrier.name())
                                    .u32(parties)
                                    .i64(limitNanos),
                            to);
            case Event.GatherCalled(_, BarrierId barrier, int parties) ->
                    out.start(Call.GATHER).text(barrier.name()).u32(parties);
            case Event.Shipping about -> writeShipping(about, out);
            case Event.Permitting about -> writePermitting(about, out);
            case Event.Remoting about -> writeRemoting(about, out);
            default -> writeOther(event, out);
        }
    }

    private static void writeShipping(Event.Shipping event, CallBuffer out) {
        switch (event) {
            case Event.ObjectDeclared(
                            ObjectId object,
                            NodeId node,
                            long fingerprint,
                            String text) ->
                    object(out.start(Call.DECLARE), object, node, fingerprint).text(text);
            case Event.ShipCalled(_, ObjectId object, NodeId to, long fingerprint, Bytes request) ->
                    bytes(object(out.start(Call.SHIP), object, to, fingerprint), request);
            case Event.PostCalled call ->
                    bytes(
                            object(
                                    out.start(Call.POST).i64(call.number()),
                                    call.object(),
                                    call.to(),
                                    call.fingerprint()),
                            call.request());
            case Event.ReplyAwaited _ -> out.start(Call.COMPLETIONS);
            case Event.ServeCalled(_, ObjectId object) ->
                    out.start(Call.SERVE).text(object.name()).u8(0);
            case Event.CallServed(ObjectId object, Bytes reply) ->
                    bytes(out.start(Call.SERVE).text(object.name()).u8(1), reply);
        }
    }

    private static void writePermitting(Event.Permitting event, CallBuffer out) {
        String lock = event.lock().name();
        switch (event) {
            case Event.PermissionCalled(_, _, boolean toWrite, long limitNanos) ->
                    out.start(Call.PERMISSION).text(lock).u8(toWrite ? 1 : 0).i64(limitNanos);
            case Event.PermissionCancelled _ -> out.start(Call.CANCEL_PERMISSION).text(lock);
            case Event.LocalReadCalled _ -> out.start(Call.LOCAL_READ).text(lock);
            case Event.WriteReleased(_, _, boolean keepsReading) ->
                    out.start(Call.RELEASE_WRITE).text(lock).u8(keepsReading ? 1 : 0);
            case Event.ReadersLeft _ -> out.start(Call.READERS_LEFT).text(lock);
            case Event.ReadersClosed _ ->
                    throw new IllegalArgumentException("no application sends " + event);
        }
    }

    private static void writeRemoting(Event.Remoting event, CallBuffer out) {
        switch (event) {
            case Event.RemoteCalled(_, NodeId to, Bytes operations) ->
                    bytes(out.start(Call.REMOTE).u32(to.index()), operations);
            case Event.RemotePosted(_, long number, NodeId to, Bytes operations) ->
                    bytes(out.start(Call.REMOTE_POST).i64(number).u32(to.index()), operations);
            case Event.FenceCalled _ -> out.start(Call.REMOTE_FENCE);
            case Event.RemoteAwaited(_, NodeId to, WordCondition condition, long limitNanos) ->
                    out.start(Call.REMOTE_WAIT)
                            .u32(to.index())
                            .u8(condition.kind().code())
                            .i64(condition.offset())
                            .u8(condition.comparison().code())
                            .i64(condition.value())
                            .i64(limitNanos);
            case Event.RemotePerformed _, Event.ConditionTested _ ->
                    throw new IllegalArgumentException("no application sends " + event);
        }
    }

    private static void writeOther(Event event, CallBuffer out) {
        switch (event) {
            case Event.AcquireCancelled(_, LockId lock) -> out.start(Call.CANCEL).text(lock.name());
            case Event.WaitCalled(_, ConditionId condition) ->
                    condition(out.start(Call.WAIT), condition);
            case Event.SignalAwaited(_, ConditionId condition, long limitNanos) ->
                    condition(out.start(Call.AWAIT_SIGNAL), condition).i64(limitNanos);
            case Event.SignalAwaitCancelled _ -> out.start(Call.CANCEL_SIGNAL);
            case Event.SignalCalled(_, ConditionId condition, boolean all) ->
                    condition(out.start(Call.SIGNAL), condition).u8(all ? 1 : 0);
            case Event.SendCalled(_, NodeId to, int tag, Bytes body) ->
                    bytes(out.start(Call.SEND).u32(to.index()).u32(tag), body);
            case Event.ReceiveCalled(_, int from, int tag, long limitNanos) ->
                    out.start(Call.RECEIVE).u32(from).u32(tag).i64(limitNanos);
            case Event.PrefetchCalled(_, PageId first, int count, Mode mode) ->
                    pages(out.start(Call.PREFETCH), first, count).u8(mode == Mode.WRITE ? 1 : 0);
            case Event.Advised(PageId first, int count, var advice) ->
                    pages(out.start(Call.ADVISE), first, count)
                            .u8(AdviceCode.kind(advice))
                            .u32(AdviceCode.node(advice))
                            .text(AdviceCode.lock(advice));
            case Event.RefreshCalled _ -> out.start(Call.REFRESH);
            case Event.Loaded(var loads) -> {
                out.start(Call.LOADED);
                loads.forEach(each -> loads(out, each));
            }
            case Event.Sealed _ -> out.start(Call.SEALED);
            default -> throw new IllegalArgumentException("no application sends " + event);
        }
    }

    /**
     * Reads the fields of a frame that {@link #write} has written.
     *
     * @param caller the thread whose connection it is
     * @throws MalformedMessageException if there is no such call, or if its fields are cut off
     * @throws IllegalArgumentException if an identifier rejects a field
     */
    public static Event read(int call, WaiterId caller, WireReader in) {
        return switch (call) {
            case Call.ACQUIRE -> new Event.AcquireCalled(caller, lock(in), in.i64());
            case Call.CANCEL -> new Event.AcquireCancelled(caller, lock(in));
            case Call.RELEASE -> new Event.ReleaseCalled(caller.mapping(), lock(in));
            case Call.LOCAL_ACQUIRE ->
                    new Event.LocalAcquireCalled(caller, lock(in), process(in.u32()));
            case Call.RELEASE_NOTICE -> new Event.ReleaseNoticed();
            case Call.BARRIER ->
                    new Event.BarrierReached(caller, barrier(in), in.u32(), in.i64(), rest(in));
            case Call.GATHER -> new Event.GatherCalled(caller, barrier(in), in.u32());
            case Call.WAIT -> new Event.WaitCalled(caller, condition(in));
            case Call.AWAIT_SIGNAL -> new Event.SignalAwaited(caller, condition(in), in.i64());
            case Call.CANCEL_SIGNAL -> new Event.SignalAwaitCancelled(caller);
            case Call.SIGNAL -> new Event.SignalCalled(caller, condition(in), in.flag());
            case Call.SEND -> new Event.SendCalled(caller, node(in), in.u32(), rest(in));
            case Call.RECEIVE -> new Event.ReceiveCalled(caller, in.u32(), in.u32(), in.i64());
            case Call.PREFETCH ->
                    new Event.PrefetchCalled(
                            caller.mapping(),
                            page(in),
                            in.u32(),
                            in.flag() ? Mode.WRITE : Mode.READ);
            case Call.ADVISE ->
                    new Event.Advised(
                            page(in), in.u32(), AdviceCode.of(in.u8(), in.u32(), text(in)));
            case Call.REFRESH -> new Event.RefreshCalled(caller);
            case Call.LOADED -> new Event.Loaded(loads(in));
            case Call.SEALED -> new Event.Sealed(caller);
            case Call.DECLARE -> new Event.ObjectDeclared(object(in), node(in), in.i64(), text(in));
            case Call.SHIP ->
                    new Event.ShipCalled(caller, object(in), node(in), in.i64(), rest(in));
            case Call.POST ->
                    new Event.PostCalled(
                            caller, in.i64(), object(in), node(in), in.i64(), rest(in));
            case Call.COMPLETIONS -> new Event.ReplyAwaited(caller);
            case Call.SERVE -> {
                ObjectId object = object(in);
                yield in.flag()
                        ? new Event.CallServed(object, rest(in))
                        : new Event.ServeCalled(caller, object);
            }
            case Call.REMOTE -> new Event.RemoteCalled(caller, node(in), rest(in));
            case Call.REMOTE_POST -> new Event.RemotePosted(caller, in.i64(), node(in), rest(in));
            case Call.REMOTE_FENCE -> new Event.FenceCalled(caller);
            case Call.REMOTE_WAIT ->
                    new Event.RemoteAwaited(
                            caller, node(in), RemoteMessage.readCondition(in), in.i64());
            default -> readPermitting(call, caller, in);
        };
    }

    private static Event.Permitting readPermitting(int call, WaiterId caller, WireReader in) {
        return switch (call) {
            case Call.PERMISSION ->
                    new Event.PermissionCalled(caller, readWriteLock(in), in.flag(), in.i64());
            case Call.CANCEL_PERMISSION -> new Event.PermissionCancelled(caller, readWriteLock(in));
            case Call.LOCAL_READ -> new Event.LocalReadCalled(caller, readWriteLock(in));
            case Call.RELEASE_WRITE ->
                    new Event.WriteReleased(caller.mapping(), readWriteLock(in), in.flag());
            case Call.READERS_LEFT -> new Event.ReadersLeft(readWriteLock(in));
            default -> throw new MalformedMessageException("no such call");
        };
    }

    private static ReadWriteLockId readWriteLock(WireReader in) {
        return new ReadWriteLockId(text(in));
    }

    private static CallBuffer bytes(CallBuffer out, Bytes bytes) {
        return out.bytes(MemorySegment.ofArray(bytes.array()));
    }

    private static Bytes rest(WireReader in) {
        return new Bytes(in.bytes(in.remaining()));
    }

    private static CallBuffer condition(CallBuffer out, ConditionId condition) {
        return out.text(condition.lock().name()).text(condition.name());
    }

    private static ConditionId condition(WireReader in) {
        return new ConditionId(lock(in), text(in));
    }

    private static CallBuffer pages(CallBuffer out, PageId first, int count) {
        return out.u32(first.region()).u32(first.index()).u32(count);
    }

    /** Reads a page; it may not exist. */
    public static PageId page(WireReader in) {
        return new PageId(in.u32(), in.u32());
    }

    private static void loads(CallBuffer out, PageLoads loads) {
        long[] words = loads.granules().toLongArray();
        out.u32(loads.page().region()).u32(loads.page().index());
        out.u8(loads.isCertain() ? 1 : 0).u32(words.length);
        for (long word : words) {
            out.i64(word);
        }
    }

    private static List<PageLoads> loads(WireReader in) {
        List<PageLoads> all = new ArrayList<>();
        while (in.remaining() > 0) {
            PageId page = page(in);
            boolean isCertain = in.flag();
            int count = in.u32();
            if (count < 0 || count > in.remaining() / Long.BYTES) {
                throw new MalformedMessageException(count + " words of loads");
            }
            long[] words = new long[count];
            for (int i = 0; i < count; i++) {
                words[i] = in.i64();
            }
            all.add(new PageLoads(page, BitSet.valueOf(words), isCertain));
        }
        return all;
    }

    private static CallBuffer object(
            CallBuffer out, ObjectId object, NodeId node, long fingerprint) {
        return out.text(object.name()).u32(node.index()).i64(fingerprint);
    }

    private static ObjectId object(WireReader in) {
        return new ObjectId(text(in));
    }

    private static LockId lock(WireReader in) {
        return new LockId(text(in));
    }

    private static MappingId process(int index) {
        if (index >= MappingId.PROCESSES_MAX) {
            throw new MalformedMessageException("process " + index);
        }
        return index < 0 ? MappingId.ALL : MappingId.of(index);
    }

    private static BarrierId barrier(WireReader in) {
        return new BarrierId(text(in));
    }

    private static NodeId node(WireReader in) {
        return NodeId.of(in.u32());
    }

    /** Reads a text in the format of {@link Call}. */
    public static String text(WireReader in) {
        return new String(in.sized(), StandardCharsets.UTF_8);
    }
}
