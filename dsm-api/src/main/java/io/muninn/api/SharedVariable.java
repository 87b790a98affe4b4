package io.muninn.api;

import io.muninn.api.spi.AccessGuard;
import io.muninn.api.spi.ViewBinder;
import io.muninn.api.spi.ViewSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A variable that all nodes share, seen through one of the typed views. Made by the view's {@code
 * of} as a declaration: a shape without memory. When the run starts it is bound to the memory of
 * its region and from then on, from {@link DsmProgram#initialize} to {@link DsmProgram#verify},
 * read and written with plain loads and stores.
 *
 * <p><b>Shape.</b> Indices are 0-based. Elements lie without padding in the machine's byte order
 * and are zero at first.
 *
 * <p><b>Order.</b> Stores reach other nodes through synchronization (locks, barriers, messages),
 * not by themselves. Two accesses to one element that no synchronization orders, one of them a
 * store, are a data race: the load may give either value, except as {@link Protocol#CONVENTIONAL}
 * promises. The compiler may reorder plain accesses in any case.
 *
 * <p><b>Errors.</b> An index out of range gives {@link IndexOutOfBoundsException} with variable,
 * index and length. Use before the variable is bound, and a store to a {@link Protocol#READ_ONLY}
 * variable after initialization, give {@link IllegalStateException} with the variable's name. An
 * access to a page that was lost with its node gives {@link InternalError} in the thread that
 * touches it.
 *
 * <p><b>Threads.</b> Any platform thread, between start and end of the run. Virtual threads must
 * not: a fault blocks the carrier until the page has come.
 *
 * <p><b>Cost.</b> An access to a page already held costs what an access to a {@link MemorySegment}
 * costs; the first to another page costs at least one round trip between nodes.
 */
public abstract sealed class SharedVariable
        permits ByteArray,
                DoubleArray,
                DoubleMatrix,
                FloatArray,
                IntArray,
                LongArray,
                ShortArray,
                StructArray {
    /**
     * True in a JVM that simulates, by the system property {@code muninn.simulated}. A constant: in
     * any other JVM the compiler drops every call of a guard, and an access stays a bare one.
     */
    static final boolean SIMULATED = Boolean.getBoolean("muninn.simulated");

    /** Length 0: every access before binding fails in the segment's own bounds check. */
    private static final MemorySegment UNBOUND = MemorySegment.NULL;

    /** What error messages call a view that is not shared. */
    private static final String LOCAL_NAME = "(local)";

    static {
        ViewBinder.install(new Seam());
    }

    /** The variable's memory, exactly its bytes; read-only once sealed. */
    MemorySegment memory = UNBOUND;

    private final ViewSpec spec;

    /** Null outside a simulation, for local views, and before binding. */
    private @Nullable AccessGuard guard;

    private String name = "";

    SharedVariable(ViewSpec spec) {
        this.spec = spec;
    }

    /** Gives a view memory of its own, outside every run. */
    final void bindLocally() {
        name = LOCAL_NAME;
        memory = Arena.ofAuto().allocate(spec.bytes(), Long.BYTES);
    }

    /** The variable's name, empty until the layout of its program has been made. */
    public final String name() {
        return name;
    }

    @Override
    public final String toString() {
        return name.isEmpty() ? spec.type() : name + " " + spec.type();
    }

    /**
     * Bytes of {@code count} elements of {@code elementBytes} each.
     *
     * @throws IllegalArgumentException if there are none, or more than 2^62 bytes
     */
    static long checkedBytes(String type, long count, long elementBytes) {
        if (count < 1 || count > (1L << 62) / elementBytes) {
            throw new IllegalArgumentException(
                    type
                            + " cannot be shared: "
                            + count
                            + " elements of "
                            + elementBytes
                            + " bytes");
        }
        return count * elementBytes;
    }

    /**
     * Has a load guarded, in a simulation. Stands where the offset of the access is passed, so that
     * an access has the same shape with and without.
     *
     * @return {@code offset}
     */
    final long load(long offset, long bytes) {
        if (SIMULATED) {
            guardLoad(offset, bytes);
        }
        return offset;
    }

    /**
     * Has a store, or an atomic operation, guarded, in a simulation.
     *
     * @return {@code offset}
     */
    final long store(long offset, long bytes) {
        if (SIMULATED) {
            guardStore(offset, bytes);
        }
        return offset;
    }

    private void guardLoad(long offset, long bytes) {
        if (guard != null && isWithin(offset, bytes)) {
            guard.load(offset, bytes);
        }
    }

    private void guardStore(long offset, long bytes) {
        if (guard != null && isWithin(offset, bytes) && !memory.isReadOnly()) {
            guard.store(offset, bytes);
        }
    }

    /** False for a range that the memory's own check refuses, or that is empty. */
    private boolean isWithin(long offset, long bytes) {
        return bytes > 0 && offset >= 0 && offset <= memory.byteSize() - bytes;
    }

    /** The part of the memory that elements {@code from} to {@code to} lie in. */
    final MemorySegment slice(int from, int to, int length, long elementBytes, Mode mode) {
        checkRange(from, to, length);
        if (mode == Mode.WRITE && memory.isReadOnly()) {
            throw sealed(null);
        }
        MemorySegment part = part(from * elementBytes, (to - from) * elementBytes, mode);
        return mode == Mode.READ ? part.asReadOnly() : part;
    }

    private MemorySegment part(long offset, long bytes, Mode mode) {
        if (mode == Mode.READ) {
            load(offset, bytes);
        } else {
            store(offset, bytes);
        }
        MemorySegment part = memory.asSlice(offset, bytes);
        return SIMULATED && guard != null && bytes > 0 ? guard.lend(part, offset, mode) : part;
    }

    /** Checks before a bulk copy or fill, so that its error names the variable. */
    final void checkRange(int from, int to, int length) {
        checkBound();
        if (from < 0 || to < from || to > length) {
            throw new IndexOutOfBoundsException(
                    "elements "
                            + from
                            + " to "
                            + to
                            + " of variable "
                            + name
                            + ", whose length is "
                            + length);
        }
    }

    /** Checks before a bulk copy into the variable, or a fill. */
    final void checkStore(int from, int count, int length) {
        checkRange(from, from + Math.max(count, 0), length);
        if (memory.isReadOnly()) {
            throw sealed(null);
        }
    }

    /**
     * Says what was wrong with an access, after the segment's own checks have refused it. Kept off
     * the access path: a good access pays nothing for a good message.
     */
    final RuntimeException refused(long index, long length, RuntimeException cause) {
        return refused("index " + index, "length is " + length, cause);
    }

    final RuntimeException refused(String where, String shape, RuntimeException cause) {
        if (memory == UNBOUND) {
            return unbound();
        }
        if (cause instanceof IndexOutOfBoundsException) {
            IndexOutOfBoundsException better =
                    new IndexOutOfBoundsException(
                            where + " of variable " + name + ", whose " + shape);
            better.initCause(cause);
            return better;
        }
        boolean isStore = cause instanceof IllegalArgumentException;
        return isStore && memory.isReadOnly() ? sealed(cause) : cause;
    }

    private void checkBound() {
        if (memory == UNBOUND) {
            throw unbound();
        }
    }

    private IllegalStateException unbound() {
        return new IllegalStateException(
                "shared variable "
                        + this
                        + " has no memory yet: it may be used from DsmProgram.initialize on");
    }

    private IllegalStateException sealed(@Nullable RuntimeException cause) {
        return new IllegalStateException(
                "store to variable " + name + ", which is READ_ONLY since initialization ended",
                cause);
    }

    /** The way in for whoever starts runs; see {@link ViewBinder}. */
    private static final class Seam implements ViewBinder.Access {
        @Override
        public ViewSpec spec(SharedVariable view) {
            return view.spec;
        }

        @Override
        public void name(SharedVariable view, String name) {
            if (view.name.equals(LOCAL_NAME)) {
                throw new IllegalStateException(
                        "variable " + name + " is local; declare a shared one with of(...)");
            }
            if (view.memory != UNBOUND) {
                throw new IllegalStateException(
                        "variable "
                                + view.name
                                + " belongs to a run already; make a new program for another run");
            }
            view.name = name;
        }

        @Override
        public void bind(
                SharedVariable view,
                String name,
                MemorySegment memory,
                @Nullable AccessGuard guard) {
            Objects.requireNonNull(memory, "memory");
            if (guard != null && !SIMULATED) {
                throw new IllegalStateException(
                        "variable "
                                + name
                                + " cannot be guarded in a JVM without -Dmuninn.simulated=true");
            }
            name(view, name);
            if (memory.byteSize() != view.spec.bytes()) {
                throw new IllegalArgumentException(
                        "variable "
                                + view
                                + " needs "
                                + view.spec.bytes()
                                + " bytes, not "
                                + memory.byteSize());
            }
            view.memory = memory;
            view.guard = guard;
        }

        @Override
        public void seal(SharedVariable view) {
            view.checkBound();
            view.memory = view.memory.asReadOnly();
        }
    }
}
