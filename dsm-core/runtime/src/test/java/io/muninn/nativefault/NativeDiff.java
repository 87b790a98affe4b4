package io.muninn.nativefault;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.lang.foreign.MemorySegment;

/**
 * The engine's diff of any two pages in native memory, without an engine; for tests. It is in the
 * package that can load the library.
 */
public final class NativeDiff {
    static {
        String library = NativeDirectory.faultLibrary().toString();
        Native.register(NativeDiff.class, NativeLibrary.getInstance(library));
    }

    private NativeDiff() {}

    static native long dsm_diff(
            int kernel, long page, long twin, int bytes, int granule, long out, int capacity);

    static native int dsm_apply(
            long diff, int length, long page, long twin, int bytes, int granule);

    /**
     * Encodes into {@code out}.
     *
     * @return for {@link FaultEngine#diffBytes} and {@link FaultEngine#diffGranules}
     */
    public static long encode(
            VectorDiff kernel,
            MemorySegment page,
            MemorySegment twin,
            int granuleBytes,
            MemorySegment out) {
        return dsm_diff(
                kernel.code(),
                page.address(),
                twin.address(),
                (int) page.byteSize(),
                granuleBytes,
                out.address(),
                (int) out.byteSize());
    }

    /**
     * Applies to page and twin.
     *
     * @return overlap, or a negative errno
     */
    public static int apply(
            MemorySegment diff, MemorySegment page, MemorySegment twin, int granuleBytes) {
        return dsm_apply(
                diff.address(),
                (int) diff.byteSize(),
                page.address(),
                twin.address(),
                (int) page.byteSize(),
                granuleBytes);
    }
}
