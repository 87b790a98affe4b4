package io.muninn.verify.check;

import io.muninn.model.PageId;
import io.muninn.sim.Observer;
import io.muninn.sim.SimThread;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The oracle: one memory, to which every store of every thread is applied in witness order. Checks
 * nothing itself.
 *
 * <p><b>Order.</b> It is notified before the checkers that use it.
 */
final class OneMemory implements Observer {
    private final PerPage<MemorySegment> pages;

    OneMemory(ClusterView overview) {
        pages =
                new PerPage<>(page ->
                        MemorySegment.ofArray(new long[overview.region(page).pageBytes() >> 3]));
    }

    /** The content of a page in the oracle; must not be changed. */
    MemorySegment page(PageId page) {
        return pages.of(page);
    }

    /** The value of an element in the oracle, sign-extended. */
    long load(PageId page, int offset, int bytes) {
        return load(pages.of(page), offset, bytes);
    }

    /** An element of a page's bytes, sign-extended. */
    static long load(MemorySegment page, int offset, int bytes) {
        return switch (bytes) {
            case Byte.BYTES -> page.get(ValueLayout.JAVA_BYTE, offset);
            case Short.BYTES -> page.get(ValueLayout.JAVA_SHORT, offset);
            case Integer.BYTES -> page.get(ValueLayout.JAVA_INT, offset);
            default -> page.get(ValueLayout.JAVA_LONG, offset);
        };
    }

    @Override
    public void onStore(SimThread thread, PageId page, int offset, int bytes, long value) {
        MemorySegment memory = pages.of(page);
        switch (bytes) {
            case Byte.BYTES -> memory.set(ValueLayout.JAVA_BYTE, offset, (byte) value);
            case Short.BYTES -> memory.set(ValueLayout.JAVA_SHORT, offset, (short) value);
            case Integer.BYTES -> memory.set(ValueLayout.JAVA_INT, offset, (int) value);
            default -> memory.set(ValueLayout.JAVA_LONG, offset, value);
        }
    }
}
