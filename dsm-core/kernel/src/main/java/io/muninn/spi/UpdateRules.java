package io.muninn.spi;

/**
 * The rules of updates, the same on every node: how updates of write-shared pages are sent, how
 * long a node keeps an unused copy, how far ahead it requests copies, how much lazy data it keeps,
 * how many nodes store to a lazy page at a time, the variant of weak pages, and when messages are
 * full.
 *
 * <p>Source: Munin §2.3, note 2, and §2.4.
 *
 * @param timeoutNanos a copy that no local thread has used for this time is given up when the next
 *     update arrives; {@link #NEVER} keeps every copy
 * @param packetBytes if the diffs for one node are longer together, a list is sent, from which that
 *     node requests the diffs that it needs; {@link #ALL_DIRECT} sends no lists
 * @param steadyAccess an access that a thread has requested is kept for the time of the window,
 *     regardless of updates: so a page that is used all the time faults once in a window, and an
 *     unused copy is given up a window later; without it the next update withdraws the access
 * @param readAhead how far ahead pages are prepared
 * @param lazyBytes a node that keeps more {@linkplain CoherenceProtocol#lazyBytes lazy data}
 *     requests a collection; at least 1
 * @param lazyWriters how many nodes may store to a lazy page at a time
 * @param views what an acquire invalidates on a node with several processes, under home-based pages
 * @param weak the variant of weak pages
 * @param limits when messages are full; no option of a run
 */
public record UpdateRules(
        long timeoutNanos,
        int packetBytes,
        boolean steadyAccess,
        ReadAheadRules readAhead,
        long lazyBytes,
        LazyWriters lazyWriters,
        Views views,
        WeakRules weak,
        MessageLimits limits) {
    public static final long NEVER = Long.MAX_VALUE;
    public static final int ALL_DIRECT = Integer.MAX_VALUE;

    /** Lazy data of a run without options. */
    public static final long LAZY_BYTES_USUAL = 4 << 20;

    /**
     * The rules of a run without options: the window of Munin's prototype, direct updates, steady
     * access, no read-ahead.
     */
    public static final UpdateRules DEFAULT =
            new UpdateRules(50_000_000, ALL_DIRECT, true, ReadAheadRules.OFF);

    /** Every diff is sent to every holder, no copy is given up, and none is requested ahead. */
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

    /** Rules with one view of the pages per node, and the default limits of messages. */
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
                Views.OF_NODE,
                WeakRules.DEFAULT,
                MessageLimits.USUAL);
    }

    /** Rules with several writers of lazy pages. */
    public UpdateRules(
            long timeoutNanos,
            int packetBytes,
            boolean steadyAccess,
            ReadAheadRules readAhead,
            long lazyBytes) {
        this(timeoutNanos, packetBytes, steadyAccess, readAhead, lazyBytes, LazyWriters.MULTIPLE);
    }

    /** Rules with the default bound of lazy data. */
    public UpdateRules(
            long timeoutNanos, int packetBytes, boolean steadyAccess, ReadAheadRules readAhead) {
        this(timeoutNanos, packetBytes, steadyAccess, readAhead, LAZY_BYTES_USUAL);
    }

    /** The rules of Munin: every update withdraws access, and nothing is requested ahead. */
    public UpdateRules(long timeoutNanos, int packetBytes) {
        this(timeoutNanos, packetBytes, false, ReadAheadRules.OFF);
    }

    /** These rules with other read-ahead. */
    public UpdateRules withReadAhead(ReadAheadRules rules) {
        return new UpdateRules(
                timeoutNanos,
                packetBytes,
                steadyAccess,
                rules,
                lazyBytes,
                lazyWriters,
                views,
                weak,
                limits);
    }

    /** These rules with or without steady access. */
    public UpdateRules withSteadyAccess(boolean isSteady) {
        return new UpdateRules(
                timeoutNanos,
                packetBytes,
                isSteady,
                readAhead,
                lazyBytes,
                lazyWriters,
                views,
                weak,
                limits);
    }

    /** These rules with another bound of lazy data. */
    public UpdateRules withLazyBytes(long bytes) {
        return new UpdateRules(
                timeoutNanos,
                packetBytes,
                steadyAccess,
                readAhead,
                bytes,
                lazyWriters,
                views,
                weak,
                limits);
    }

    /** These rules with other writers of lazy pages. */
    public UpdateRules withLazyWriters(LazyWriters writers) {
        return new UpdateRules(
                timeoutNanos,
                packetBytes,
                steadyAccess,
                readAhead,
                lazyBytes,
                writers,
                views,
                weak,
                limits);
    }

    /** These rules with other views. */
    public UpdateRules withViews(Views others) {
        return new UpdateRules(
                timeoutNanos,
                packetBytes,
                steadyAccess,
                readAhead,
                lazyBytes,
                lazyWriters,
                others,
                weak,
                limits);
    }

    /**
     * These rules for nodes of some number of processes: several have a view each, under the views
     * of these rules or, if the node would have one, under those of a run without options.
     */
    public UpdateRules forProcesses(int processes) {
        if (processes == 1) {
            return withViews(Views.OF_NODE);
        }
        return views == Views.OF_NODE ? withViews(Views.USUAL) : this;
    }

    /** These rules with another variant of weak pages. */
    public UpdateRules withWeak(WeakRules variant) {
        return new UpdateRules(
                timeoutNanos,
                packetBytes,
                steadyAccess,
                readAhead,
                lazyBytes,
                lazyWriters,
                views,
                variant,
                limits);
    }

    /** These rules with other limits of messages. */
    public UpdateRules withLimits(MessageLimits others) {
        return new UpdateRules(
                timeoutNanos,
                packetBytes,
                steadyAccess,
                readAhead,
                lazyBytes,
                lazyWriters,
                views,
                weak,
                others);
    }

    /** True if copies are given up at all. */
    public boolean timesOut() {
        return timeoutNanos != NEVER;
    }

    /**
     * Time for which an access that a thread has just requested is kept in any case.
     *
     * @param holdNanos time that the thread needs to use it
     */
    public long accessNanos(long holdNanos) {
        return steadyAccess && timesOut() ? Math.max(holdNanos, timeoutNanos) : holdNanos;
    }

    /** The rules as text, for messages and for nodes that compare their rules. */
    public String text() {
        return "update timeout "
                + (timesOut() ? timeoutNanos / 1_000 + " us" : "off")
                + ", update lists "
                + (packetBytes == ALL_DIRECT ? "off" : "above " + packetBytes + " bytes")
                + ", steady access "
                + (steadyAccess ? "on" : "off")
                + ", read-ahead "
                + (readAhead.isOn() ? "up to " + readAhead.pagesMax() + " pages" : "off")
                + (readAhead.repeatsLate() ? ", late prefetches are repeated" : "")
                + (lazyBytes == LAZY_BYTES_USUAL ? "" : ", lazy data up to " + lazyBytes + " bytes")
                + (lazyWriters == LazyWriters.MULTIPLE ? "" : ", single writers of lazy pages")
                + (views == Views.OF_NODE ? "" : ", " + views.text())
                + (weak.equals(WeakRules.DEFAULT) ? "" : ", " + weak.text())
                + (limits.equals(MessageLimits.USUAL) ? "" : ", " + limits.text());
    }
}
