package io.muninn.agent.calls;

import io.muninn.ForeignBytes;
import io.muninn.agent.LiveTracer;
import io.muninn.api.Protocol;
import io.muninn.api.spi.Layout;
import io.muninn.api.spi.RegionSpec;
import io.muninn.api.spi.VariableSpec;
import io.muninn.ipc.Call;
import io.muninn.ipc.CallCodec;
import io.muninn.ipc.ControlMemory;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.model.PageId;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.WireReader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Frames of a thread that has presented the token, with bytes that no thread sends: they become
 * events or are malformed, without other effects.
 */
class ForeignCallsTest {
    private static final int NODES = 4;

    private final ControlMemory control =
            new ControlMemory(Arena.ofAuto().allocate(ControlMemory.BYTES, 64));
    private final Regions regions = new Regions();
    private final SplittableRandom any = new SplittableRandom(5);
    private CallRouter router = router();

    private CallRouter router() {
        return new CallRouter(
                new NodeThreads(1, 1),
                _ -> {},
                new LiveLockWords(control, 1),
                new LiveTracer(control),
                regions,
                NODES,
                CallRouter.Listener.NONE);
    }

    @Test
    void calls_areEventsOrMalformed() {
        feed(ForeignBytes.FEW);
    }

    @Test
    @Tag("slow")
    void aMillionCalls_areEventsOrMalformed() {
        feed(ForeignBytes.MANY);
    }

    private void feed(int inputs) {
        ForeignBytes.feed(
                inputs, this::valid, MalformedMessageException.class, bytes -> handle(bytes));
    }

    private void handle(byte[] frame) {
        router = router(); // no thread waits
        EmbeddedChannel socket = new EmbeddedChannel();
        CallConnection caller = new CallConnection(socket, 0);
        CallServer.Calls calls =
                new CallServer.Calls() {
                    @Override
                    public void onCall(CallConnection from, int call, WireReader body) {
                        if (!router.onCall(from, call, body)) {
                            callOfTheAgent(call, body);
                        }
                    }

                    @Override
                    public void onMalformedCall(CallConnection from, String reason) {
                        throw new MalformedMessageException(reason);
                    }

                    @Override
                    public void onBadCall(CallConnection from, Throwable cause) {
                        throw new IllegalStateException(cause);
                    }
                };
        try {
            CallServer.handle(calls, caller, Unpooled.wrappedBuffer(frame), calls::onCall);
        } finally {
            socket.finishAndReleaseAll();
        }
    }

    private static void callOfTheAgent(int call, WireReader body) {
        switch (call) {
            case Call.JOIN -> Layout.parse(CallCodec.text(body));
            case Call.FAILED -> CallCodec.text(body);
            default -> throw new MalformedMessageException("call " + call);
        }
    }

    /** Any call, with fields of the right types. */
    private byte[] valid(SplittableRandom random) {
        int call = 2 + random.nextInt(Call.STORED - 1);
        ByteBuf out = Unpooled.buffer().writeByte(call);
        switch (call) {
            case Call.JOIN -> text(out, layout().toText());
            case Call.ADD_REGION ->
                    text(
                            out.writeIntLE(random.nextInt(3)),
                            Regions.ONE.regions().getFirst().toText());
            case Call.OPEN_LOCK, Call.CANCEL, Call.RELEASE, Call.FAILED -> text(out, "lock");
            case Call.ACQUIRE -> text(out, "lock").writeLongLE(-1);
            case Call.BARRIER -> text(out, "barrier").writeIntLE(4).writeLongLE(1_000);
            case Call.SEND -> out.writeIntLE(1).writeIntLE(9).writeLong(4);
            case Call.RECEIVE -> out.writeIntLE(-1).writeIntLE(9).writeLongLE(5);
            case Call.DECLARE -> text(object(out), "a.Type on node 0");
            case Call.SHIP -> object(out).writeLong(7);
            case Call.POST -> object(out.writeLongLE(3)).writeLong(7);
            case Call.SERVE -> text(out, "queue").writeByte(1).writeLong(3);
            case Call.WAIT -> text(text(out, "lock"), "condition");
            case Call.AWAIT_SIGNAL -> text(text(out, "lock"), "condition").writeLongLE(-1);
            case Call.SIGNAL -> text(text(out, "lock"), "condition").writeByte(1);
            case Call.PREFETCH ->
                    out.writeIntLE(0).writeIntLE(random.nextInt(4)).writeIntLE(1).writeByte(1);
            case Call.REMOTE ->
                    out.writeIntLE(1).writeByte(0).writeLongLE(8L * random.nextInt(600));
            case Call.REMOTE_POST -> {
                out.writeLongLE(random.nextInt(3) - 1).writeIntLE(1).writeByte(1 << 5 | 1);
                out.writeLongLE(8L * random.nextInt(600)).writeLongLE(3);
            }
            case Call.REMOTE_WAIT -> {
                out.writeIntLE(1).writeByte(random.nextInt(4)).writeLongLE(random.nextInt(5000));
                out.writeByte(random.nextInt(7)).writeLongLE(3).writeLongLE(-1);
            }
            case Call.STORED ->
                    text(out, "Queue.add(Queue.java:12)")
                            .writeIntLE(0)
                            .writeIntLE(random.nextInt(4))
                            .writeIntLE(3);
            case Call.HOME -> out.writeIntLE(0).writeIntLE(random.nextInt(4));
            default -> {} // no fields, or an unknown call
        }
        byte[] bytes = new byte[out.readableBytes()];
        out.readBytes(bytes);
        return bytes;
    }

    private static ByteBuf object(ByteBuf out) {
        return text(out, "queue").writeIntLE(1).writeLongLE(77);
    }

    private static ByteBuf text(ByteBuf out, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return out.writeIntLE(utf8.length).writeBytes(utf8);
    }

    private Layout layout() {
        return any.nextBoolean() ? Layout.EMPTY : Regions.ONE;
    }

    private static final class Regions implements CallRouter.Regions {
        static final Layout ONE =
                new Layout(
                        List.of(
                                new RegionSpec(
                                        0,
                                        "grid",
                                        Protocol.WRITE_SHARED,
                                        0,
                                        4 * 4096,
                                        8,
                                        1,
                                        List.of(
                                                new VariableSpec(
                                                        "grid", "double[1500]", 0, 12_000)))));

        @Override
        public void allocate(RegionSpec declared) {}

        @Override
        public long remoteBytes() {
            return 4096;
        }

        @Override
        public int granules(PageId page) {
            RegionSpec region = ONE.regions().get(page.region());
            return region.pageBytes() / region.granuleBytes();
        }

        @Override
        public boolean hasPage(PageId page) {
            List<RegionSpec> all = ONE.regions();
            return page.region() < all.size() && page.index() < all.get(page.region()).pages();
        }

        @Override
        public NodeId home(PageId page) {
            return NodeId.ROOT;
        }
    }
}
