package io.muninn.e2e.programs;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.muninn.api.ByteArray;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Mode;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import java.lang.foreign.MemorySegment;

/**
 * Threads of all nodes store eight bytes of which four are on one conventional page and four on the
 * next: each store needs both pages at once, and the others want them too.
 */
public final class Straddle implements DsmProgram {
    private static final int STORES = 60;
    private static final int FIRST = 4092;

    @Shared final ByteArray bytes = ByteArray.of(3 * 4096);

    @Override
    public void run(DsmNode node) {
        MemorySegment segment = bytes.segment(0, bytes.length(), Mode.WRITE);
        long half = 1 + node.id();
        for (int i = 0; i < STORES; i++) {
            segment.set(JAVA_LONG_UNALIGNED, FIRST, half << 32 | half);
            long seen = segment.get(JAVA_LONG_UNALIGNED, FIRST);
            if (seen >>> 32 < 1 || seen >>> 32 > node.nodes()) {
                throw new IllegalStateException("nobody stored " + Long.toHexString(seen));
            }
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return Verdict.right("everyone got through");
    }
}
