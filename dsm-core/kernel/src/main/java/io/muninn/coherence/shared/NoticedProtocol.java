package io.muninn.coherence.shared;

import io.muninn.api.spi.RegionSpec;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.spi.Bytes;
import io.muninn.spi.CoherenceProtocol;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.TimerId;
import io.muninn.spi.VectorTimestamp;

/**
 * The common part of protocols whose acquires invalidate: write notices of intervals are the cargo
 * of synchronization messages, and acquires and collections process them.
 *
 * @param <M> the protocol's messages
 */
public abstract class NoticedProtocol<M extends ProtocolMessage> implements CoherenceProtocol<M> {
    protected final Context context;
    protected final OpenInterval interval;
    protected final WriteNotices notices;
    private boolean hasRegions;

    protected NoticedProtocol(Context context, WriteNotices.Order order) {
        this.context = context;
        this.interval = new OpenInterval(context.clock());
        this.notices = new WriteNotices(context, order);
    }

    /** The effects of acquires on the pages. */
    protected abstract NoticedPages noticed();

    @Override
    public void onRegionAdded(RegionSpec region) {
        hasRegions = true;
    }

    /**
     * Seals the initialization, except in a cluster of one node: no other node needs notices of its
     * stores, so its pages may be stored to without twins and notices.
     */
    @Override
    public final void onSealed(Effects out) {
        if (context.nodes() > 1) {
            seal(out);
        }
    }

    /** Ends the root's initialization: from now on stores are announced by write notices. */
    protected abstract void seal(Effects out);

    @Override
    public void onIntervalEnd(Effects out) {
        interval.end(notices);
    }

    // cargo

    @Override
    public boolean usesTimestamps() {
        return hasRegions;
    }

    @Override
    public Bytes onLockRequest(LockId lock, Effects out) {
        return hasRegions ? notices.request() : Bytes.EMPTY;
    }

    @Override
    public Bytes onGrant(LockId lock, NodeId to, Bytes request, Effects out) {
        return request.length() == 0 ? Bytes.EMPTY : notices.forGrant(to, request);
    }

    @Override
    public Bytes onSend(NodeId to, Effects out) {
        return hasRegions ? notices.forMessage(to) : Bytes.EMPTY;
    }

    @Override
    public void onDeposited(NodeId from, Bytes cargo, Effects out) {
        notices.deposit(from, cargo);
    }

    // acquires

    @Override
    public void onAcquirePerformed(Effects out) {
        noticed().onAcquirePerformed(out);
    }

    @Override
    public void onAcquire(GatedAcquire acquire, VectorTimestamp until, Effects out) {
        noticed().onAcquire(acquire, until, out);
    }

    @Override
    public void onTimer(TimerId timer, Effects out) {
        if (timer instanceof TimerId.HoldOver(var page)) {
            noticed().onHoldOver(page, out);
        }
    }

    @Override
    public void onAccessWithdrawn(Event.AccessWithdrawn withdrawn, Effects out) {
        noticed().onAccessWithdrawn(withdrawn, out);
    }

    // collections

    @Override
    public long lazyBytes() {
        return notices.bytes();
    }

    @Override
    public void onCollect(long number, VectorTimestamp upTo, Effects out) {
        noticed().onCollect(upTo, each -> each.collectPerformed(number), out);
    }

    @Override
    public void onCollected(VectorTimestamp upTo, Effects out) {
        notices.drop(upTo);
    }
}
