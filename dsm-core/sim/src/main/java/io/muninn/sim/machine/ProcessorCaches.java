package io.muninn.sim.machine;

import java.util.Arrays;
import java.util.List;

/**
 * The caches and the write buffer of one processor: a direct-mapped first level that writes
 * through, and a second level that writes back and holds all lines of the first. Stores end the
 * copies of the node's other caches (snooping).
 *
 * <p>Only references to shared memory are seen. An access takes one cycle, which the caller charges
 * as computation; what it takes beyond that is its stall. Use of the memory bus is counted until
 * {@link #takeBusPicos}.
 *
 * <p>Source: Bilas, Iftode, Samanta and Singh, section 4. Departure: there is no order of priority
 * among those that use the bus.
 */
public final class ProcessorCaches {
    private final SmpModel model;
    private final int lineShift;
    private final int[] first; // the line of each place of the first level
    private final int firstMask;
    private final SetCache second;
    private final WriteBuffer buffer;
    private final long linePicos; // of the bus, for a line
    private final long upgradePicos; // of the bus, to end the copies of a line
    private List<ProcessorCaches> siblings = List.of();
    private long nowCycles; // of this processor, waits not included
    private long busPicos;
    private long loads;
    private long stores;
    private long secondHits;
    private long misses;

    ProcessorCaches(SmpModel model) {
        this.model = model;
        CacheShape shape = model.caches();
        lineShift = Integer.numberOfTrailingZeros(shape.lineBytes());
        first = new int[shape.firstBytes() / shape.lineBytes()];
        Arrays.fill(first, SetCache.ABSENT);
        firstMask = first.length - 1;
        second = new SetCache(shape.secondSets(), shape.secondWays());
        buffer = new WriteBuffer(shape.bufferLines(), shape.retiresAt());
        linePicos = model.memoryBus().transferPicos(shape.lineBytes());
        upgradePicos = model.memoryBus().transferPicos(1);
    }

    /** Sets the caches of the node's other processors. */
    void join(List<ProcessorCaches> others) {
        siblings = List.copyOf(others);
    }

    /** The processor has computed for some cycles, accesses not included. */
    public void compute(long cycles) {
        nowCycles += cycles;
    }

    /**
     * Accesses memory.
     *
     * @param address in the node's shared memory
     * @param bytes at least 1
     * @return the stall in cycles
     */
    public long access(long address, long bytes, boolean isStore) {
        int line = (int) (address >>> lineShift);
        int last = (int) (address + bytes - 1 >>> lineShift);
        long stall = 0;
        while (line <= last) {
            nowCycles++;
            long more = isStore ? store(line) : load(line);
            nowCycles += more;
            stall += more;
            line++;
        }
        return stall;
    }

    private long load(int line) {
        loads++;
        int place = line & firstMask;
        if (first[place] == line || buffer.holds(line)) {
            return 0;
        }
        first[place] = line;
        return fetch(line, false) - 1;
    }

    private long store(int line) {
        stores++;
        if (buffer.holds(line)) {
            return 0;
        }
        int leaving = buffer.add(line);
        return leaving == SetCache.ABSENT ? 0 : buffer.leave(nowCycles, fetch(leaving, true));
    }

    /** Brings a line into the second level. Returns the cycles that this takes. */
    private long fetch(int line, boolean toStore) {
        int place = second.find(line);
        if (place != SetCache.ABSENT) {
            secondHits++;
            place = second.use(place);
            if (toStore && second.state(place) != SetCache.MODIFIED) {
                own(line, place);
            }
            return model.caches().secondHitCycles();
        }
        misses++;
        boolean isElsewhere = snoop(line, toStore);
        byte clean = isElsewhere ? SetCache.SHARED : SetCache.EXCLUSIVE;
        second.put(line, toStore ? SetCache.MODIFIED : clean);
        busPicos += linePicos;
        if (second.isVictimModified()) {
            busPicos += linePicos;
        }
        if (second.victim() != SetCache.ABSENT) {
            removeFirst(second.victim());
        }
        return model.memoryCycles();
    }

    private void own(int line, int place) {
        if (second.state(place) == SetCache.SHARED) {
            snoop(line, true);
            busPicos += upgradePicos;
        }
        second.state(place, SetCache.MODIFIED);
    }

    /** Tells the other caches of an access. Returns whether one of them keeps the line. */
    private boolean snoop(int line, boolean toStore) {
        boolean isKept = false;
        for (ProcessorCaches each : siblings) {
            isKept |= each.onSnoop(line, toStore);
        }
        return isKept;
    }

    private boolean onSnoop(int line, boolean isStored) {
        int place = second.find(line);
        if (place == SetCache.ABSENT) {
            return false;
        }
        if (isStored) {
            second.remove(place);
            removeFirst(line);
            return false;
        }
        second.state(place, SetCache.SHARED);
        return true;
    }

    private void removeFirst(int line) {
        int place = line & firstMask;
        if (first[place] == line) {
            first[place] = SetCache.ABSENT;
        }
    }

    /** Memory has been written by a device: ends the copies of its lines. */
    void invalidate(long address, long bytes) {
        int last = (int) (address + bytes - 1 >>> lineShift);
        for (int line = (int) (address >>> lineShift); line <= last; line++) {
            onSnoop(line, true);
        }
    }

    /** The service of the memory bus for all accesses since the last call. */
    public long takeBusPicos() {
        long taken = busPicos;
        busPicos = 0;
        return taken;
    }

    /** What was counted so far. */
    public CacheCounts counts() {
        return new CacheCounts(loads, stores, secondHits, misses);
    }
}
