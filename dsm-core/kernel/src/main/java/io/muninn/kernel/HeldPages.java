package io.muninn.kernel;

import io.muninn.api.Protocol;
import io.muninn.coherence.ProtocolKind;
import io.muninn.model.PageId;
import io.muninn.spi.Effect;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolTraits;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.spi.ThreadMark;
import io.muninn.spi.TimerId;
import io.muninn.spi.UpdateRules;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The pages that a protocol holds for the threads that stopped at them. The end of a hold is a
 * timer; while it is armed, those threads are watched, so that the hold ends early when all of them
 * have continued.
 */
final class HeldPages {
    private final ProtocolTable protocols;
    private final UpdateRules updates;
    private final StoppedThreads stopped = new StoppedThreads();
    private final GuardedPages guarded;
    private final Set<PageId> ending = new LinkedHashSet<>(); // their timers are armed

    /**
     * @param updates determine the traits of a region's protocol
     */
    HeldPages(ProtocolTable protocols, UpdateRules updates) {
        this.protocols = protocols;
        this.updates = updates;
        this.guarded = new GuardedPages(protocols, stopped);
    }

    /** The pages that travel with locks. */
    GuardedPages guarded() {
        return guarded;
    }

    /** Records a thread that stops. Where acquires invalidate, a hold never ends early. */
    void onFault(Event.FaultRaised fault, Effects out) {
        PageId page = fault.page();
        Protocol protocol = protocols.region(page).protocol();
        ProtocolTraits traits = ProtocolKind.of(protocol, updates).traits();
        if (!traits.has(Trait.HELD) || traits.has(Trait.ACQUIRES_INVALIDATE)) {
            return;
        }
        stopped.add(page, fault.thread());
        watchThreads(page, out);
        if (traits.has(Trait.TRAVELS_WITH_LOCKS)) {
            fault.thread().section().ifPresent(lock -> guarded.stopped(lock, page));
        }
    }

    /** Records that a page has arrived although no thread has stopped at it. */
    void cameUnasked(PageId page) {
        stopped.cameUnasked(page);
    }

    /** Arms the timer of a hold, which begins to end. */
    void arm(PageId page, long delayNanos, Effects out) {
        out.armTimer(new TimerId.HoldOver(page), delayNanos);
        ending.add(page);
        watchThreads(page, out);
    }

    /** Records that the timer of a hold has fired or is cancelled. */
    void onTimerGone(PageId page) {
        ending.remove(page);
    }

    private void watchThreads(PageId page, Effects out) {
        List<ThreadMark> threads = stopped.at(page);
        if (ending.contains(page) && !threads.isEmpty()) {
            out.add(new Effect.WatchThreads(new TimerId.HoldOver(page), threads));
        }
    }
}
