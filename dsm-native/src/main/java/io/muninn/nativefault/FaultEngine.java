package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.muninn.model.FaultKind;
import io.muninn.model.PageAccess;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;

/**
 * The agent's side of one application's memory: reads its faults, and decides page by page what its
 * threads may do. Mechanism only.
 *
 * <p><b>Shape.</b> Offsets and sizes are in bytes from the start of the regions and, unless a
 * method says otherwise, multiples of {@link ApplicationMapping#pageBytes()}. The agent sees the
 * same memory through {@link #alias()}, which never faults. Looking through the alias at a page
 * without content gives it content: zeros.
 *
 * <p><b>Order.</b> A fault is resolved by giving the page content (through the alias, or {@link
 * #touch}), then {@link #allow}, then {@link #wake}; a thread that is woken too early faults again.
 *
 * <p><b>Traps.</b> With {@link EngineKind#UFFD_SIGNAL} and {@link EngineKind#MPROTECT_SIGNAL} a
 * page that was {@linkplain #offer offered} may be claimed by a thread that stores to it: its trap
 * makes the twin, and lets it store. Before the agent changes the access of such a page, or looks
 * at it as at one that nobody stores to, it takes it back by {@link #seize} or {@link #freeze};
 * access of a page that is not the agent's is refused (EBUSY). Neither waits: the thread may have
 * been stopped at any step. A page that was never offered needs none of this. {@code
 * docs/decisions/0034-signals-as-traps.md} has the table.
 *
 * <p><b>Errors.</b> Every method throws {@link NativeCallException} for a range outside the regions
 * (EINVAL) and for failures of the system. An application that has ended is not an error: calls do
 * nothing, and {@link CommandSink#onApplicationGone} says it. What it reads of the application is
 * checked; words that none writes are a {@link BrokenMemoryException}.
 *
 * <p><b>Mappings.</b> With {@link EngineKind#MPROTECT_SIGNAL} every change of access, also one to
 * NONE, throws {@link MappingLimitException} if the application would have too many mappings. Each
 * waits for a task of the application that is not stopped when that is: microseconds, and at most
 * five seconds if somebody has stopped the task (ETIMEDOUT).
 *
 * <p><b>Threads.</b> The agent thread only. No call waits for a thread of the application.
 */
public final class FaultEngine implements AutoCloseable {
    private static final VarHandle INTS = JAVA_INT.varHandle();

