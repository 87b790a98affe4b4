package io.muninn.kernel;

import io.muninn.model.NodeId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.WaiterId;
import io.muninn.sync.Acquires;
import io.muninn.sync.BarrierArrivals;
import io.muninn.sync.BarrierManager;
import io.muninn.sync.CollectionManager;
import io.muninn.sync.CollectionMessage;
import io.muninn.sync.CollectionPart;
import io.muninn.sync.ConditionManager;
import io.muninn.sync.ConditionWaits;
import io.muninn.sync.LazyData;
import io.muninn.sync.LockManager;
import io.muninn.sync.ProcessViews;
import io.muninn.sync.ProgramMessages;
import io.muninn.sync.ReadWriteLocks;
import io.muninn.sync.ReadWriteManager;
import io.muninn.sync.ReadWriteMessage;
import io.muninn.sync.Refreshes;
import io.muninn.sync.Releases;
import io.muninn.sync.RemoteCalls;
import io.muninn.sync.RemoteHome;
import io.muninn.sync.RemoteMessage;
import io.muninn.sync.SectionPages;
import io.muninn.sync.ServedObjects;
import io.muninn.sync.ShippedCalls;
import io.muninn.sync.SyncMessage;

/**
 * Locks, reader-writer locks, barriers, conditions, letters, refreshes, shipped objects and
 * collections of one node: routes events and messages to each of them.
 */
final class Synchronization {
    private final CargoLoader cargo;
    final LockManager locks;
    final ReadWriteLocks readWriteLocks;
    final ReadWriteManager readWriteManager;
    final BarrierArrivals arrivals;
    final BarrierManager manager;
    final ConditionWaits conditions;
    final ConditionManager conditionManager = new ConditionManager();
    final ProgramMessages letters;
    final Refreshes refreshes;
    final ServedObjects objects;
    final ShippedCalls calls;
    final RemoteCalls remotes;
    final RemoteHome home = new RemoteHome();
    final CollectionPart collection;
    final CollectionManager collections;

    Synchronization(
            KernelConfig config,
            Releases releases,
            Acquires acquires,
            CargoLoader cargo,
            SectionPages pages,
            LazyData data,
            ProcessViews views) {
        this.cargo = cargo;
        this.locks = new LockManager(config.self(), releases, acquires, cargo, pages, views);
        this.readWriteLocks =
                new ReadWriteLocks(
                        config.self(),
                        config.nodes(),
                        releases,
                        acquires,
                        cargo,
                        views,
                        config.checksRaces());
        this.readWriteManager = new ReadWriteManager(cargo);
        int threads = config.threads().count();
        int allParties = config.nodes() * threads;
        this.arrivals =
                new BarrierArrivals(config.self(), threads, allParties, releases, acquires, cargo);
        this.manager = new BarrierManager(config.nodes(), threads, cargo);
        this.conditions = new ConditionWaits(config.threads(), releases);
        this.letters =
                new ProgramMessages(
                        config.self(), config.threads(), releases, acquires, cargo, views);
        this.refreshes = new Refreshes(config.self(), config.nodes(), releases, acquires, cargo);
        this.objects =
                new ServedObjects(
                        config.self(), config.threads(), releases, acquires, cargo, views);
        this.calls =
                new ShippedCalls(config.self(), config.threads(), releases, acquires, cargo, views);
        this.remotes =
                new RemoteCalls(config.threads(), calls, config.updates().limits().windowBytes());
        long lazyBytes = config.updates().lazyBytes();
        this.collection = new CollectionPart(config.nodes(), lazyBytes, releases, cargo, data);
        this.collections = new CollectionManager(config.nodes(), cargo);
    }

    void onSyncMessage(NodeId from, SyncMessage message, Effects out) {
        if (message instanceof SyncMessage.Carrier carrier) {
            cargo.deposit(from, carrier.cargo(), out);
        }
        switch (message) {
            case SyncMessage.LockRequest request -> locks.onLockRequest(request, out);
            case SyncMessage.LockGrant grant -> locks.onLockGrant(grant, out);
            case SyncMessage.BarrierArrive arrive -> manager.onBarrierArrive(from, arrive, out);
            case SyncMessage.BarrierTimeout over -> manager.onBarrierTimeout(from, over, out);
            case SyncMessage.BarrierDepart depart -> arrivals.onBarrierDepart(depart, out);
            case SyncMessage.BarrierGather gather -> manager.onBarrierGather(from, gather, out);
            case SyncMessage.BarrierGathered all -> arrivals.onBarrierGathered(all, out);
            case SyncMessage.BarrierBroken broken -> arrivals.onBarrierBroken(broken, out);
            case SyncMessage.ConditionWait wait ->
                    conditionManager.onConditionWait(from, wait, out);
            case SyncMessage.ConditionSignal signal ->
                    conditionManager.onConditionSignal(from, signal, out);
            case SyncMessage.ConditionCancel cancel ->
                    conditionManager.onConditionCancel(from, cancel, out);
            case SyncMessage.ConditionQueued queued -> conditions.onConditionQueued(queued, out);
            case SyncMessage.ConditionWake wake -> conditions.onConditionWake(wake, out);
            case SyncMessage.ConditionCancelled cancelled ->
                    conditions.onConditionCancelled(cancelled, out);
            case SyncMessage.ConditionSignalled signalled ->
                    conditions.onConditionSignalled(signalled, out);
            case SyncMessage.Letter letter -> letters.onLetter(from, letter, out);
            case SyncMessage.LetterCredit credit -> letters.onLetterCredit(from, credit, out);
            case SyncMessage.LetterStall _ -> letters.onLetterStall(from, out);
            case SyncMessage.RefreshRequest request ->
                    refreshes.onRefreshRequest(from, request, out);
            case SyncMessage.RefreshReply reply -> refreshes.onRefreshReply(from, reply, out);
            case SyncMessage.ShippedCall call -> objects.onShippedCall(from, call, out);
            case SyncMessage.ShippedReply reply -> calls.onShippedReply(from, reply, out);
            case SyncMessage.ShippedRefusal refusal -> calls.onShippedRefusal(refusal, out);
        }
    }

