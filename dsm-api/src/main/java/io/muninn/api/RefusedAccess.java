package io.muninn.api;

import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Exceptions for accesses that the checks of the memory itself have refused. They name the view,
 * which is found by its memory: an access pays nothing for that as long as it succeeds.
 */
final class RefusedAccess {
    /** Every view of this JVM, weakly referenced. */
    private static final Set<SharedVariable> VIEWS =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private RefusedAccess() {}

    /** An access to this view may be refused from now on. */
    static void mayBeOf(SharedVariable view) {
        VIEWS.add(view);
    }

    /**
     * Creates the exception for an access to an element that the segment's own checks have refused.
     * It is off the access path, so a valid access pays nothing for the message.
     *
     * <p>The parameters are only those that the access itself needs; the view is found by its
     * memory. Any further parameter would occupy a register in every iteration of a loop: with the
     * index, a load at a random place took a sixth longer, with the view a twentieth.
     *
     * @param elements the view's memory
     * @param offset of the element in it, in bytes
     * @param cause the segment's exception
     */
    static RuntimeException of(MemorySegment elements, long offset, RuntimeException cause) {
        SharedVariable view = viewOf(elements);
        if (view == null) {
            return cause; // another thread has bound the view in the meantime
        }
        return view.refused(view.place(offset), cause);
    }

    /**
     * The same, of a buffer.
     *
     * @param elements of the view, its loads or its stores
     * @param index of the element in it
     * @param cause the exception of the buffer
     */
    static RuntimeException of(Buffer elements, int index, RuntimeException cause) {
        MemorySegment found = MemorySegment.ofBuffer(elements);
        SharedVariable view = viewAt(found.address());
        if (view == null) {
            return cause; // another thread has bound the view in the meantime
        }
        boolean isStore = view.memory.isReadOnly() && elements.capacity() == 0 && !view.isLarge;
        return isStore
                ? view.sealed(cause)
                : view.refused(view.place(index * view.elementBytes()), cause);
    }

    private static @Nullable SharedVariable viewOf(MemorySegment elements) {
        SharedVariable view = viewAt(elements.address());
        return view == null || !view.memory.equals(elements) ? null : view;
    }

    private static @Nullable SharedVariable viewAt(long address) {
        synchronized (VIEWS) {
            for (SharedVariable view : VIEWS) {
                boolean isAlive =
                        view.memory
                                .scope()
                                .isAlive(); // other memory may reuse the address of dead memory
                if (isAlive && view.memory.address() == address) {
                    return view;
                }
            }
        }
        return null;
    }
}