    private final long regionBytes;
    private final MemorySegment alias;
    private final MemorySegment control;
    private final MemorySegment faults;
    private final MemorySegment dirtied;
    private final MemorySegment replies;
    private final int faultFd;
    private final int commandFd;
    private final int applicationPid;
    private final EngineKind kind;
    private final Way way;
    private MemorySegment posted = MemorySegment.NULL; // once it is watched: 0 for no new fault
    private int lastFaults; // that one call has read: there may be more if they were many
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
        dirtied =
                NativeMemory.at(
                        FaultLibrary.dsm_engine_dirtied(handle),
                        (long) FaultLibrary.DIRTIED_BATCH_MAX * Long.BYTES);
        replies =
                NativeMemory.at(
                        FaultLibrary.dsm_engine_replies(handle),
                        (long) FaultLibrary.COMMAND_BATCH_MAX * FaultLibrary.COMMAND_BYTES);
        faultFd = FaultLibrary.dsm_engine_fault_fd(handle);
        commandFd = FaultLibrary.dsm_engine_command_fd(handle);
        applicationPid = FaultLibrary.dsm_engine_pid(handle);
        kind = EngineKind.of(FaultLibrary.dsm_engine_kind(handle));
        way = Way.of(FaultLibrary.dsm_engine_way(handle));
    }

    /** Readable while {@link #readFaults} has something to deliver. */
    public int faultFd() {
        return faultFd;
    }

    /**
     * From now on {@link #faultFd} is never read, so that it has to be watched for edges: each
     * tells of faults, or of calls that were {@linkplain Mailboxes posted}. Saves a system call for
     * each.
     *
     * @return false if the descriptor is no such one, and is readable as before; only with traps
     */
    public boolean watchEdges() {
        long word = FaultLibrary.dsm_engine_watch_edges(open());
        posted = NativeMemory.at(word, word == 0 ? 0 : Integer.BYTES);
        return word != 0;
    }

    /** Readable while {@link #onCommandReadable} has something to deliver. */
    public int commandFd() {
        return commandFd;
    }

    /** The application's process, as the kernel vouches for it. */
    public int applicationPid() {
        return applicationPid;
    }

    /** The node the application says it belongs to, from {@link ApplicationMapping#attach}. */
    public int nodeId() {
        return FaultLibrary.dsm_engine_node(open());
    }

    /** How the application is trapped. */
    public EngineKind kind() {
        return kind;
    }

    /** How the application came by what changes the access of its pages. */
    public Way way() {
        return way;
    }

    public long regionBytes() {
        return regionBytes;
    }

    /**
     * The regions, never trapped. Global scope: dead after {@link #close()}, and nothing checks.
     */
    public MemorySegment alias() {
        return alias;
    }

    /** The control memory. Global scope: dead after {@link #close()}, and nothing checks. */
    public MemorySegment control() {
        return control;
    }

    /** Bytes of memory that the regions hold, in whole pages, whoever touched them. */
    public long allocatedBytes() {
        return NativeCallException.checked(
                "dsm_engine_allocated_bytes", FaultLibrary.dsm_engine_allocated_bytes(open()));
    }

    /**
     * Delivers waiting faults, oldest first, at most 64; call again while it returns 64.
     *
     * @return faults delivered
     */
    public int readFaults(FaultSink sink) {
        if (lastFaults < FaultLibrary.FAULT_BATCH_MAX
                && posted.byteSize() > 0
                && (int) INTS.getVolatile(posted, 0L) == 0) {
            return 0; // what was told of were calls
        }
        int count =
                BrokenMemoryException.checked(
                        "dsm_engine_read_faults", FaultLibrary.dsm_engine_read_faults(open()));
        lastFaults = count;
        for (int i = 0; i < count; i++) {
            long at = (long) i * FaultLibrary.FAULT_BYTES;
            sink.onFault(
                    faults.get(JAVA_LONG, at),
                    kind(faults.get(JAVA_INT, at + FaultLibrary.FAULT_KIND)));
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
     * Takes a page from the traps, unless one has made its twin. Then no store of the application
     * is under way or to come, if the access was READ.
     *
     * @param bytes of the page: a power of two, up to 65536, of which {@code offset} is a multiple
     * @return AGENT, LIFTING or DIRTY; AGENT for every page if there are no traps
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
     * Takes a page from the traps, also a dirty one; its access and its twin stay as they are.
     *
     * @param bytes as for {@link #freeze}
     * @return AGENT; or LIFTING if a trap is about to let its thread store: the page cannot be
     *     taken now, its twin is complete, and it counts as stored to
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
     * Lets a trap make the twin of a page whose access is READ, and give READ_WRITE.
     *
     * @param bytes as for {@link #freeze}
     * @return whether it is offered: not while a trap from which it was taken may still copy it,
     *     and never without traps
     * @throws NativeCallException also if the page is not the agent's (EBUSY)
     */
    public boolean offer(long offset, int bytes) {
        return kind.hasTraps()
                && NativeCallException.checked(
                                "dsm_engine_offer",
                                FaultLibrary.dsm_engine_offer(open(), offset, bytes))
                        == 1;
    }

    /** Who has the page that begins there now; AGENT for every page if there are no traps. */
    public TrapState trapState(long offset) {
        return !kind.hasTraps()
                ? TrapState.AGENT
                : TrapState.of(
                        NativeCallException.checked(
                                "dsm_engine_trap_state",
                                FaultLibrary.dsm_engine_trap_state(open(), offset)));
    }

    /**
     * Delivers all pages whose twins traps have made since it was last called: each before its
     * thread could store. A page may have been taken back meanwhile.
     */
    public void readDirtied(DirtiedSink sink) {
        if (!kind.hasTraps()) {
            return;
        }
        int count;
        do {
            count =
                    BrokenMemoryException.checked(
                            "dsm_engine_read_dirtied",
                            FaultLibrary.dsm_engine_read_dirtied(open()));
            for (int i = 0; i < count; i++) {
                sink.onDirtied(dirtied.getAtIndex(JAVA_LONG, i));
            }
        } while (count > 0);
    }

    /**
     * Takes over the twin that a trap has made of a page that is LIFTING or DIRTY.
     *
     * @return the address of the twin, which {@link #freeTwin} ends
     * @throws NativeCallException also if there is none, or it was taken over (EINVAL)
     */
    public long adoptTwin(long offset, int bytes) {
        return NativeCallException.checked(
                "dsm_engine_twin_adopt", FaultLibrary.dsm_engine_twin_adopt(open(), offset, bytes));
    }

    /**
     * As {@link #adoptTwin}, and makes the twin of what the page holds now: for a page whose access
     * would be taken if a trap were not just giving it.
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

    /** So many mappings, and one, has the application for the regions; 0 without mprotect. */
    public int mappings() {
        return FaultLibrary.dsm_engine_maps(open());
    }

    /** For tests: the task that changes access with mprotect; 0 without. */
    int protectorPid() {
        return FaultLibrary.dsm_engine_protector(open());
    }

    /** For tests: {@code enum dsm_gate}, and how many traps have come to it. */
    MemorySegment gate() {
        return NativeMemory.at(FaultLibrary.dsm_engine_gate(open()), 2L * Integer.BYTES);
    }

    /**
     * Sets the access of pages that have content, whatever it was. Wakes nobody.
     *
     * <p>READ and READ_WRITE hold when this returns; after READ no store of the application is
     * under way. NONE is {@link #drop}: it holds when {@link CommandSink#onDropped} says so, and
     * until then this method refuses the pages (EBUSY).
     *
     * @throws NativeCallException also for a page without content (EFAULT), one whose access is
     *     just being withdrawn or that a trap has (EBUSY), or a poisoned one (EHWPOISON)
     */
    public void allow(long offset, long bytes, PageAccess access) {
        if (access == PageAccess.NONE) {
            drop(offset, bytes);
            return;
        }
        changed(
                "dsm_engine_allow",
                FaultLibrary.dsm_engine_allow(
                        open(), offset, bytes, access == PageAccess.READ ? 1 : 2));
    }

    /**
     * Withdraws all access to pages, their content kept, through the application's command thread.
     *
     * @return the sequence number that {@link CommandSink#onDropped} will carry
     * @throws NativeCallException also for pages whose access is just being withdrawn (EBUSY),
     *     poisoned ones (EHWPOISON), and when 65536 commands wait (ENOBUFS)
     */
    public long drop(long offset, long bytes) {
        return changed("dsm_engine_drop", FaultLibrary.dsm_engine_drop(open(), offset, bytes));
    }

    /**
     * Withdraws all access to pages, their content kept, at once and without the application's
     * help: cheaper than {@link #drop} for a page or a few, dearer for many. Gives pages without
     * content zeros. See {@code docs/decisions/0001-who-withdraws-access.md}.
     *
     * @throws NativeCallException also for pages whose access is just being withdrawn (EBUSY),
     *     poisoned ones (EHWPOISON), and when the machine is out of memory (ENOMEM, ENOSPC): the
     *     node must then end, since content is lost
     */
    public void withdraw(long offset, long bytes) {
        changed("dsm_engine_withdraw", FaultLibrary.dsm_engine_withdraw(open(), offset, bytes));
    }

    /** Resumes the threads that stand in a fault on these pages. Harmless if there are none. */
    public void wake(long offset, long bytes) {
        NativeCallException.checked(
                "dsm_engine_wake", FaultLibrary.dsm_engine_wake(open(), offset, bytes));
    }

    /** Frees the pages at once: access NONE, content gone, memory given back. */
    public void discard(long offset, long bytes) {
        changed("dsm_engine_discard", FaultLibrary.dsm_engine_discard(open(), offset, bytes));
    }

    /**
     * Ends the pages for good: content gone, and every access, also one that already waits, throws
     * {@code InternalError} in its Java thread.
     */
    public void poison(long offset, long bytes) {
        changed("dsm_engine_poison", FaultLibrary.dsm_engine_poison(open(), offset, bytes));
    }

    /** Gives zeros to those of the pages that have no content; leaves the others as they are. */
    public void touch(long offset, long bytes) {
        NativeCallException.checked(
                "dsm_engine_touch", FaultLibrary.dsm_engine_touch(open(), offset, bytes));
    }

    /** Whether pages that have content hold nothing but zeros. */
    public boolean isZero(long offset, long bytes) {
        return NativeCallException.checked(
                        "dsm_engine_is_zero",
                        FaultLibrary.dsm_engine_is_zero(open(), offset, bytes))
                == 1;
    }

    /**
     * Copies a page as it is now; for a stable copy its access is READ or NONE.
     *
     * @param bytes a power of two, 4 KiB to 64 KiB
     * @return the address of the twin, which {@link #freeTwin} ends
     */
    public long makeTwin(long offset, int bytes) {
        return NativeCallException.checked(
                "dsm_engine_twin_make", FaultLibrary.dsm_engine_twin_make(open(), offset, bytes));
    }

    /**
     * Ends a twin.
     *
     * @param address from {@link #makeTwin}, {@link #adoptTwin} or {@link #remakeTwin}
     * @param bytes as given to it
     */
    public void freeTwin(long address, int bytes) {
        NativeCallException.checked(
                "dsm_engine_twin_free", FaultLibrary.dsm_engine_twin_free(open(), address, bytes));
    }

    /** Bytes of all twins in use. */
    public long twinBytes() {
        return FaultLibrary.dsm_engine_twin_bytes(open());
    }

    /** Bytes of address space that twins occupy, in slabs of 4 MiB; memory only where used. */
    public long twinSlabBytes() {
        return FaultLibrary.dsm_engine_slab_bytes(open());
    }

    /**
     * Has diffs and {@link #isZero} made by this kernel; without a call it is the best.
     *
     * @throws NativeCallException if this machine cannot run it (EINVAL)
     */
    public void use(VectorDiff kernel) {
        NativeCallException.checked(
                "dsm_engine_use_kernel", FaultLibrary.dsm_engine_use_kernel(open(), kernel.code()));
    }

    /**
     * Most bytes a diff of one page can take.
     *
     * @param bytes of the page, up to 65536
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
     * page is read once; the twin stays as it is.
     *
     * @param twin from {@link #makeTwin}
     * @param bytes of the page, up to 65536
     * @param granuleBytes 1, 2, 4 or 8
     * @param out a native segment, of which bytes behind the diff may be overwritten; {@link
     *     #diffBytesMax} bytes always suffice
     * @return for {@link #diffBytes(long)} and {@link #diffGranules(long)}; 0 if nothing differs
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
     * one; each granule at once, and no other byte. Where page and twin differ, a local thread has
     * stored: there the page stays, and the twin alone is stored to.
     *
     * @param diff a native segment that holds the diff and nothing behind it
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

    /**
     * Asks the application's command thread for a sign of life; it also tells that thread that this
     * agent lives.
     *
     * @return the sequence number that {@link CommandSink#onPong} will carry
     */
    public long ping() {
        return NativeCallException.checked("dsm_engine_ping", FaultLibrary.dsm_engine_ping(open()));
    }

    /**
     * Ends the application, whatever its threads are doing.
     *
     * @param status its exit status
     * @param text written to its stderr as it is; cut at 1024 bytes of UTF-8
     */
    public void end(int status, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(Math.max(1, bytes.length));
            MemorySegment.copy(MemorySegment.ofArray(bytes), 0, segment, 0, bytes.length);
            NativeCallException.checked(
                    "dsm_engine_end",
                    FaultLibrary.dsm_engine_end(open(), status, segment.address(), bytes.length));
        }
    }

    /** Releases the application from its watch: the end of this agent will be a normal one. */
    public void bye() {
        NativeCallException.checked("dsm_engine_bye", FaultLibrary.dsm_engine_bye(open()));
    }

    /**
     * Delivers everything the command thread has answered, and sends commands that waited for room.
     *
     * @throws NativeCallException if the application could not do what it was asked to
     */
    public void onCommandReadable(CommandSink sink) {
        int count;
        do {
            count =
                    BrokenMemoryException.checked(
                            "dsm_engine_read_replies",
                            FaultLibrary.dsm_engine_read_replies(open()));
            for (int i = 0; i < count; i++) {
                deliver((long) i * FaultLibrary.COMMAND_BYTES, sink);
            }
        } while (count > 0 && handle != 0);
    }

    private void deliver(long at, CommandSink sink) {
        int kind = replies.get(JAVA_INT, at);
        int status = replies.get(JAVA_INT, at + FaultLibrary.COMMAND_STATUS);
        if (status < 0) {
            throw new NativeCallException("madvise in the application", -status);
        }
        long sequence = replies.get(JAVA_LONG, at + FaultLibrary.COMMAND_SEQUENCE);
        switch (kind) {
            case 5 -> sink.onPong(sequence);
            case 6 ->
                    sink.onDropped(
                            sequence,
                            replies.get(JAVA_LONG, at + FaultLibrary.COMMAND_OFFSET),
                            replies.get(JAVA_LONG, at + FaultLibrary.COMMAND_LENGTH));
            case 7 -> sink.onApplicationGone();
            default -> throw new BrokenMemoryException("the application replied with " + kind);
        }
    }

    /** Ends the engine; an application that was not told {@link #bye()} ends itself. */
    @Override
    public void close() {
        if (handle != 0) {
            FaultLibrary.dsm_engine_close(handle);
            handle = 0;
        }
    }

    long open() {
        if (handle == 0) {
            throw new IllegalStateException("the engine is closed");
        }
        return handle;
    }
}