    void onReadWriteMessage(NodeId from, ReadWriteMessage message, Effects out) {
        if (message instanceof ReadWriteMessage.Carrier carrier) {
            cargo.deposit(from, carrier.cargo(), out);
        }
        switch (message) {
            case ReadWriteMessage.ReadWriteRequest request ->
                    readWriteManager.onRequest(from, request, out);
            case ReadWriteMessage.ReadWriteReturn returned ->
                    readWriteManager.onReturn(from, returned, out);
            case ReadWriteMessage.ReadWriteCancel cancel ->
                    readWriteManager.onCancel(from, cancel, out);
            case ReadWriteMessage.ReadWriteGrant grant -> readWriteLocks.onGrant(grant, out);
            case ReadWriteMessage.ReadWriteRecall recall -> readWriteLocks.onRecall(recall, out);
        }
    }

    void onPermitting(Event.Permitting event, Effects out) {
        switch (event) {
            case Event.PermissionCalled call -> readWriteLocks.onPermissionCalled(call, out);
            case Event.PermissionCancelled(WaiterId waiter, ReadWriteLockId lock) ->
                    readWriteLocks.giveUp(lock, waiter, false, out);
            case Event.LocalReadCalled call -> readWriteLocks.onLocalReadCalled(call, out);
            case Event.WriteReleased call -> readWriteLocks.onWriteReleased(call, out);
            case Event.ReadersLeft left -> readWriteLocks.onReadersLeft(left, out);
            case Event.ReadersClosed closed -> readWriteLocks.onReadersClosed(closed, out);
        }
    }

    void onRemoteMessage(NodeId from, RemoteMessage message, Effects out) {
        switch (message) {
            case RemoteMessage.RemoteRequest request -> home.onRemoteRequest(from, request, out);
            case RemoteMessage.RemoteReply reply -> remotes.onRemoteReply(from, reply, out);
            case RemoteMessage.RemoteWait wait -> home.onRemoteWait(from, wait, out);
            case RemoteMessage.RemoteWaitCancel cancel ->
                    home.onRemoteWaitCancel(from, cancel, out);
            case RemoteMessage.RemoteWaitOver over -> remotes.onRemoteWaitOver(over, out);
        }
    }

    void onRemoting(Event.Remoting event, Effects out) {
        switch (event) {
            case Event.RemoteCalled call -> remotes.onRemoteCalled(call, out);
            case Event.RemotePosted call -> remotes.onRemotePosted(call, out);
            case Event.RemoteAwaited call -> remotes.onRemoteAwaited(call, out);
            case Event.FenceCalled call -> remotes.onFenceCalled(call, out);
            case Event.RemotePerformed performed -> home.onRemotePerformed(performed, out);
            case Event.ConditionTested tested -> home.onConditionTested(tested, out);
        }
    }

    void onCollectionMessage(NodeId from, CollectionMessage message, Effects out) {
        if (message instanceof CollectionMessage.Carrier carrier) {
            cargo.deposit(from, carrier.cargo(), out);
        }
        switch (message) {
            case CollectionMessage.Report report -> collections.onReport(from, report, out);
            case CollectionMessage.Order order -> collection.onOrder(order, out);
        }
    }

    void onAcquirePerformed(GatedAcquire acquire, Effects out) {
        switch (acquire) {
            case GatedAcquire.Token token -> locks.onAcquirePerformed(token, out);
            case GatedAcquire.Handover handover -> locks.onAcquirePerformed(handover, out);
            case GatedAcquire.Permission permission ->
                    readWriteLocks.onAcquirePerformed(permission, out);
            case GatedAcquire.Entry entry -> readWriteLocks.onAcquirePerformed(entry, out);
            case GatedAcquire.Local local -> locks.onAcquirePerformed(local, out);
            case GatedAcquire.Departure departure -> arrivals.onAcquirePerformed(departure, out);
            case GatedAcquire.Call call -> objects.onAcquirePerformed(call, out);
            case GatedAcquire.Reply reply -> calls.onAcquirePerformed(reply, out);
            case GatedAcquire.Letter letter -> letters.onAcquirePerformed(letter, out);
            case GatedAcquire.Refresh refresh -> refreshes.onAcquirePerformed(refresh, out);
        }
    }

    void onReleasePerformed(GatedRelease leaving, Effects out) {
        switch (leaving) {
            case GatedRelease.Token token -> locks.onReleasePerformed(token, out);
            case GatedRelease.Permission permission ->
                    readWriteLocks.onReleasePerformed(permission, out);
            case GatedRelease.Arrival arrival -> arrivals.onReleasePerformed(arrival, out);
            case GatedRelease.Signal signal -> conditions.onReleasePerformed(signal, out);
            case GatedRelease.Letter letter -> letters.onReleasePerformed(letter, out);
            case GatedRelease.Call call -> calls.onReleasePerformed(call, out);
            case GatedRelease.Reply reply -> objects.onReleasePerformed(reply, out);
            case GatedRelease.Refresh refresh -> refreshes.onReleasePerformed(refresh, out);
            case GatedRelease.Collection release -> collection.onReleasePerformed(release, out);
            case GatedRelease.Elapsed() -> {}
        }
    }
}
