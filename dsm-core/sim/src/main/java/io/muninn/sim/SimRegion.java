package io.muninn.sim;

import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.ProtocolKind;
import io.muninn.spi.ProtocolTraits.Trait;
import java.lang.foreign.MemorySegment;

/**
 * A region on one node.
 *
 * @param kind the registered kind of its protocol
 * @param frames by page; null until the page is named
 */
record SimRegion(RegionSpec spec, ProtocolKind kind, MemorySegment memory, SimFrame[] frames) {
    SimFrame frame(int index, SimNode node) {
        SimFrame frame = frames[index];
        if (frame == null) {
            long bytes = spec.pageBytes();
            MemorySegment page = memory.asSlice(index * bytes, bytes);
            frame = new SimFrame(page, node.simulation().cluster().processes());
            frame.present =
                    kind.traits().has(Trait.POOLED)
                            && node.pool().home(spec, index) == node.id().index();
            frames[index] = frame;
        }
        return frame;
    }
}
