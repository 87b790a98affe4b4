package io.muninn.sim.ncc;

import io.muninn.sim.app.Coroutine;
import io.muninn.sim.machine.SetCache;
import java.util.Arrays;

/**
 * A processor: its time, its cache and its stores that are under way.
 *
 * <p><b>Threads.</b> Its own, while it has the turn; others of the simulation in their turns.
 */
final class NccProcessor implements Comparable<NccProcessor> {
    private final int id;
    private final Timeline timeline;
    private final SetCache cache;
    private final long[] under; // times until which the latest stores are under way, in a ring
    private final long[] spent = new long[Spent.values().length];
    private final Coroutine coroutine;
    private int nextUnder;
    private long now;
    private long limit;
    private long stolen;
    private long performed; // all stores, so far
    private long misses;
    private long faults;

    NccProcessor(int id, NccModel model, Timeline timeline, Runnable code) {
        this.id = id;
        this.timeline = timeline;
        int lines = model.cacheBytes() / model.lineBytes();
        cache = new SetCache(lines / model.cacheWays(), model.cacheWays());
        under = new long[model.storesMax()];
        coroutine = new Coroutine("ncc-" + id, code);
    }

    int id() {
        return id;
    }

    SetCache cache() {
        return cache;
    }

    // ---- time ----

    long now() {
        return now;
    }

    /** Lets cycles pass. */
    void pass(long cycles, Spent what) {
        now += cycles;
        spent[what.ordinal()] += cycles;
    }

    /** Waits until a time, if it is not over. */
    void passUntil(long time, Spent what) {
        if (time > now) {
            pass(time - now, what);
        }
    }

    /** Another processor interrupts this one for so long. */
    void steal(long cycles) {
        stolen += cycles;
    }

    /** Lets the time pass of which other processors have made use. */
    void takeStolen() {
        if (stolen > 0) {
            pass(stolen, Spent.INTERRUPTS);
            stolen = 0;
        }
    }

    /** Lets others run if this processor is too far ahead. */
    void tick() {
        if (now >= limit) {
            timeline.pause(this);
        }
    }

    /** Lets others run that are behind: what follows, they see. */
    void settle() {
        timeline.settle(this, 0);
    }

    /** As {@link #settle()}, for what need not be in order within some cycles. */
    void settle(int slack) {
        timeline.settle(this, slack);
    }

    long limit() {
        return limit;
    }

    void limit(long time) {
        limit = time;
    }

    /** Forgets all times: the timed part begins. */
    void begin() {
        now = 0;
        stolen = 0;
        Arrays.fill(spent, 0);
    }

    // ---- stores ----

    /** Waits until one more store may be under way. */
    void awaitRoom() {
        passUntil(under[nextUnder], Spent.MISSES);
    }

    /** A store is under way until a time. */
    void underWay(long until) {
        under[nextUnder] = until;
        nextUnder = nextUnder + 1 == under.length ? 0 : nextUnder + 1;
        performed(until);
    }

    /** A store without a limit is performed at a time. */
    void performed(long time) {
        performed = Math.max(performed, time);
    }

    /** Waits until all stores are performed. */
    void fence(Spent what) {
        passUntil(performed, what);
    }

    // ---- turns ----

    Thread javaThread() {
        return coroutine.thread();
    }

    void resume() {
        coroutine.resume();
    }

    /** Waits until another processor makes this one ready. */
    void suspend() {
        coroutine.suspend();
    }

    void abandon() {
        coroutine.abandon();
    }

    boolean isEnded() {
        return coroutine.isEnded();
    }

    // ---- counts ----

    void countMiss() {
        misses++;
    }

    void countFault() {
        faults++;
    }

    NccResult.Processor counts() {
        return new NccResult.Processor(now, spent, misses, faults);
    }

    @Override
    public int compareTo(NccProcessor other) {
        return now != other.now ? Long.compare(now, other.now) : Integer.compare(id, other.id);
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return id;
    }
}
