package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.OptionalInt;

/**
 * The application's side of a node's memory: the regions, whose pages are trapped, and the control
 * memory, which is not. Both are shared with the agent.
 *
 * <p><b>Order.</b> {@link #open}, then {@link #attach}, then the first access to {@link #region()}:
 * an access before attach waits, because there is no agent yet to resolve it. After attach a native
 * thread executes the agent's commands and monitors the agent: when the agent is gone, the thread
 * ends this process with exit status 3 and a message on stderr, regardless of the state of the Java
 * threads.
 *
 * <p><b>Threads.</b> Any platform thread may access the segments; virtual threads must not, since a
 * fault holds the carrier. The mapping exists until the process ends.
 */
public final class ApplicationMapping {
    private final long handle;
    private final EngineKind kind;
    private final Way way;
    private final MemorySegment region;
    private final MemorySegment control;

    private ApplicationMapping(
            long handle, EngineKind kind, Way way, long regionBytes, long controlBytes) {
        this.handle = handle;
        this.kind = kind;
        this.way = way;
        this.region = NativeMemory.at(FaultLibrary.dsm_mapping_region(handle), regionBytes);
        this.control = NativeMemory.at(FaultLibrary.dsm_mapping_control(handle), controlBytes);
    }

    /** Size of a machine page, in bytes. Every offset and size of a region is a multiple of it. */
    public static int pageBytes() {
        return FaultLibrary.dsm_page_bytes();
    }

    /**
     * Creates the memory of the regions and the control memory, sparse and zero, and traps the
     * regions.
     *
     * @param kind how the regions are trapped
     * @param regionBytes a multiple of {@link #pageBytes()}; uses address space, not memory
     * @param controlBytes a multiple of {@link #pageBytes()}
     * @param watchOffset offset of a 32-bit word in the control memory, in bytes; set to 1 before a
     *     thread stores to a page whose twin its own trap has made
     * @throws IllegalArgumentException if a size is not positive and a multiple of the page
     * @throws FaultsNotPermittedException if this process is not permitted to open a userfaultfd
     * @throws NativeCallException if the memory cannot be mapped
     */
    public static ApplicationMapping open(
            EngineKind kind, long regionBytes, long controlBytes, long watchOffset) {
        checkPages("region", regionBytes);
        checkPages("control", controlBytes);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = arena.allocate(JAVA_LONG);
            MemorySegment report = arena.allocate(FaultLibrary.REPORT_BYTES, Long.BYTES);
            int result =
                    FaultLibrary.dsm_mapping_open(
                            kind.code(),
                            regionBytes,
                            controlBytes,
                            watchOffset,
                            handle.address(),
                            report.address());
            int way = report.get(JAVA_INT, FaultLibrary.REPORT_WAY);
            if (result < 0 && way < 0) {
                throw new FaultsNotPermittedException(notPermitted(report));
            }
            NativeCallException.checked("dsm_mapping_open", result);
            return new ApplicationMapping(
                    handle.get(JAVA_LONG, 0), kind, Way.of(way), regionBytes, controlBytes);
        }
    }

    private static void checkPages(String name, long bytes) {
        if (bytes <= 0 || bytes % pageBytes() != 0) {
            throw new IllegalArgumentException(
                    name + " size " + bytes + " is not a positive multiple of " + pageBytes());
        }
    }

    /** The content of {@code struct dsm_open_report}, as text for the user. */
    static String notPermitted(MemorySegment report) {
        StringBuilder text = new StringBuilder("page faults cannot be trapped here; tried:");
        for (Way way : Way.TO_USERFAULTFD) {
            int errno = report.getAtIndex(JAVA_INT, way.ordinal());
            text.append("\n  ").append(way.text()).append(": ").append(Errno.name(errno));
            text.append(errno == Errno.EINVAL ? "" : "; needs " + way.remedy());
        }
        long missing = report.get(JAVA_LONG, FaultLibrary.REPORT_MISSING);
        if (missing != 0) {
            text.append("\n  the kernel lacks userfaultfd features 0x")
                    .append(Long.toHexString(missing))
                    .append("; Linux 6.6 or newer has them");
        }
        return text.toString();
    }

    /** How the regions are trapped. */
    public EngineKind kind() {
        return kind;
    }

    /** How this process obtained the means to change the access of its pages. */
    public Way way() {
        return way;
    }

    /**
     * The regions, trapped. The segment has global scope, so that long loops over it compile as
     * loops over an array. A process without an agent must not use it.
     */
    public MemorySegment region() {
        return region;
    }

    /** Memory shared with the agent that never faults: lock words and counters. */
    public MemorySegment control() {
        return control;
    }

    /**
     * Passes the memory to the agent and starts to monitor the agent.
     *
     * @param agentSocketName abstract Unix name of the agent's {@link AgentSocket}, 1 to 100 bytes
     * @param token the 32 bytes that the agent expects
     * @param nodeId this node, for messages
     * @param lossMillis time without a command after which the agent counts as gone, 1 to 2^31 - 1
     * @throws AttachRefusedException if the agent refused; the text is its reason
     * @throws NativeCallException if no agent listens at that name (ECONNREFUSED), it did not
     *     answer within {@code lossMillis} (ETIMEDOUT), or this mapping is attached already
     *     (EALREADY)
     */
    public void attach(String agentSocketName, byte[] token, int nodeId, long lossMillis) {
        NativeMemory.checkToken(token);
        checkLoss(lossMillis);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment verdict = arena.allocate(FaultLibrary.VERDICT_BYTES, Long.BYTES);
            int result =
                    FaultLibrary.dsm_mapping_attach(
                            handle,
                            NativeMemory.name(arena, agentSocketName).address(),
                            arena.allocateFrom(JAVA_BYTE, token).address(),
                            nodeId,
                            (int) lossMillis,
                            verdict.address());
            if (result == -Errno.EACCES) {
                throw new AttachRefusedException(
                        "the agent refused this application: "
                                + verdict.getString(FaultLibrary.VERDICT_TEXT));
            }
            NativeCallException.checked("dsm_mapping_attach", result);
        }
    }

    /**
     * Sets the time without a command after which the agent counts as gone, from its next command
     * on.
     *
     * @param lossMillis 1 to 2^31 - 1
     */
    public void allowSilence(long lossMillis) {
        checkLoss(lossMillis);
        FaultLibrary.dsm_mapping_allow_silence(handle, (int) lossMillis);
    }

    /**
     * Prints a warning if a library has replaced the signal handler of a signal engine, which may
     * be the cause of a failed access. The native thread does the same regularly; it is printed
     * once.
     */
    public void warnOfReplacedHandler() {
        FaultLibrary.dsm_mapping_watch(handle);
    }

    private static void checkLoss(long lossMillis) {
        if (lossMillis <= 0 || lossMillis > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("lossMillis " + lossMillis + " is not 1..2^31-1");
        }
    }

    /**
     * The descriptor that notifies the agent of posts in shared memory; empty if faults are not
     * caught by signals.
     */
    public OptionalInt tellFd() {
        int fd = FaultLibrary.dsm_mapping_event_fd(handle);
        return fd < 0 ? OptionalInt.empty() : OptionalInt.of(fd);
    }
}
