package io.muninn.sim.ncc;

import io.muninn.api.Mode;
import io.muninn.api.spi.AccessGuard;
import io.muninn.api.spi.RegionSpec;
import java.lang.foreign.MemorySegment;

/**
 * Passes the accesses to a region to the machine. Eight bytes of a line are an access of a cycle.
 *
 * <p><b>Threads.</b> The processor that has the turn.
 */
final class MachineGuard implements AccessGuard {
    private static final int ACCESS_BYTES = 8;

    private final Machine machine;
    private final RegionSpec region;
    private final int lineBytes;

    MachineGuard(Machine machine, RegionSpec region) {
        this.machine = machine;
        this.region = region;
        lineBytes = machine.hardware().model().lineBytes();
    }

    @Override
    public void load(long offset, long bytes) {
        access(offset, bytes, false);
    }

    @Override
    public void store(long offset, long bytes) {
        access(offset, bytes, true);
    }

    private void access(long offset, long bytes, boolean isStore) {
        if (!machine.isTimed()) {
            return;
        }
        NccProcessor by = machine.current();
        long address = region.offset() + offset;
        long end = address + bytes;
        while (address < end) {
            long start = address & -lineBytes;
            long until = Math.min(end, start + lineBytes);
            by.pass(Math.ceilDiv(until - address, ACCESS_BYTES), Spent.COMPUTATION);
            machine.coherence().access(by, address, words(address - start, until - start), isStore);
            address = until;
        }
        by.tick();
    }

    /** The mask of the words that contain some bytes of a line. */
    private static int words(long from, long until) {
        int first = (int) (from / NccModel.WORD_BYTES);
        int last = (int) ((until - 1) / NccModel.WORD_BYTES);
        return (1 << last + 1) - (1 << first);
    }

    /** Unsupported: the machine would not see the accesses. */
    @Override
    public MemorySegment lend(MemorySegment part, long offset, Mode mode) {
        throw new UnsupportedOperationException(
                "variable "
                        + region.name()
                        + ": the machine sees no accesses of a segment; use get, set and copies");
    }
}
