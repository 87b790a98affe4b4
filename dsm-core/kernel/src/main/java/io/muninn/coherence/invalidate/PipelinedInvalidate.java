package io.muninn.coherence.invalidate;

import io.muninn.coherence.invalidate.Conventional.Msg;
import io.muninn.coherence.shared.Deferrals;
import io.muninn.directory.Copyset;
import io.muninn.directory.DirectoryEntry;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.ProtocolTraits;
import io.muninn.spi.ProtocolTraits.Mark;
import io.muninn.spi.ProtocolTraits.MemoryModel;
import io.muninn.spi.ProtocolTraits.Trait;

/**
 * Pipelined write-invalidate: one writer and many readers. A store waits only for page and
 * ownership, and continues while the invalidations of the other copies are in transit; the next
 * release waits for their acknowledgements. So a region is release consistent: a load may return an
 * overwritten value until an acquire that follows the writer's release, and never after it.
 *
 * <p>Source: Munin §7.1 and §2.1.2, where it is compared with the write-shared protocol. The paper
 * does not specify how a request is treated for a page with outstanding invalidations. Here the
 * page, also a copy of it, leaves the writer's node only when all are acknowledged. This costs the
 * rest of a round trip, most of it within the hold time, and has three consequences. A store is
 * seen outside its node only when no node can miss it any more. A release waits only for
 * acknowledgements to its own node, because nothing in its pages awaits another node's. There are
 * never more than two generations of a page. Owners, hold time and messages are those of {@link
 * Conventional}.
 *
 * <pre>
 *                read fault        write fault            ReadRequest (7)    WriteRequest (7)
 * Invalid        ask, →AwaitCopy   ask, →AwaitGrant       forward            forward, owner:=asker
 * Shared         resume            ask, →AwaitGrant       forward            forward, owner:=asker
 * Shared owner   resume            store, →Invalidating   send copy          grant, →Invalid
 * Exclusive      resume            resume                 copy, →Shared (1)  grant, →Invalid (1)
 * Invalidating   resume            resume                 defer (2)          defer (2)
 * AwaitCopy      join              join                   forward            forward, owner:=asker
 * AwaitGrant     join              join                   defer              defer
 *
 *                ReadReply             WriteGrant                Invalidate          InvalidateAck
 * Invalid        drop (8)              →Exclusive (9)            impossible          impossible
 * Shared         drop (8)              impossible                ack, →Invalid (1)   impossible
 * Shared owner   drop (8)              impossible                impossible          impossible
 * Exclusive      drop (8)              impossible                impossible          impossible
 * Invalidating   drop (8)              impossible                impossible          count (2)
 * AwaitCopy      install, →Shared (6)  →Exclusive (9)            ack, mark dead (3)  impossible
 * AwaitGrant     drop (8)              →Invalidating (4) (9)     end copy, ack (5)   impossible
 *
 * (1) within the hold time, or behind deferred requests: defer. The timer HoldOver ends the hold
 *     time and answers the deferred requests
 * (2) the last acknowledgement leads to Exclusive and performs the releases that waited for it.
 *     The deferred requests are answered then, or when the hold time is over
 * (3) an image older than the mark is not installed, and the fault requests the page again
 * (4) and threads store. With no other copy: →Exclusive at once
 * (5) impossible if the copy is gone already
 * (6) as (3) and (8). A prefetched page that no thread has accessed is installed without access and
 *     not held: the first load shows that it is used
 * (7) a request that the page has overtaken: drop
 * (8) the page has overtaken the request that it answers, and the image is of an older generation.
 *     Any other is impossible
 * (9) a page that travels with a lock: install, →Exclusive. It overtakes the outstanding request of
 *     this node. Impossible if this node has a copy
 * </pre>
 *
 * When a lock is passed to another node, a page that is Exclusive is sent with it, →Invalid, unless
 * it is within the hold time or requests are deferred.
 *
 * <p>A release waits for the rounds of invalidations that its node began before it, see {@link
 * Invalidations}. A request of this node for a page for which it waits is impossible everywhere,
 * unless the page has overtaken it.
 */
public final class PipelinedInvalidate extends WriteInvalidate {
    /** Threads store to the page, and some copies may still exist. */
    record Invalidating(
            Copyset missing,
            long generation,
            Deferrals<Msg> deferred,
            long heldUntilNanos,
            long round)
            implements State.Ending {
        @Override
        public Invalidating without(NodeId node) {
            return new Invalidating(
                    missing.without(node), generation, deferred, heldUntilNanos, round);
        }
    }

    /** The contract that other code may rely on. */
    public static final ProtocolTraits TRAITS =
            ProtocolTraits.of(
                            MemoryModel.RELEASE_CONSISTENCY,
                            Trait.ONE_WRITER,
                            Trait.TRAVELS_WITH_LOCKS,
                            Trait.HELD)
                    .state("Invalid", PageAccess.NONE)
                    .state("Shared", PageAccess.READ)
                    .state("Shared owner", PageAccess.READ, Mark.ANSWERS)
                    .state("Exclusive", PageAccess.READ_WRITE, Mark.ANSWERS)
                    .state("Invalidating", PageAccess.READ_WRITE, Mark.ANSWERS, Mark.AWAITS_ACKS)
                    .state("AwaitCopy", PageAccess.NONE, Mark.THREADS_WAIT)
                    .state("AwaitGrant", PageAccess.READ, Mark.ANSWERS, Mark.THREADS_WAIT);

    private final Invalidations invalidations = new Invalidations();

    public PipelinedInvalidate(Context context) {
        super(context, true);
    }

    @Override
    public void onRelease(GatedRelease leaving, Effects out) {
        if (invalidations.isIdle()) {
            out.releasePerformed(leaving);
        } else {
            invalidations.await(leaving);
        }
    }

    @Override
    void endCopies(
            DirectoryEntry<State> entry,
            Copyset others,
            long generation,
            Deferrals<Msg> deferred,
            Effects out) {
        long heldUntil = context.nowNanos() + context.holdNanos();
        long round = invalidations.begin();
        entry.become(new Invalidating(others, generation, deferred, heldUntil, round));
        out.resumeFault(entry.page(), PageAccess.READ_WRITE); // acknowledgements are not awaited
        sendInvalidations(entry, others, generation, out);
    }

    @Override
    void onCopiesEnded(DirectoryEntry<State> entry, State.Ending ended, Effects out) {
        Invalidating invalidating = (Invalidating) ended;
        long heldUntil = invalidating.heldUntilNanos();
        Deferrals<Msg> deferred = ended.deferred();
        entry.become(new State.Exclusive(heldUntil, ended.generation(), deferred));
        for (GatedRelease leaving : invalidations.end(invalidating.round())) {
            out.releasePerformed(leaving);
        }
        if (context.nowNanos() >= heldUntil) {
            answer(deferred.takeAll(), out);
        } else {
            deferred.armTimer(heldUntil, entry.page(), out);
        }
    }
}
