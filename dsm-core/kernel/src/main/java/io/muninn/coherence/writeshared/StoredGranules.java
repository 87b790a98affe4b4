package io.muninn.coherence.writeshared;

import io.muninn.spi.VectorTimestamp;
import io.muninn.wire.WireReader;
import io.muninn.wire.WireWriter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Granules of {@link WriteSharedMessages.PageStores}, and the stores that they had last. */
record StoredGranules(LoadChecks.Stored stored, List<GranuleRun> runs) {
    /** Granules that follow each other. */
    record GranuleRun(int first, int count) {}

    static StoredGranules of(LoadChecks.Stored stored, BitSet granules) {
        List<GranuleRun> runs = new ArrayList<>();
        for (int first = granules.nextSetBit(0); first >= 0; ) {
            int end = granules.nextClearBit(first);
            runs.add(new GranuleRun(first, end - first));
            first = granules.nextSetBit(end);
        }
        return new StoredGranules(stored, runs);
    }

    void write(WireWriter out) {
        out.node(stored.by());
        out.i64(stored.interval());
        stored.known().encode(out);
        out.text(stored.point());
        out.list(
                runs,
                (run, to) -> {
                    to.u32(run.first());
                    to.u32(run.count());
                });
    }

    static StoredGranules read(WireReader in) {
        LoadChecks.Stored stored =
                new LoadChecks.Stored(in.node(), in.i64(), VectorTimestamp.decode(in), in.text());
        return new StoredGranules(stored, in.list(from -> new GranuleRun(from.u32(), from.u32())));
    }
}
