package io.muninn.spi;

/**
 * A counter of a node. Codes never change meaning: they are positions in shared memory and in
 * reports.
 */
public enum NodeCounter {
    READ_FAULTS(0, "readFaults", "muninn.faults.read", "Loads that stopped at a page"),
    WRITE_FAULTS(1, "writeFaults", "muninn.faults.write", "Stores that stopped, upgrades included"),
    PAGES_FETCHED(2, "pagesFetched", "muninn.pages.fetched", "Pages received and installed"),
    PAGES_SENT(3, "pagesSent", "muninn.pages.sent", "Pages sent to other nodes"),
    TWINS_MADE(4, "twinsMade", "muninn.twins.made", "Twins made"),
    DIFFS_MADE(5, "diffsMade", "muninn.diffs.made", "Diffs made that were not empty"),
    DIFFS_EMPTY(6, "diffsEmpty", "muninn.diffs.empty", "Pages found equal to their twins"),
    DIFFS_APPLIED(7, "diffsApplied", "muninn.diffs.applied", "Diffs of other nodes applied"),
    INVALIDATIONS(8, "invalidations", "muninn.invalidations", "Copies ended by another node"),
    FORWARDS(9, "forwards", "muninn.forwards", "Requests passed on to a probable owner"),
    FLUSHES(10, "flushes", "muninn.flushes", "Flushes of the delayed update queue"),
    LOCK_CALLS(11, "lockCalls", "muninn.locks.calls", "Acquires that called the agent"),
    TOKENS_PASSED(12, "tokensPassed", "muninn.locks.passed", "Lock tokens passed to a node"),
    BARRIERS(13, "barriers", "muninn.barriers", "Barriers passed, once per node"),
    DEAD_IMAGES(14, "deadImages", "muninn.pages.dead", "Images dead on arrival, not installed"),
    FAULT_NANOS(15, "faultNanos", "muninn.faults.time", "Time threads were stopped at pages"),
    LOCK_NANOS(16, "lockNanos", "muninn.locks.time", "Time threads waited for locks"),
    BARRIER_NANOS(17, "barrierNanos", "muninn.barriers.time", "Time threads waited at barriers"),
    MESSAGES(18, "messages", "muninn.messages", "Messages sent"),
    BYTES(19, "bytes", "muninn.bytes", "Bytes of messages sent, frames included"),
    RECEIVE_NANOS(20, "receiveNanos", "muninn.messages.time", "Time threads waited for messages"),
    CALLS_SHIPPED(21, "callsShipped", "muninn.calls", "Calls of shipped objects by other nodes"),
    CALL_NANOS(22, "callNanos", "muninn.calls.time", "Time threads waited for shipped objects"),
    CONDITION_NANOS(23, "conditionNanos", "muninn.conditions.time", "Time threads awaited signals"),
    UPDATE_TIMEOUTS(24, "updateTimeouts", "muninn.updates.timeouts", "Unused copies given up"),
    UPDATE_LISTS_SENT(
            25, "updateListsSent", "muninn.updates.lists", "Lists sent in place of diffs"),
    UPDATES_REQUESTED(
            26, "updatesRequested", "muninn.updates.requested", "Diffs asked for after a list"),
    TRAP_TWINS(27, "trapTwins", "muninn.twins.trap", "Write faults whose trap made the twin"),
    TWINS_KEPT(28, "twinsKept", "muninn.twins.kept", "Comparisons that kept the twin and access"),
    PAGES_HEATED(29, "pagesHeated", "muninn.pages.heated", "Pages that became hot"),
    PAGES_COOLED(30, "pagesCooled", "muninn.pages.cooled", "Hot pages that became cold"),
    PAGES_AHEAD(31, "pagesAhead", "muninn.pages.ahead", "Pages asked for before a thread was"),
    PAGES_OPENED(
            32, "pagesOpened", "muninn.pages.opened", "Pages opened with the one that was touched"),
    CONNECTIONS_REFUSED(
            33,
            "connectionsRefused",
            "muninn.connections.refused",
            "Connections of strangers that were closed"),
    PREFETCHES(34, "prefetches", "muninn.prefetches", "Pages that the program has prefetched"),
    PREFETCHES_UNNECESSARY(
            35,
            "prefetchesUnnecessary",
            "muninn.prefetches.unnecessary",
            "Prefetched pages that were here or under way already"),
    PREFETCH_HITS(
            36,
            "prefetchHits",
            "muninn.prefetches.hits",
            "Prefetched pages used when they were here"),
    PREFETCHES_LATE(
            37,
            "prefetchesLate",
            "muninn.prefetches.late",
            "Prefetched pages used while they were under way"),
    PREFETCHES_INVALIDATED(
            38,
            "prefetchesInvalidated",
            "muninn.prefetches.invalidated",
            "Prefetched pages lost before they were used"),
    COLLECTIONS(
            39, "collections", "muninn.lazy.collections", "Collections of lazy data, on the root"),
    LAZY_BYTES_MOST(
            40, "lazyBytesMost", "muninn.lazy.most", "Most bytes of lazy data kept at a time"),
    PUSHES_SENT(41, "pushesSent", "muninn.pushes.sent", "Pages pushed, once for each reader"),
    PUSHED_BYTES(42, "pushedBytes", "muninn.pushes.bytes", "Bytes of diffs pushed"),
    PUSHES_RECEIVED(43, "pushesReceived", "muninn.pushes.received", "Pages pushed to this node"),
    PUSHES_USEFUL(44, "pushesUseful", "muninn.pushes.useful", "Copies that pushes made current"),
    PUSHES_WASTED(
            45, "pushesWasted", "muninn.pushes.wasted", "Pages of which pushed diffs were dropped"),
    AGENT_NANOS(
            46,
            "agentNanos",
            "muninn.agent.time",
            "Processor time of the agent's thread, counted by the first node that it serves"),
    REMOTE_DIRECT(
            47,
            "remoteDirect",
            "muninn.remote.direct",
            "Operations on remote words that threads of the program performed themselves"),
    REMOTE_SINGLE(
            48,
            "remoteSingle",
            "muninn.remote.single",
            "Operations on remote words that had a message of their own"),
    REMOTE_AGGREGATED(
            49,
            "remoteAggregated",
            "muninn.remote.aggregated",
            "Operations on remote words that shared a message with others"),
    REMOTE_BYTES(
            50,
            "remoteBytes",
            "muninn.remote.bytes",
            "Bytes of operations on remote words sent, and of answers received"),
    TRAP_ENTRIES(51, "trapEntries", "muninn.pages.entered", "Pages of a pool that traps entered"),
    LINKS_HEALED(
            52,
            "linksHealed",
            "muninn.links.healed",
            "Links to other nodes that have another connection after a cut"),
    FRAMES_AGAIN(
            53, "framesAgain", "muninn.links.frames", "Frames sent again when their link healed"),
    BYTES_AGAIN(
            54, "bytesAgain", "muninn.links.bytes", "Bytes of frames sent again, headers included");

    private final int code;
    private final String key;
    private final String meter;
    private final String description;

    NodeCounter(int code, String key, String meter, String description) {
        this.code = code;
        this.key = key;
        this.meter = meter;
        this.description = description;
    }

    /** Position in the counter table, from 0, dense. */
    public int code() {
        return code;
    }

    /** Key in reports. */
    public String key() {
        return key;
    }

    /** Name of the meter. */
    public String meter() {
        return meter;
    }

    public String description() {
        return description;
    }

    /** True for counters of nanoseconds. */
    public boolean isTime() {
        return key.endsWith("Nanos");
    }

    /** True for counters of the time that threads of the program waited. */
    public boolean isWait() {
        return isTime() && this != AGENT_NANOS;
    }
}
