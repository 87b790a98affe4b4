package io.muninn.sim.machine;

import java.util.Arrays;

/**
 * The lines that a write-back cache holds, and their states; set-associative, with replacement of
 * the line that was not used for longest.
 */
public final class SetCache {
    /** There is no such line. */
    public static final int ABSENT = -1;

    /** Other caches of the node may hold the line. */
    public static final byte SHARED = 1;

    /** No other cache of the node holds the line. */
    public static final byte EXCLUSIVE = 2;

    /** As EXCLUSIVE, and memory lacks a store. */
    public static final byte MODIFIED = 3;

    private final int ways;
    private final int setMask;
    private final int[] lines; // by set, the line used last first
    private final byte[] states;
    private int victim = ABSENT;
    private byte victimState;

    /**
     * @param sets a power of two
     */
    public SetCache(int sets, int ways) {
        this.ways = ways;
        setMask = sets - 1;
        lines = new int[sets * ways];
        states = new byte[sets * ways];
        Arrays.fill(lines, ABSENT);
    }

    /** The place of a line, or {@link #ABSENT}. */
    public int find(int line) {
        int first = (line & setMask) * ways;
        for (int i = first; i < first + ways; i++) {
            if (lines[i] == line) {
                return i;
            }
        }
        return ABSENT;
    }

    /** The state of the line at a place. */
    public byte state(int place) {
        return states[place];
    }

    /** Sets the state of the line at a place. */
    public void state(int place, byte state) {
        states[place] = state;
    }

    /** Makes a line the one that was used last. Returns its new place. */
    public int use(int place) {
        int first = place - place % ways;
        int line = lines[place];
        byte state = states[place];
        for (int i = place; i > first; i--) {
            lines[i] = lines[i - 1];
            states[i] = states[i - 1];
        }
        lines[first] = line;
        states[first] = state;
        return first;
    }

    /** Adds an absent line in the place of the victim of its set. */
    public void put(int line, byte state) {
        int last = (line & setMask) * ways + ways - 1;
        victim = lines[last];
        victimState = states[last];
        lines[last] = line;
        states[last] = state;
        use(last);
    }

    /** The line that the last {@link #put} has replaced, or {@link #ABSENT}. */
    public int victim() {
        return victim;
    }

    /** The state of the victim. */
    public byte victimState() {
        return victimState;
    }

    boolean isVictimModified() {
        return victim != ABSENT && victimState == MODIFIED;
    }

    /** Removes a line. */
    public void remove(int place) {
        lines[place] = ABSENT;
        states[place] = 0;
    }
}
