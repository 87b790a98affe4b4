package io.muninn.api.spi;

import io.muninn.api.Mode;
import java.lang.foreign.MemorySegment;

/**
 * Guards a variable with the guard of its region.
 *
 * @param region takes offsets from the start of the region
 * @param start offset of the variable in the region, in bytes
 */
record ShiftedGuard(AccessGuard region, long start) implements AccessGuard {
    @Override
    public void load(long offset, long bytes) {
        region.load(start + offset, bytes);
    }

    @Override
    public void mayLoad(long offset, long bytes) {
        region.mayLoad(start + offset, bytes);
    }

    @Override
    public void store(long offset, long bytes) {
        region.store(start + offset, bytes);
    }

    @Override
    public MemorySegment lend(MemorySegment part, long offset, Mode mode) {
        return region.lend(part, start + offset, mode);
    }
}
