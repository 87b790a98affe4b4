package io.muninn.sim.ncc;

import static io.muninn.sim.machine.SetCache.MODIFIED;
import static io.muninn.sim.machine.SetCache.SHARED;

import io.muninn.sim.machine.SetCache;
import java.util.Arrays;
import java.util.List;

/**
 * Coherence of lines by hardware, with a directory at the home of each line. A store asks for the
 * line alone; under release consistency the processor goes on meanwhile, and a release waits.
 *
 * <p>Who misses a line that another cache has modified gets it from there; memory is brought up to
 * date at the same time. A shared line is replaced silently.
 *
 * <p>Source: Lenoski and others, "The Directory-Based Cache Coherence Protocol for the DASH
 * Multiprocessor", as in Kontothanassis and Scott, section 4.4.
 */
final class Directory implements Coherence {
    private static final byte NONE = -1;

    private final boolean isRelaxed;
    private final Hardware hardware;
    private final Homes homes;
    private final List<NccProcessor> processors;
    private final long[] copysets; // by line, a bit for each cache
    private final byte[] owners; // by line
    private final long[] free; // by line: from when on its entry is not busy
    private final int lineWords;
    private final int lineShift;
    private final int pageLines;

    Directory(boolean isRelaxed, Hardware hardware, Homes homes, List<NccProcessor> processors) {
        this.isRelaxed = isRelaxed;
        this.hardware = hardware;
        this.homes = homes;
        this.processors = processors;
        NccModel model = hardware.model();
        lineWords = model.lineWords();
        lineShift = Integer.numberOfTrailingZeros(model.lineBytes());
        pageLines = NccModel.PAGE_BYTES / model.lineBytes();
        copysets = new long[homes.pages() * pageLines];
        owners = new byte[copysets.length];
        free = new long[copysets.length];
        Arrays.fill(owners, NONE);
    }

    private int home(int line) {
        return homes.of(line / pageLines);
    }

    @Override
    public void access(NccProcessor by, long address, int words, boolean isStore) {
        int line = (int) (address >> lineShift);
        SetCache cache = by.cache();
        int place = cache.find(line);
        if (place != SetCache.ABSENT) {
            place = cache.use(place);
            if (!isStore || cache.state(place) == MODIFIED) {
                return;
            }
        }
        by.settle();
        place = cache.find(line); // others may have taken it
        if (isStore) {
            own(by, line, place != SetCache.ABSENT);
        } else {
            by.countMiss();
            by.passUntil(load(by, line), Spent.MISSES);
        }
    }

    /** When a request is at the directory, and its entry was looked up. */
    private long lookUp(NccProcessor by, int line) {
        long arrival = by.now() + hardware.way(by.id(), home(line));
        return Math.max(arrival, free[line]) + hardware.model().directory();
    }

    /** Gets a line to read. Returns when it has arrived. */
    private long load(NccProcessor by, int line) {
        long found = lookUp(by, line);
        int home = home(line);
        int owner = owners[line];
        long arrived;
        if (owner == NONE) {
            long served = hardware.memory(home, lineWords, found);
            arrived = hardware.send(home, by.id(), lineWords, served);
            free[line] = served;
        } else {
            long asked = found + hardware.way(home, owner) + 1;
            setState(owner, line, SHARED);
            owners[line] = NONE;
            arrived = hardware.send(owner, by.id(), lineWords, asked);
            free[line] = hardware.write(owner, home, lineWords, asked);
        }
        copysets[line] |= bit(by.id());
        put(by, line, SHARED);
        return arrived;
    }

    private void setState(int node, int line, byte state) {
        SetCache cache = processors.get(node).cache();
        int place = cache.find(line);
        if (place != SetCache.ABSENT) {
            cache.state(place, state);
        }
    }

    private void put(NccProcessor by, int line, byte state) {
        SetCache cache = by.cache();
        cache.put(line, state);
        int victim = cache.victim();
        if (victim != SetCache.ABSENT && cache.victimState() == MODIFIED) {
            int home = home(victim);
            long written = hardware.write(by.id(), home, lineWords, by.now());
            owners[victim] = NONE;
            copysets[victim] = 0;
            free[victim] = Math.max(free[victim], written - hardware.way(home, by.id()));
        }
    }

    /** Gets a line to write. */
    private void own(NccProcessor by, int line, boolean isPresent) {
        if (isRelaxed) {
            by.awaitRoom();
        }
        if (!isPresent) {
            by.countMiss();
        }
        long done = take(by, line, isPresent);
        if (isRelaxed) {
            by.underWay(done);
        } else {
            by.passUntil(done, Spent.MISSES);
        }
    }

    /** Takes a line from all others. Returns when it is here and all have answered. */
    private long take(NccProcessor by, int line, boolean isPresent) {
        long found = lookUp(by, line);
        int home = home(line);
        int owner = owners[line];
        long done;
        if (owner != NONE) {
            long asked = found + hardware.way(home, owner) + 1;
            discard(owner, line);
            done = hardware.send(owner, by.id(), lineWords, asked);
            free[line] = asked + hardware.way(owner, home);
        } else if (isPresent) {
            done = found + hardware.way(home, by.id());
            free[line] = found;
        } else {
            long served = hardware.memory(home, lineWords, found);
            done = hardware.send(home, by.id(), lineWords, served);
            free[line] = served;
        }
        for (long left = copysets[line] & ~bit(by.id()); left != 0; left &= left - 1) {
            int node = Long.numberOfTrailingZeros(left);
            discard(node, line);
            long answered = found + hardware.way(home, node) + 1 + hardware.way(node, by.id());
            done = Math.max(done, answered);
        }
        copysets[line] = bit(by.id());
        owners[line] = (byte) by.id();
        if (isPresent) {
            setState(by.id(), line, MODIFIED);
        } else {
            put(by, line, MODIFIED);
        }
        return done;
    }

    private void discard(int node, int line) {
        SetCache cache = processors.get(node).cache();
        int place = cache.find(line);
        if (place != SetCache.ABSENT) {
            cache.remove(place);
        }
    }

    private static long bit(int node) {
        return 1L << node;
    }

    /** Does nothing: no cache has an old line. */
    @Override
    public void acquire(NccProcessor by) {}

    /** Waits for all stores. */
    @Override
    public void release(NccProcessor by) {
        by.fence(Spent.MISSES);
    }
}
