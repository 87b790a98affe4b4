package io.muninn.nativefault;

import io.muninn.model.MappingId;
import java.lang.foreign.MemorySegment;

/**
 * The pages of an engine whose frames are in the {@linkplain AgentSocket#share shared} pool. A
 * thread enters such a page and copies its frame in its own trap, or the agent does it: no other
 * process takes part, and no message is sent.
 *
 * <p><b>Order.</b> A page that an acquire discards is {@linkplain FaultEngine#seize seized} and
 * {@linkplain FaultEngine#discard discarded}, then left in the map, then offered again.
 *
 * <p><b>Errors, threads.</b> As {@link FaultEngine}.
 */
public final class PoolPages {
    private final FaultEngine engine;

    public PoolPages(FaultEngine engine) {
        this.engine = engine;
    }

    /**
     * Permits a trap to enter a page without access or content in the coherent map: to copy its
     * frame to it and to give READ, without the agent. The page is offered as by {@link
     * FaultEngine#offer} then. From its claim by a trap to READ it is ENTERING, and cannot be
     * taken.
     *
     * @param bytes as for {@link FaultEngine#freeze}
     * @return true if the page is offered; false while a trap from which it was taken may still
     *     read it, and always without traps: faults are then delivered, and {@link #enter} resolves
     *     them
     * @throws NativeCallException also if the agent does not have the page or a process may have
     *     access to it (EBUSY), or there is no pool (EINVAL)
     */
    public boolean offerAbsent(long offset, int bytes) {
        return NativeCallException.checked(
                        "dsm_engine_offer_absent",
                        FaultLibrary.dsm_engine_offer_absent(engine.open(), offset, bytes))
                == 1;
    }

    /**
     * Enters a page without access or content in the coherent map, copies its frame to it and gives
     * a process READ, as a trap does. Wakes no thread.
     *
     * @param bytes as for {@link FaultEngine#freeze}
     * @return true if the node must check the page at each acquire, until it leaves it
     * @throws NativeCallException also if a trap may enter the page (EBUSY), there is no pool
     *     (EINVAL), or the machine is out of memory (ENOMEM, ENOSPC)
     */
    public boolean enter(MappingId of, long offset, int bytes) {
        return engine.changed(
                        "dsm_engine_enter",
                        FaultLibrary.dsm_engine_enter(engine.open(), of.index(), offset, bytes))
                == 1;
    }

    /**
     * Writes stores back to the frame of a page, granule by granule. {@link PoolSegment#publish}
     * follows.
     *
     * @param diff a native segment with exactly the diff, as {@link FaultEngine#diff} encodes it
     * @throws NativeCallException also for a malformed diff (EBADMSG)
     */
    public void writeBack(MemorySegment diff, long offset, int bytes, int granuleBytes) {
        NativeCallException.checked(
                "dsm_engine_write_back",
                FaultLibrary.dsm_engine_write_back(
                        engine.open(),
                        NativeMemory.address(diff),
                        Math.toIntExact(diff.byteSize()),
                        offset,
                        bytes,
                        granuleBytes));
    }
}
