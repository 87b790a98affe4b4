package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory that all nodes of a run address, in one file: the words of a coherent map, and the memory
 * of the regions of each node.
 *
 * <p><b>Shape.</b> Page i of the map is machine page i of the regions; a page of several machine
 * pages is its first one. The frame of a page is the memory of its home, which uses it in place.
 * Sparse and zero at first.
 *
 * <p><b>Words and frames.</b> {@link #words()} are coherent: all nodes see their changes in one
 * order. {@linkplain #memory Frames} need not be: whoever stores to one flushes it before {@link
 * #publish}, and whoever copies one invalidates it before, behind {@link #enter}. {@link PoolPages}
 * and traps do so. On one machine both are no operations.
 *
 * <p><b>Order.</b> One process creates the pool; the agents of other nodes open it with copies of
 * its descriptor. An agent {@linkplain AgentSocket#share shares} it with its application.
 *
 * <p><b>Threads.</b> Any, but for {@link #close()}.
 */
public final class PoolSegment implements AutoCloseable {
    private final MemorySegment words;
    private final MemorySegment memory;
    private final long nodeBytes;
    private long handle;

    private PoolSegment(long handle) {
        this.handle = handle;
        words =
                NativeMemory.at(
                        FaultLibrary.dsm_pool_words(handle),
                        FaultLibrary.dsm_pool_words_bytes(handle));
        nodeBytes = FaultLibrary.dsm_pool_node_bytes(handle);
        memory =
                NativeMemory.at(
                        FaultLibrary.dsm_pool_memory(handle),
                        FaultLibrary.dsm_pool_nodes(handle) * nodeBytes);
    }

    /**
     * How traps change the map; the same as the rules of the kernels that use it.
     *
     * @param listsAtTransition true if all mappers of a page that becomes weak get a notice
     * @param noticesMax publications with notices before the one that makes a page unsafe, at least
     *     0
     * @param announces true if the first store of a node to a page that it has entered publishes
     *     the page, at its fault
     */
    public record Rules(boolean listsAtTransition, int noticesMax, boolean announces) {}

    /**
     * Creates the pool of a run.
     *
     * @param run identifies the run; not 0
     * @param pages machine pages of the regions of a node, at least 1
     * @param nodes 1 to 64
     * @throws NativeCallException also for numbers out of range (EINVAL)
     */
    public static PoolSegment create(long run, long pages, int nodes, Rules rules) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = arena.allocate(JAVA_LONG);
            NativeCallException.checked(
                    "dsm_pool_create",
                    FaultLibrary.dsm_pool_create(
                            run,
                            pages,
                            nodes,
                            rules.listsAtTransition() ? 1 : 0,
                            rules.noticesMax(),
                            rules.announces() ? 1 : 0,
                            handle.address()));
            return new PoolSegment(handle.get(JAVA_LONG, 0));
        }
    }

    /**
     * Opens the pool of a run in a process other than its creator.
     *
     * @param fd a descriptor of its file, which this method copies
     * @param pages machine pages of the regions of the node
     * @param node which uses it
     * @throws AttachRefusedException if the file is not the pool of this run, has fewer pages, or
     *     does not have this node; the text says which
     * @throws NativeCallException if the file cannot be mapped
     */
    public static PoolSegment open(int fd, long run, long pages, int node) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = arena.allocate(JAVA_LONG);
            MemorySegment verdict = arena.allocate(FaultLibrary.VERDICT_BYTES, Long.BYTES);
            int result =
                    FaultLibrary.dsm_pool_open(
                            fd, run, pages, node, handle.address(), verdict.address());
            if (result == -Errno.EINVAL) {
                throw new AttachRefusedException(verdict.getString(FaultLibrary.VERDICT_TEXT));
            }
            NativeCallException.checked("dsm_pool_open", result);
            return new PoolSegment(handle.get(JAVA_LONG, 0));
        }
    }

    /** The descriptor of the file, valid until {@link #close()}. */
    public int fd() {
        return FaultLibrary.dsm_pool_fd(open());
    }

    /**
     * The words of the map, in the order of {@code io.muninn.pool.PoolLayout}. Global scope:
     * invalid after {@link #close()}, without a check.
     */
    public MemorySegment words() {
        return words;
    }

    /** Bytes of the regions of a node. */
    public long nodeBytes() {
        return nodeBytes;
    }

    /**
     * The memory of a node. Global scope: invalid after {@link #close()}, without a check.
     *
     * @param offset of the regions
     */
    public MemorySegment memory(int node, long offset, long bytes) {
        return memory.asSlice(node * nodeBytes + offset, bytes);
    }

    /**
     * Makes a node the home of pages, which no node has accessed yet; node 0 is it before.
     *
     * @param first machine page of the regions
     * @throws NativeCallException for pages or a node that the pool does not have (EINVAL)
     */
    public void setHome(long first, long count, int node) {
        NativeCallException.checked(
                "dsm_pool_set_home", FaultLibrary.dsm_pool_set_home(open(), first, count, node));
    }

    /**
     * Enters a node as a mapper of a page, and tells its home, as {@code
     * io.muninn.pool.CoherentMap} does.
     *
     * @return true if the node must check the page at each acquire, until it leaves it
     */
    public boolean enter(int node, long page) {
        return NativeCallException.checked(
                        "dsm_pool_enter", FaultLibrary.dsm_pool_enter(open(), node, page))
                == 1;
    }

    /**
     * Announces stores of a mapper, which are in the frame, as {@code io.muninn.pool.CoherentMap}
     * does.
     *
     * @return true if the page has become unsafe, so that the node must check it from now on
     */
    public boolean publish(int node, long page) {
        return NativeCallException.checked(
                        "dsm_pool_publish", FaultLibrary.dsm_pool_publish(open(), node, page))
                == 1;
    }

    /** Unmaps the pool and closes its descriptor. No engine may use it any more. */
    @Override
    public void close() {
        if (handle != 0) {
            FaultLibrary.dsm_pool_close(handle);
            handle = 0;
        }
    }

    long open() {
        if (handle == 0) {
            throw new IllegalStateException("the pool is closed");
        }
        return handle;
    }
}
