package io.muninn.link;

import io.muninn.api.Home;
import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.Statistics;
import io.muninn.api.service.BarrierLink;
import io.muninn.api.service.KernelLink;
import io.muninn.api.spi.PageAdvice;
import io.muninn.model.BarrierId;
import io.muninn.model.PageId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Event;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.Outcome;
import io.muninn.spi.ReservedBarriers;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Turns the requests of a node into events, in the same way for every kernel. */
public abstract class EventLink implements KernelLink {
    /** The time limit of a wait without one. */
    public static final long FOR_EVER = -1;

    /**
     * The calls of the calling thread.
     *
     * @throws IllegalStateException if it is no application thread
     */
    protected abstract ThreadCalls calls();

    @Override
    public BarrierLink barrier(int thread, BarrierId barrier, int parties) {
        int declaredParties = parties == shape().positions() ? Event.ALL_PARTIES : parties;
        return new BarrierLink() {
            @Override
            public byte[] await(byte[] contribution, long limitNanos) throws TimeoutException {
                return arrive(barrier, declaredParties, contribution, limitNanos);
            }

            @Override
            public byte[] gather() {
                ThreadCalls mine = calls();
                return result(
                        mine.call(new Event.GatherCalled(mine.id(), barrier, declaredParties)));
            }
        };
    }

    private byte[] arrive(BarrierId barrier, int parties, byte[] contribution, long limitNanos)
            throws TimeoutException {
        ThreadCalls mine = calls();
        Bytes given = contribution.length == 0 ? Bytes.EMPTY : new Bytes(contribution);
        return result(
                mine.callTimed(
                        new Event.BarrierReached(mine.id(), barrier, parties, limitNanos, given)));
    }

    /** The result of a reduction; nothing if there was none. */
    private static byte[] result(Outcome outcome) {
        return outcome instanceof Outcome.Delivered(int _, Bytes result)
                ? result.array()
                : BarrierLink.NOTHING;
    }

    @Override
    public void refresh() {
        ThreadCalls mine = calls();
        mine.call(new Event.RefreshCalled(mine.id()));
    }

    @Override
    public Statistics statistics() {
        return new Statistics(
                count(NodeCounter.READ_FAULTS),
                count(NodeCounter.WRITE_FAULTS),
                count(NodeCounter.PAGES_FETCHED),
                count(NodeCounter.PAGES_SENT),
                count(NodeCounter.TWINS_MADE),
                count(NodeCounter.DIFFS_MADE),
                count(NodeCounter.DIFFS_APPLIED),
                count(NodeCounter.MESSAGES),
                count(NodeCounter.BYTES));
    }

    /** The current value of a counter of the node. */
    protected abstract long count(NodeCounter counter);

    @Override
    public void prefetch(PageId first, int count, Mode mode) {
        hint(mine -> new Event.PrefetchCalled(mine.id().mapping(), first, count, mode));
    }

    @Override
    public void advise(PageId first, int count, PageAdvice advice) {
        hint(_ -> new Event.Advised(first, count, advice));
    }

    /** Posts an event that a kernel may ignore, for the calling thread. */
    protected void hint(Function<ThreadCalls, Event> event) {
        ThreadCalls mine = calls();
        mine.post(event.apply(mine));
    }

    @Override
    public void meetToAllocate(
            int ordinal, String name, String type, Protocol protocol, Home home) {
        meet(ReservedBarriers.allocation(ordinal, name, type, protocol, home), Event.ALL_PARTIES);
    }

    @Override
    public void initialized() {
        if (shape().node() == 0) {
            ThreadCalls mine = calls();
            mine.call(new Event.Sealed(mine.id()));
            onSealed();
        }
        meet(ReservedBarriers.START, shape().nodes());
    }

    /** Called on the root when its variables are sealed. */
    protected void onSealed() {}

    @Override
    public void threadEnds() {
        meet(ReservedBarriers.END, Event.ALL_PARTIES);
    }

    @Override
    public void finished() {
        meet(ReservedBarriers.FINISH, shape().nodes());
    }

    private void meet(BarrierId barrier, int parties) {
        ThreadCalls mine = calls();
        mine.call(new Event.BarrierReached(mine.id(), barrier, parties, FOR_EVER));
    }
}
