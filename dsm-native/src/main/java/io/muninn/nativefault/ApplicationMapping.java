package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.muninn.model.MappingId;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.OptionalInt;
import java.util.function.ToIntBiFunction;

/**
 * A process's side of its node's memory: the regions, whose pages are trapped, and the control
 * memory, which is not. Both are shared with the agent and the other processes of the node.
 *
 * <p><b>Order.</b> {@link #open}, or {@link #join} in a process other than the first, then {@link
 * #attach}, then the first access to {@link #region()}: an access before attach waits, because
 * there is no agent yet to resolve it. After attach a native thread executes the agent's commands
 * and monitors the agent: when the agent is gone, the thread ends this process with exit status 3
 * and a message on stderr, regardless of the state of the Java threads.
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

    private ApplicationMapping(long handle, Shape shape, Way way) {
        this.handle = handle;
        this.kind = shape.kind();
        this.way = way;
        this.region = NativeMemory.at(FaultLibrary.dsm_mapping_region(handle), shape.regionBytes());
        this.control =
                NativeMemory.at(FaultLibrary.dsm_mapping_control(handle), shape.controlBytes());
    }

    /** Size of a machine page, in bytes. Every offset and size of a region is a multiple of it. */
    public static int pageBytes() {
        return FaultLibrary.dsm_page_bytes();
    }

    /**
     * The memory of a node, equal in all of its processes.
     *
     * @param kind how the regions are trapped
     * @param processes of the node, 1 to {@link MappingId#PROCESSES_MAX}
     * @param regionBytes a multiple of {@link #pageBytes()}; uses address space, not memory
     * @param controlBytes a multiple of {@link #pageBytes()}
     * @param watchOffset offset of a 32-bit word in the control memory, in bytes; set to 1 before a
     *     thread stores to a page whose twin its own trap has made
     */
    public record Shape(
            EngineKind kind, int processes, long regionBytes, long controlBytes, long watchOffset) {
        /**
         * @throws IllegalArgumentException if a size is not positive and a multiple of the page
         */
        public Shape {
            checkPages("region", regionBytes);
            checkPages("control", controlBytes);
        }
    }

    /**
     * Creates the memory of a node, sparse and zero, as its first process, and traps the regions.
     *
     * @throws FaultsNotPermittedException if this process is not permitted to open a userfaultfd
     * @throws NativeCallException if the memory cannot be mapped
     */
    public static ApplicationMapping open(Shape shape) {
        return mapped(
                "dsm_mapping_open",
                shape,
                (handle, report) ->
                        FaultLibrary.dsm_mapping_open(
                                shape.kind().code(),
                                shape.processes(),
                                shape.regionBytes(),
                                shape.controlBytes(),
                                shape.watchOffset(),
                                handle.address(),
                                report.address()));
    }

    /**
     * Receives the memory of a node from its agent, as a process other than the first, and traps
     * the regions. {@link #attach} must follow, at the same name and with the same token.
     *
     * @param shape as in the first process, which has attached
     * @param process its number, from 1
     * @param agentSocketName as for {@link #attach}
     * @throws FaultsNotPermittedException as for {@link #open}
     * @throws AttachRefusedException as for {@link #attach}
     * @throws NativeCallException as for {@link #open} and {@link #attach}
     */
    public static ApplicationMapping join(
            Shape shape, int process, String agentSocketName, byte[] token, long lossMillis) {
        NativeMemory.checkToken(token);
        checkLoss(lossMillis);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment verdict = arena.allocate(FaultLibrary.VERDICT_BYTES, Long.BYTES);
            MemorySegment name = NativeMemory.name(arena, agentSocketName);
            MemorySegment secret = arena.allocateFrom(JAVA_BYTE, token);
            return mapped(
                    "dsm_mapping_join",
                    shape,
                    (handle, report) -> {
                        int result =
                                FaultLibrary.dsm_mapping_join(
                                        shape.kind().code(),
                                        shape.processes(),
                                        shape.regionBytes(),
                                        shape.controlBytes(),
                                        shape.watchOffset(),
                                        process,
                                        name.address(),
                                        secret.address(),
                                        (int) lossMillis,
                                        handle.address(),
                                        report.address(),
                                        verdict.address());
                        checkVerdict(result, verdict);
                        return result;
                    });
        }
    }

    /**
     * @param call receives the addresses of the handle and of the report
     */
    private static ApplicationMapping mapped(
            String name, Shape shape, ToIntBiFunction<MemorySegment, MemorySegment> call) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = arena.allocate(JAVA_LONG);
            MemorySegment report = arena.allocate(FaultLibrary.REPORT_BYTES, Long.BYTES);
            int result = call.applyAsInt(handle, report);
            int way = report.get(JAVA_INT, FaultLibrary.REPORT_WAY);
            if (result < 0 && way < 0) {
                throw new FaultsNotPermittedException(notPermitted(report));
            }
            NativeCallException.checked(name, result);
            return new ApplicationMapping(handle.get(JAVA_LONG, 0), shape, Way.of(way));
        }
    }

    private static void checkVerdict(int result, MemorySegment verdict) {
        if (result == -Errno.EACCES) {
            throw new AttachRefusedException(
                    "the agent refused this application: "
                            + verdict.getString(FaultLibrary.VERDICT_TEXT));
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
     * Maps the memory that the agent shares with all its applications, after {@link #attach}. It
     * never faults.
     *
     * @param bytes its size
     * @throws NativeCallException if the agent has passed none, or of another size
     */
    public MemorySegment shared(long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(JAVA_LONG);
            NativeCallException.checked(
                    "dsm_mapping_shared",
                    FaultLibrary.dsm_mapping_shared(handle, bytes, address.address()));
            return NativeMemory.at(address.get(JAVA_LONG, 0), bytes);
        }
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
            checkVerdict(result, verdict);
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
