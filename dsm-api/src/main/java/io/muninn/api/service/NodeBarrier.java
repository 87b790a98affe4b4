package io.muninn.api.service;

import io.muninn.api.DsmBarrier;
import io.muninn.api.Reduction;
import io.muninn.api.reduction.Round;
import io.muninn.model.BarrierId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A named barrier, for one application thread. */
record NodeBarrier(BarrierId id, int parties, BarrierLink link, ThreadServices thread)
        implements DsmBarrier {
    private static final long FOR_EVER = -1;

    @Override
    public String name() {
        return id.name();
    }

    @Override
    public void await() {
        arrive(BarrierLink.NOTHING);
    }

    @Override
    public void await(long time, TimeUnit unit) throws TimeoutException {
        arrive(BarrierLink.NOTHING, Math.max(0, unit.toNanos(time)));
    }

    @Override
    public <T> T await(Reduction<T> reduction, T contribution) {
        List<byte[]> results = new ArrayList<>();
        reduction.pieces(contribution, parties).forEach(piece -> results.add(arrive(piece)));
        return reduction.decode(Round.joined(results));
    }

    @Override
    public <T> T await(Reduction<T> reduction, T contribution, long time, TimeUnit unit)
            throws TimeoutException {
        List<byte[]> results = new ArrayList<>();
        long limitNanos = unit.toNanos(time);
        long begin = thread.nowNanos();
        for (byte[] piece : reduction.pieces(contribution, parties)) {
            results.add(arrive(piece, Math.max(0, limitNanos - (thread.nowNanos() - begin))));
        }
        return reduction.decode(Round.joined(results));
    }

    private byte[] arrive(byte[] contribution) {
        try {
            return arrive(contribution, FOR_EVER);
        } catch (TimeoutException impossible) {
            throw new IllegalStateException("a wait without limit timed out", impossible);
        }
    }

    private byte[] arrive(byte[] contribution, long limitNanos) throws TimeoutException {
        thread.checkBarrier(name());
        thread.beforeRelease();
        return link.await(contribution, limitNanos);
    }
}
