package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.muninn.model.FaultKind;
import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The agent's side of a node's memory: reads the faults of its processes and sets the access of
 * their pages. Mechanism only.
 *
 * <p><b>Processes.</b> The processes of a node share content, control memory and twins; each has
 * access of its own, given by {@link #allow}. Whatever takes access takes it from all of them.
 * {@link TrappedProcess} has what belongs to one.
 *
 * <p><b>Shape.</b> Offsets and sizes are in bytes from the start of the regions and, unless a
 * method says otherwise, multiples of {@link ApplicationMapping#pageBytes()}. The agent accesses
 * the same memory through {@link #alias()}, which never faults. Reading a page without content
 * through the alias gives it content: zeros.
 *
 * <p><b>Order.</b> A fault is resolved by giving the page content (through the alias, or {@link
 * #touch}), then {@link #allow}, then {@link #wake}; a thread woken too early faults again.
 *
 * <p><b>Traps.</b> With {@link EngineKind#UFFD_SIGNAL} and {@link EngineKind#MPROTECT_SIGNAL} a
 * page that was {@linkplain #offer offered} may be claimed by a thread that stores to it: the
 * thread's trap makes the twin and permits the store. The agent takes such a page back with {@link
 * #seize} or {@link #freeze} before it changes the page's access or reads it as stable content; a
 * change of access of a page that the agent does not have is refused (EBUSY). Neither call waits,
 * because the thread may be stopped at any step. A page that was never offered needs none of this.
 * With a {@link PoolSegment}, an absent page can be {@linkplain PoolPages offered} as well. {@code
 * docs/decisions/0034-signals-as-traps.md} has the table.
 *
 * <p><b>Errors.</b> Every method throws {@link NativeCallException} for a range outside the regions
 * (EINVAL) and for failed system calls. An application that has ended is not an error: calls do
 * nothing, and {@link CommandSink#onApplicationGone} reports it. Words of the application are
 * checked when read; values that it never writes cause {@link BrokenMemoryException}.
 *
 * <p><b>Mappings.</b> With {@link EngineKind#MPROTECT_SIGNAL} every change of access, also one to
 * NONE, throws {@link MappingLimitException} if a process would have too many mappings. Each change
 * waits for a task of the process that keeps running while the process is stopped. This takes
 * microseconds, or at most five seconds if the task itself was stopped (ETIMEDOUT).
 *
 * <p><b>Threads.</b> The agent thread only. No call waits for an application thread.
 */
public final class FaultEngine implements AutoCloseable {
    private static final VarHandle INTS = JAVA_INT.varHandle();

    private final long regionBytes;
    private final MemorySegment alias;
    private final MemorySegment control;
    private final MemorySegment faults;
    private final MemorySegment news;
    private final MemorySegment replies;
    private final List<TrappedProcess> processes = new ArrayList<>();
    private final EngineKind kind;
    private final Way way;
    private MemorySegment posted = MemorySegment.NULL; // set by watchEdges(): 0 means no new fault
    private int lastFaults; // read by the last call; a full batch means that there may be more
    private long handle;

    FaultEngine(long handle) {
        this.handle = handle;
        regionBytes = FaultLibrary.dsm_engine_region_bytes(handle);
        alias = NativeMemory.at(FaultLibrary.dsm_engine_alias(handle), regionBytes);
        control =
                NativeMemory.at(
                        FaultLibrary.dsm_engine_control(handle),
                        FaultLibrary.dsm_engine_control_bytes(handle));
        faults =
                NativeMemory.at(
                        FaultLibrary.dsm_engine_faults(handle),
                        (long) FaultLibrary.FAULT_BATCH_MAX * FaultLibrary.FAULT_BYTES);
        news =
                NativeMemory.at(
                        FaultLibrary.dsm_engine_news(handle),
                        (long) FaultLibrary.NEWS_BATCH_MAX * FaultLibrary.NEWS_BYTES);
        replies =
                NativeMemory.at(
                        FaultLibrary.dsm_engine_replies(handle),
                        (long) FaultLibrary.COMMAND_BATCH_MAX * FaultLibrary.COMMAND_BYTES);
        kind = EngineKind.of(FaultLibrary.dsm_engine_kind(handle));
        way = Way.of(FaultLibrary.dsm_engine_way(handle));
        addProcess();
    }

    /** Records the process that has attached last. */
    TrappedProcess addProcess() {
        TrappedProcess added = new TrappedProcess(this, MappingId.of(processes.size()), replies);
        processes.add(added);
        return added;
    }

    /** The processes that have attached, by their numbers. */
    public List<TrappedProcess> processes() {
        return Collections.unmodifiableList(processes);
    }

    /** The first process. */
    public TrappedProcess first() {
        return processes.getFirst();
    }

    /**
     * Stops reading {@link TrappedProcess#faultFd}, which must then be watched edge-triggered: an
     * edge reports faults or {@linkplain Mailboxes posted} calls. Saves one system call per edge.
     *
     * @return false if the engine has no traps; the descriptor is then readable as before
     */
    public boolean watchEdges() {
        long word = FaultLibrary.dsm_engine_watch_edges(open());
        posted = NativeMemory.at(word, word == 0 ? 0 : Integer.BYTES);
        return word != 0;
    }

    /** The node that the application passed to {@link ApplicationMapping#attach}. */
    public int nodeId() {
        return FaultLibrary.dsm_engine_node(open());
    }

    /** How the application is trapped. */
    public EngineKind kind() {
        return kind;
    }

    /** How the application obtained the means to change the access of its pages. */
    public Way way() {
        return way;
    }

    public long regionBytes() {
        return regionBytes;
    }

    /**
     * The regions, never trapped. Global scope: invalid after {@link #close()}, without a check.
     */
    public MemorySegment alias() {
        return alias;
    }

    /** The control memory. Global scope: invalid after {@link #close()}, without a check. */
    public MemorySegment control() {
        return control;
    }

    /** Memory allocated to the regions, in bytes and whole pages, by any process. */
    public long allocatedBytes() {
        return NativeCallException.checked(
                "dsm_engine_allocated_bytes", FaultLibrary.dsm_engine_allocated_bytes(open()));
    }

    /**
     * Delivers pending faults, oldest first, at most 64. Call again while it returns 64.
     *
     * @param of the process whose descriptor is readable; an engine with traps delivers the faults
     *     of all processes
     * @return number of faults delivered
     */
    public int readFaults(MappingId of, FaultSink sink) {
        if (lastFaults < FaultLibrary.FAULT_BATCH_MAX
                && posted.byteSize() > 0
                && (int) INTS.getVolatile(posted, 0L) == 0) {
            return 0; // the edges were for calls only
        }
        int count =
                BrokenMemoryException.checked(
                        "dsm_engine_read_faults",
                        FaultLibrary.dsm_engine_read_faults(open(), of.index()));
        lastFaults = count;
        for (int i = 0; i < count; i++) {
            long at = (long) i * FaultLibrary.FAULT_BYTES;
            sink.onFault(
                    MappingId.of(faults.get(JAVA_INT, at + FaultLibrary.FAULT_PROCESS)),
                    faults.get(JAVA_LONG, at),
                    kind(faults.get(JAVA_INT, at + FaultLibrary.FAULT_KIND)),
                    faults.get(JAVA_INT, at + FaultLibrary.FAULT_THREAD));
        }
        return count;
    }

    private static FaultKind kind(int code) {
        return switch (code) {
            case 0 -> FaultKind.READ;
            case 1 -> FaultKind.WRITE;
            case 2 -> FaultKind.UPGRADE;
            default -> throw new IllegalStateException("fault kind " + code);
        };
    }

    /**
     * Takes a page from the traps unless a trap has made its twin or is entering it. If the result
     * is AGENT and the access is READ, no store of the application is in progress or can follow.
     *
     * @param bytes size of the page: a power of two up to 65536; {@code offset} is a multiple of it
     * @return AGENT, LIFTING, DIRTY or ENTERING; AGENT for every page if there are no traps
     */
    public TrapState freeze(long offset, int bytes) {
        return !kind.hasTraps()
                ? TrapState.AGENT
                : TrapState.of(
                        NativeCallException.checked(
                                "dsm_engine_freeze",
                                FaultLibrary.dsm_engine_freeze(open(), offset, bytes)));
    }

    /**
     * Takes a page from the traps, also a dirty one. Its access and its twin do not change.
     *
     * @param bytes as for {@link #freeze}
     * @return AGENT; or LIFTING if a trap is about to permit its thread's store: the page cannot be
     *     taken now, its twin is complete, and it counts as stored to; or ENTERING if a trap is
     *     about to permit loads: the page cannot be taken now either
     */
    public TrapState seize(long offset, int bytes) {
        return !kind.hasTraps()
                ? TrapState.AGENT
                : TrapState.of(
                        NativeCallException.checked(
                                "dsm_engine_seize",
                                FaultLibrary.dsm_engine_seize(open(), offset, bytes)));
    }

    /**
     * Permits a trap to make the twin of a page whose access is READ and to give READ_WRITE.
     *
     * @param bytes as for {@link #freeze}
     * @return true if the page is offered; false while a trap from which it was taken may still
     *     copy it, and always without traps
     * @throws NativeCallException also if the agent does not have the page (EBUSY)
     */
    public boolean offer(long offset, int bytes) {
        return kind.hasTraps()
                && NativeCallException.checked(
                                "dsm_engine_offer",
                                FaultLibrary.dsm_engine_offer(open(), offset, bytes))
                        == 1;
    }

    /** The state of the page at this offset; AGENT for every page if there are no traps. */
    public TrapState trapState(long offset) {
        return !kind.hasTraps()
                ? TrapState.AGENT
                : TrapState.of(
                        NativeCallException.checked(
                                "dsm_engine_trap_state",
                                FaultLibrary.dsm_engine_trap_state(open(), offset)));
    }

    /**
     * Delivers what traps have done to pages since the last call: each twin and each entry, which
     * is recorded before a thread can access the page. The page may have been taken back in the
     * meantime.
     *
     * @throws BrokenMemoryException as the class says
     * @throws NativeCallException if a trap could not copy a frame, because the machine is out of
     *     memory (ENOMEM)
     */
    public void readDirtied(DirtiedSink sink) {
        if (!kind.hasTraps()) {
            return;
        }
        int count;
        do {
            count =
                    BrokenMemoryException.checked(
                            "dsm_engine_read_news", FaultLibrary.dsm_engine_read_news(open()));
            for (int i = 0; i < count; i++) {
                deliver(sink, (long) i * FaultLibrary.NEWS_BYTES);
            }
        } while (count > 0);
    }

    private void deliver(DirtiedSink sink, long at) {
        long offset = news.get(JAVA_LONG, at);
        int bits = news.get(JAVA_INT, at + FaultLibrary.NEWS_BITS);
        if ((bits & FaultLibrary.NEWS_ENTERED) != 0) {
            sink.onEntered(offset);
        }
        if ((bits & FaultLibrary.NEWS_UNSAFE) != 0) {
            sink.onUnsafe(offset);
        }
        if ((bits & FaultLibrary.NEWS_DIRTIED) != 0) {
            sink.onDirtied(offset);
        }
    }

    /**
     * Adopts the twin that a trap has made of a page that is LIFTING or DIRTY.
     *
     * @return the address of the twin, to be freed by {@link #freeTwin}
     * @throws NativeCallException also if there is no twin, or it is already adopted (EINVAL)
     */
    public long adoptTwin(long offset, int bytes) {
        return NativeCallException.checked(
                "dsm_engine_twin_adopt", FaultLibrary.dsm_engine_twin_adopt(open(), offset, bytes));
    }

    /**
     * Adopts the twin as {@link #adoptTwin} does and refreshes it from the page's current content.
     * For a page whose access should be withdrawn while a trap is giving READ_WRITE.
     */
    public long remakeTwin(long offset, int bytes) {
        return NativeCallException.checked(
                "dsm_engine_twin_remake",
                FaultLibrary.dsm_engine_twin_remake(open(), offset, bytes));
    }

    long changed(String call, long result) {
        if (result == -Errno.E2BIG) {
            throw new MappingLimitException(call, FaultLibrary.dsm_engine_maps_max(open()));
        }
        return NativeCallException.checked(call, result);
    }

    /**
     * For tests: a word with {@code enum dsm_gate}, and the number of traps that have reached the
     * gate.
     */
    MemorySegment gate() {
        return NativeMemory.at(FaultLibrary.dsm_engine_gate(open()), 2L * Integer.BYTES);
    }

    /**
     * Sets a process's access to pages that have content, from any access. Wakes no thread.
     *
     * <p>READ and READ_WRITE are in force when this returns; after READ no store of the process is
     * in progress. NONE is {@link TrappedProcess#drop}: it is in force when {@link
     * CommandSink#onDropped} is called; until then this method refuses the pages (EBUSY).
     *
     * @throws NativeCallException also for a page without content (EFAULT), a page whose access is
     *     being withdrawn or that a trap has (EBUSY), or a poisoned page (EHWPOISON)
     */
    public void allow(MappingId of, long offset, long bytes, PageAccess access) {
        if (access == PageAccess.NONE) {
            processes.get(of.index()).drop(offset, bytes);
            return;
        }
        changed(
                "dsm_engine_allow",
                FaultLibrary.dsm_engine_allow(
                        open(), of.index(), offset, bytes, access == PageAccess.READ ? 1 : 2));
    }

    /**
     * Gives a process READ to those pages of a range that it has no access to and that have
     * content. Wakes no thread. A trap of another process may work on them.
     */
    public void map(MappingId of, long offset, long bytes) {
        changed("dsm_engine_map", FaultLibrary.dsm_engine_map(open(), of.index(), offset, bytes));
    }

    /**
     * Write-protects pages in every process; no process gets access that it does not have. When
     * this returns, no store of the node is in progress.
     *
     * @throws NativeCallException also for a page that a trap has (EBUSY)
     */
    public void limit(long offset, long bytes) {
        changed("dsm_engine_limit", FaultLibrary.dsm_engine_limit(open(), offset, bytes));
    }

    /**
     * Withdraws all access to pages from every process at once, without their cooperation, and
     * keeps their content. Cheaper than {@link TrappedProcess#drop} for a few pages, more expensive
     * for many, unless {@link EngineKind#withdrawsRunsAtOnce}. Fills pages without content with
     * zeros. Pages that are being dropped lose their access now. See {@code
     * docs/decisions/0001-who-withdraws-access.md}.
     *
     * @throws NativeCallException also for poisoned pages (EHWPOISON), and when the machine is out
     *     of memory (ENOMEM, ENOSPC): the node must then end, because content is lost
     */
    public void withdraw(long offset, long bytes) {
        changed("dsm_engine_withdraw", FaultLibrary.dsm_engine_withdraw(open(), offset, bytes));
    }

    /** Resumes the threads that are blocked in a fault on these pages, if any. */
    public void wake(long offset, long bytes) {
        NativeCallException.checked(
                "dsm_engine_wake", FaultLibrary.dsm_engine_wake(open(), offset, bytes));
    }

    /** As {@link #wake(long, long)}, of one process. */
    public void wake(MappingId of, long offset, long bytes) {
        NativeCallException.checked(
                "dsm_engine_wake_process",
                FaultLibrary.dsm_engine_wake_process(open(), of.index(), offset, bytes));
    }

    /** True if a process may have access to some of these pages. */
    public boolean isMapped(MappingId of, long offset, long bytes) {
        return NativeCallException.checked(
                        "dsm_engine_is_mapped",
                        FaultLibrary.dsm_engine_is_mapped(open(), of.index(), offset, bytes))
                != 0;
    }

    /** Frees the pages at once: sets access NONE, discards the content and returns the memory. */
    public void discard(long offset, long bytes) {
        changed("dsm_engine_discard", FaultLibrary.dsm_engine_discard(open(), offset, bytes));
    }

    /**
     * Discards the pages permanently: their content is lost, and every access, also one that is
     * already waiting, throws {@code InternalError} in its Java thread.
     */
    public void poison(long offset, long bytes) {
        changed("dsm_engine_poison", FaultLibrary.dsm_engine_poison(open(), offset, bytes));
    }

    /** Fills the pages that have no content with zeros; the others do not change. */
    public void touch(long offset, long bytes) {
        NativeCallException.checked(
                "dsm_engine_touch", FaultLibrary.dsm_engine_touch(open(), offset, bytes));
    }

    /** True if the pages, which must have content, contain only zeros. */
    public boolean isZero(long offset, long bytes) {
        return NativeCallException.checked(
                        "dsm_engine_is_zero",
                        FaultLibrary.dsm_engine_is_zero(open(), offset, bytes))
                == 1;
    }

    /**
     * Makes a twin, a copy of the page's current content. The copy is stable if the access is READ
     * or NONE.
     *
     * @param bytes a power of two, 4 KiB to 64 KiB
     * @return the address of the twin, to be freed by {@link #freeTwin}
     */
    public long makeTwin(long offset, int bytes) {
        return NativeCallException.checked(
                "dsm_engine_twin_make", FaultLibrary.dsm_engine_twin_make(open(), offset, bytes));
    }

    /**
     * Frees a twin.
     *
     * @param address from {@link #makeTwin}, {@link #adoptTwin} or {@link #remakeTwin}
     * @param bytes as passed to that method
     */
    public void freeTwin(long address, int bytes) {
        NativeCallException.checked(
                "dsm_engine_twin_free", FaultLibrary.dsm_engine_twin_free(open(), address, bytes));
    }

    /** Total size of the twins in use, in bytes. */
    public long twinBytes() {
        return FaultLibrary.dsm_engine_twin_bytes(open());
    }

    /** Address space of the twins' slabs of 4 MiB, in bytes; only used parts occupy memory. */
    public long twinSlabBytes() {
        return FaultLibrary.dsm_engine_slab_bytes(open());
    }

    /**
     * Sets the kernel that compares pages for diffs and {@link #isZero}; the default is the
     * fastest.
     *
     * @throws NativeCallException if this machine cannot run it (EINVAL)
     */
    public void use(VectorDiff kernel) {
        NativeCallException.checked(
                "dsm_engine_use_kernel", FaultLibrary.dsm_engine_use_kernel(open(), kernel.code()));
    }

    /**
     * Largest size of a diff of one page, in bytes.
     *
     * @param bytes size of the page, up to 65536
     * @param granuleBytes 1, 2, 4 or 8
     */
    public static int diffBytesMax(int bytes, int granuleBytes) {
        return NativeCallException.checked(
                "dsm_diff_bytes_max", FaultLibrary.dsm_diff_bytes_max(bytes, granuleBytes));
    }

    /** The encoded length in a result of {@link #diff}. */
    public static int diffBytes(long result) {
        return (int) result;
    }

    /** The number of changed granules in a result of {@link #diff}. */
    public static int diffGranules(long result) {
        return (int) (result >>> Integer.SIZE);
    }

    /**
     * Encodes the granules of a page that differ from its twin, as runs in ascending order:
     *
     * <pre>
     *  0            2            4
     *  +------------+------------+------------------------------+
     *  | skip   u16 | count  u16 | count * granuleBytes bytes   |   little-endian
     *  +------------+------------+------------------------------+
     * </pre>
     *
     * <p>{@code skip} counts granules since the end of the previous run, {@code count} is 1 or
     * more. 65536 changed one-byte granules are two runs, of 65535 and of 1. Each granule of the
     * page is read once; the twin does not change.
     *
     * @param twin from {@link #makeTwin}
     * @param bytes size of the page, up to 65536
     * @param granuleBytes 1, 2, 4 or 8
     * @param out a native segment; bytes after the diff may be overwritten. {@link #diffBytesMax}
     *     bytes always suffice
     * @return a value for {@link #diffBytes(long)} and {@link #diffGranules(long)}; 0 if nothing
     *     differs
     * @throws NativeCallException also if {@code out} is too small (ENOSPC)
     */
    public long diff(long offset, long twin, int bytes, int granuleBytes, MemorySegment out) {
        return NativeCallException.checked(
                "dsm_engine_diff",
                FaultLibrary.dsm_engine_diff(
                        open(),
                        offset,
                        twin,
                        bytes,
                        granuleBytes,
                        NativeMemory.address(out),
                        capacity(out)));
    }

    static int capacity(MemorySegment out) {
        if (out.isReadOnly()) {
            throw new IllegalArgumentException("the diff cannot go to a read-only segment");
        }
        return (int) Math.min(out.byteSize(), Integer.MAX_VALUE);
    }

    /**
     * Stores the granules of a diff into a page, through the alias, and into its twin if there is
     * one. Each granule is stored atomically, and no other byte is written. Where page and twin
     * differ, a local thread has stored: there only the twin is stored to.
     *
     * @param diff a native segment with exactly the diff
     * @param twin from {@link #makeTwin}, or 0 for none
     * @return granules of the diff in which page and twin differed before; or a negative errno, -74
     *     (EBADMSG) for a malformed diff and -22 (EINVAL) for a bad size, with nothing stored
     */
    public int apply(MemorySegment diff, long offset, long twin, int bytes, int granuleBytes) {
        if (diff.byteSize() > Integer.MAX_VALUE) {
            return -Errno.EBADMSG;
        }
        return FaultLibrary.dsm_engine_apply(
                open(),
                NativeMemory.address(diff),
                (int) diff.byteSize(),
                offset,
                twin,
                bytes,
                granuleBytes);
    }

    /** Closes the engine. A process that was not sent {@link TrappedProcess#bye()} ends itself. */
    @Override
    public void close() {
        if (handle != 0) {
            FaultLibrary.dsm_engine_close(handle);
            handle = 0;
        }
    }

    boolean isOpen() {
        return handle != 0;
    }

    long open() {
        if (handle == 0) {
            throw new IllegalStateException("the engine is closed");
        }
        return handle;
    }
}
