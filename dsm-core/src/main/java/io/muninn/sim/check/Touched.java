package io.muninn.sim.check;

import io.muninn.model.LockId;
import io.muninn.model.PageId;
import io.muninn.protocol.Effect;
import io.muninn.protocol.Event;
import io.muninn.protocol.ProtocolMessage;
import io.muninn.protocol.TimerId;
import io.muninn.sync.SyncMessage;
import io.muninn.wire.Message;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Which pages and locks a step was about: what its event and its effects name. */
final class Touched {
    private final Set<PageId> pages = new LinkedHashSet<>();
    private final Set<LockId> locks = new LinkedHashSet<>();

    /** Forgets the last step and looks at this one. */
    void look(Event event, List<Effect> effects) {
        pages.clear();
        locks.clear();
        add(event);
        for (int i = 0; i < effects.size(); i++) {
            add(effects.get(i));
        }
    }

    Set<PageId> pages() {
        return pages;
    }

    Set<LockId> locks() {
        return locks;
    }

    private void add(Event event) {
        switch (event) {
            case Event.FaultRaised fault -> pages.add(fault.page());
            case Event.MessageArrived arrived -> add(arrived.message());
            case Event.TimerFired(TimerId.HoldOver(PageId page), long _) -> pages.add(page);
            case Event.AcquireCalled call -> locks.add(call.lock());
            case Event.AcquireCancelled call -> locks.add(call.lock());
            case Event.ReleaseCalled call -> locks.add(call.lock());
            case Event.LockReclaimed reclaimed -> locks.add(reclaimed.lock());
            case Event.DiffSaved saved -> pages.add(saved.page());
            case Event.DiffApplied applied -> pages.add(applied.page());
            case Event.AccessWithdrawn(PageId first, int count) -> addAll(first, count);
            default -> {}
        }
    }

    private void add(Effect effect) {
        switch (effect) {
            case Effect.Send send -> add(send.message());
            case Effect.SetAccess each -> pages.add(each.page());
            case Effect.Withdraw(PageId first, int count) -> addAll(first, count);
            case Effect.InstallPage each -> pages.add(each.page());
            case Effect.Discard each -> pages.add(each.page());
            case Effect.Poison each -> pages.add(each.page());
            case Effect.MakeTwin each -> pages.add(each.page());
            case Effect.DropTwin each -> pages.add(each.page());
            case Effect.SaveDiff each -> pages.add(each.page());
            case Effect.ApplyDiff each -> pages.add(each.page());
            case Effect.ResumeFault each -> pages.add(each.page());
            case Effect.ReclaimLock each -> locks.add(each.lock());
            case Effect.LendLock each -> locks.add(each.lock());
            default -> {}
        }
    }

    private void add(Message message) {
        switch (message) {
            case ProtocolMessage about -> pages.addAll(about.pages());
            case SyncMessage.LockRequest request -> locks.add(request.lock());
            case SyncMessage.LockGrant grant -> locks.add(grant.lock());
            default -> {}
        }
    }

    private void addAll(PageId first, int count) {
        for (int i = 0; i < count; i++) {
            pages.add(new PageId(first.region(), first.index() + i));
        }
    }
}
