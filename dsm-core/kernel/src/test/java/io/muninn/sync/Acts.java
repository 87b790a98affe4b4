package io.muninn.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.kernel.RecordingEffects;
import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Cargo;
import io.muninn.spi.Effect;
import io.muninn.spi.Effects;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.Outcome;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.TimerId;
import io.muninn.spi.WaiterId;
import io.muninn.wire.WireMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The common part of the tests of locks, barriers and letters: effects, and the open gate. */
final class Acts {
    final RecordingEffects out = new RecordingEffects();
    final FakeCargoHold cargo = new FakeCargoHold();

    /** Stands for the pages that are sent before a token, once {@link #showPages} is called. */
    static final Effect PAGES_PASSED = new Effect.DropTwin(new PageId(0, 0));

    static final Bytes SECTION = new Bytes(new byte[] {7});

    private boolean showsPages;
    final List<Bytes> granted = new ArrayList<>(); // records received with tokens
    final SectionPages pages =
            new SectionPages() {
                @Override
                public Bytes passing(LockId lock, NodeId to, Effects effects) {
                    if (!showsPages) {
                        return Bytes.EMPTY;
                    }
                    effects.add(PAGES_PASSED);
                    return SECTION;
                }

                @Override
                public void granted(LockId lock, Bytes known) {
                    granted.add(known);
                }
            };
    private final List<GatedRelease> begun = new ArrayList<>();
    private final ArrayDeque<GatedAcquire> acquiring = new ArrayDeque<>();

    void showPages() {
        showsPages = true;
    }

    void begin(GatedRelease leaving, Effects effects) {
        begun.add(leaving);
    }

    void acquire(GatedAcquire acquire, Cargo arrived, Effects effects) {
        cargo.unloaded.add(FakeCargoHold.label(arrived));
        acquiring.add(acquire);
    }

    /** Removes and returns the oldest acquire that has begun; there must be one. */
    <G extends GatedAcquire> G takeAcquire(Class<G> kind) {
        return kind.cast(acquiring.remove());
    }

    static WaiterId waiter(int thread) {
        return new WaiterId(MappingId.FIRST, thread);
    }

    static Effect send(int to, WireMessage message) {
        return new Effect.Send(NodeId.of(to), message);
    }

    static Effect done(int thread) {
        return answer(thread, Outcome.DONE);
    }

    static Effect answer(int thread, Outcome outcome) {
        return new Effect.ResumeWaiter(waiter(thread), outcome);
    }

    static Effect disarm(int thread) {
        return new Effect.CancelTimer(new TimerId.WaitOver(waiter(thread)));
    }

    static Effect arm(int thread, long delayNanos) {
        return new Effect.ArmTimer(new TimerId.WaitOver(waiter(thread)), delayNanos);
    }

    /** The effects since the last call are exactly these. */
    void expect(Object... effects) {
        assertEquals(List.of(effects), out.take());
    }

    /** The releases begun since the last call are exactly these. */
    void expectBegun(GatedRelease... leaving) {
        assertEquals(List.of(leaving), begun);
        begun.clear();
    }

    /** The release that has begun last; there must be one. */
    GatedRelease lastBegun() {
        return begun.getLast();
    }

    /** Discards the effects so far; the act follows. */
    void quietly() {
        out.take();
        begun.clear();
        cargo.unloaded.clear();
    }

    /** The act is impossible, and the text contains all of these. */
    void expectViolation(Runnable act, String... parts) {
        ProtocolViolation violation = assertThrows(ProtocolViolation.class, act::run);
        for (String part : parts) {
            assertTrue(violation.getMessage().contains(part), violation.getMessage());
        }
    }
}
