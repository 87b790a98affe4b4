package io.muninn.spi;

/**
 * How updates of write-shared pages travel, how long a node keeps a copy that it does not use, how
 * far ahead it asks for copies, how much it keeps for others, how many nodes store to a lazy page
 * at a time, and when messages are full; the same on every node.
 *
 * <p>Source: Munin §2.3, note 2, and §2.4.
 *
 * @param timeoutNanos a copy that no local thread has used for so long is given up when the next
 *     update comes; {@link #NEVER} keeps every copy
 * @param packetBytes diffs for one node that are longer together are offered by a list, of which
 *     that node asks for what it wants; {@link #ALL_DIRECT} sends no lists
 * @param steadyAccess an access that a thread has asked for is left for the time of the window,
 *     whatever updates come: so a page that is used all the time faults once in a window, and a
 *     copy that is not is given up a window later; without it the next update takes the access
 * @param readAhead how far ahead pages are made ready
 * @param lazyBytes a node that keeps more {@linkplain CoherenceProtocol#lazyBytes lazy data} asks
 *     for its collection; at least 1
 * @param lazyWriters how many nodes may store to a lazy page at a time
 * @param limits when messages are full; no option of a run
 */
public record UpdateRules(
        long timeoutNanos,
        int packetBytes,
        boolean steadyAccess,
        ReadAheadRules readAhead,
        long lazyBytes,
        LazyWriters lazyWriters,
        MessageLimits limits) {
    public static final long NEVER = Long.MAX_VALUE;
    public static final int ALL_DIRECT = Integer.MAX_VALUE;

    /** Lazy data of a run without options. */
    public static final long LAZY_BYTES_USUAL = 4 << 20;

    /**
     * What a run has without options: the window of Munin's prototype, direct updates, steady
     * access, no read-ahead.
     */
    public static final UpdateRules DEFAULT =
            new UpdateRules(50_000_000, ALL_DIRECT, true, ReadAheadRules.OFF);

    /** Every diff goes to every holder, no copy is given up, and none is asked for ahead. */
    public static final UpdateRules PLAIN = new UpdateRules(NEVER, ALL_DIRECT);

    public UpdateRules {
        if (timeoutNanos < 0 || packetBytes < 0) {
            throw new IllegalArgumentException(
                    "update timeout " + timeoutNanos + " ns, packets of " + packetBytes + " bytes");
        }
        if (lazyBytes < 1) {
            throw new IllegalArgumentException(lazyBytes + " bytes of lazy data");
        }
    }

    /** With the usual limits of messages. */
    public UpdateRules(
            long timeoutNanos,
            int packetBytes,
            boolean steadyAccess,
            ReadAheadRules readAhead,
            long lazyBytes,
            LazyWriters lazyWriters) {
        this(
                timeoutNanos,
                packetBytes,
                steadyAccess,
                readAhead,
                lazyBytes,
                lazyWriters,
                MessageLimits.USUAL);
    }

    /** With several writers of lazy pages. */
    public UpdateRules(
            long timeoutNanos,
            int packetBytes,
            boolean steadyAccess,
            ReadAheadRules readAhead,
            long lazyBytes) {
        this(timeoutNanos, packetBytes, steadyAccess, readAhead, lazyBytes, LazyWriters.MULTIPLE);
    }

    /** With the usual bound of lazy data. */
    public UpdateRules(
            long timeoutNanos, int packetBytes, boolean steadyAccess, ReadAheadRules readAhead) {
        this(timeoutNanos, packetBytes, steadyAccess, readAhead, LAZY_BYTES_USUAL);
    }

    /** As Munin has it: every update takes access, and nothing is asked for ahead. */
    public UpdateRules(long timeoutNanos, int packetBytes) {
        this(timeoutNanos, packetBytes, false, ReadAheadRules.OFF);
    }

    /** The same, but for how far ahead pages are made ready. */
    public UpdateRules withReadAhead(ReadAheadRules rules) {
        return new UpdateRules(
                timeoutNanos, packetBytes, steadyAccess, rules, lazyBytes, lazyWriters, limits);
    }

    /** The same, but for how long access is left. */
    public UpdateRules withSteadyAccess(boolean isSteady) {
        return new UpdateRules(
                timeoutNanos, packetBytes, isSteady, readAhead, lazyBytes, lazyWriters, limits);
    }

    /** The same, but for how much lazy data is kept. */
    public UpdateRules withLazyBytes(long bytes) {
        return new UpdateRules(
                timeoutNanos, packetBytes, steadyAccess, readAhead, bytes, lazyWriters, limits);
    }

    /** The same, but for the writers of lazy pages. */
    public UpdateRules withLazyWriters(LazyWriters writers) {
        return new UpdateRules(
                timeoutNanos, packetBytes, steadyAccess, readAhead, lazyBytes, writers, limits);
    }

    /** The same, but for when messages are full. */
    public UpdateRules withLimits(MessageLimits others) {
        return new UpdateRules(
                timeoutNanos, packetBytes, steadyAccess, readAhead, lazyBytes, lazyWriters, others);
    }

    /** True if copies are given up at all. */
    public boolean timesOut() {
        return timeoutNanos != NEVER;
    }

    /**
     * How long an access that a thread has just asked for is left in any case.
     *
     * @param holdNanos time that the thread needs to use it
     */
    public long accessNanos(long holdNanos) {
        return steadyAccess && timesOut() ? Math.max(holdNanos, timeoutNanos) : holdNanos;
    }

    /** For a person, and for nodes that compare theirs. */
    public String text() {
        return "update timeout "
                + (timesOut() ? timeoutNanos / 1_000 + " us" : "off")
                + ", update lists "
                + (packetBytes == ALL_DIRECT ? "off" : "above " + packetBytes + " bytes")
                + ", steady access "
                + (steadyAccess ? "on" : "off")
                + ", read-ahead "
                + (readAhead.isOn() ? "up to " + readAhead.pagesMax() + " pages" : "off")
                + (lazyBytes == LAZY_BYTES_USUAL ? "" : ", lazy data up to " + lazyBytes + " bytes")
                + (lazyWriters == LazyWriters.MULTIPLE ? "" : ", single writers of lazy pages")
                + (limits.equals(MessageLimits.USUAL) ? "" : ", " + limits.text());
    }
}
