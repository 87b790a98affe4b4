package io.muninn.api;

import io.muninn.api.spi.AccessGuard;
import io.muninn.api.spi.ViewBinder;
import io.muninn.api.spi.ViewSpec;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicLong;
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
 * <p><b>Threads.</b> Any platform thread, between start and end of the run. A virtual thread should
 * not: its loads and stores are right, and reach other nodes with the releases of the node's
 * application threads, but a fault holds the carrier until the page has come, and with it every
 * virtual thread that waits for a carrier; it cannot synchronize ({@link DsmNode}). After the end,
 * in a shutdown hook, an access to a page that is not on this node gives {@link InternalError}.
 *
 * <p><b>Segments.</b> A segment of the variable ends where the variable does. One that is
 * {@linkplain MemorySegment#reinterpret(long) reinterpreted} beyond reaches other variables
 * unchecked; where there is none, the run ends with a failure.
 *
 * <p><b>System calls.</b> {@code writeTo} and {@code readFrom} carry elements to and from channels
 * and buffers on every engine. A system call that is handed the memory itself, as by {@code
 * channel.read(view.segment(...).asByteBuffer())}, is another matter: it meets pages that are
 * elsewhere. It works with {@code uffd+event} and full privilege, where the kernel's own accesses
 * wait for the page, too. With any signal trap, and with a userfaultfd for user mode only, it fails
 * with {@code EFAULT} ("Bad address"), or carries less than it was asked to and says so in its
 * result alone. {@code ./dsm doctor} says which holds on a machine.
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

    /** Every view of this JVM, held weakly. Errors alone look through them. */
    private static final Set<SharedVariable> VIEWS =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private static final AtomicLong UNBOUND = new AtomicLong();

    /** What error messages call a view that is not shared. */
    private static final String LOCAL_NAME = "(local)";

    static {
        ViewBinder.install(new Seam());
    }

    /** The variable's memory, exactly its bytes; read-only once sealed. No two views share any. */
    MemorySegment memory = nothing();

    private final ViewSpec spec;

    /** Null outside a simulation, for local views, and before binding. */
    private @Nullable AccessGuard guard;

    private String name = "";

    SharedVariable(ViewSpec spec) {
        this.spec = spec;
        VIEWS.add(this);
    }

    /**
     * What a view has for memory before it is bound. Length 0: every access fails in the segment's
     * own bounds check. The address is no memory's and no other view's, so that the error can name
     * the view.
     */
    private static MemorySegment nothing() {
        return MemorySegment.ofAddress(Long.MIN_VALUE + UNBOUND.getAndIncrement());
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
     * Writes elements to a channel, at its position: all of them, however little the channel takes
     * at once.
     *
     * <p>The bytes are those of the memory: elements in order, of a matrix row by row, of structs
     * with their padding; in the machine's byte order, which is little-endian.
     *
     * @param target blocking, if it can be either
     * @param from the first element
     * @param count number of elements; structs of a {@link StructArray}
     * @throws IOException if the channel fails; it has taken some of the elements then
     * @throws IllegalBlockingModeException if the channel does not block
     */
    public final void writeTo(WritableByteChannel target, long from, long count)
            throws IOException {
        bounce(from, count).writeTo(target);
    }

    /**
     * Writes elements to a file, at a position of their own; the channel's stays. Bytes as in
     * {@link #writeTo(WritableByteChannel, long, long)}.
     *
     * @param position in the file, in bytes from 0
     * @throws IOException if the file cannot be written; some of the elements may be in it then
     */
    public final void writeTo(FileChannel target, long position, long from, long count)
            throws IOException {
        bounce(from, count).writeTo(target, checkedPosition(position));
    }

    /**
     * Puts elements into a buffer, from its position on. Bytes as in {@link
     * #writeTo(WritableByteChannel, long, long)}, whatever the buffer's order.
     *
     * @throws BufferOverflowException if they are more than the buffer has room for; nothing has
     *     been put into it then
     */
    public final void writeTo(ByteBuffer target, long from, long count) {
        Bounce elements = bounce(from, count);
        if (target.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        if (count * elementBytes() > target.remaining()) {
            throw new BufferOverflowException();
        }
        elements.writeTo(target);
    }

    /**
     * Reads elements from a channel, at its position: all of them, however little the channel gives
     * at once. Bytes as in {@link #writeTo(WritableByteChannel, long, long)}.
     *
     * @param source blocking, if it can be either
     * @param to the first element
     * @param count number of elements; structs of a {@link StructArray}
     * @throws EOFException if the channel ends before; what it had is stored
     * @throws IOException if the channel fails; some of the elements are stored then
     * @throws IllegalBlockingModeException if the channel does not block
     */
    public final void readFrom(ReadableByteChannel source, long to, long count) throws IOException {
        bounceStore(to, count).readFrom(source);
    }

    /**
     * Reads elements from a file, at a position of their own; the channel's stays. Bytes as in
     * {@link #writeTo(WritableByteChannel, long, long)}.
     *
     * @param position in the file, in bytes from 0
     * @throws EOFException if the file ends before; what it had is stored
     * @throws IOException if the file cannot be read; some of the elements are stored then
     */
    public final void readFrom(FileChannel source, long position, long to, long count)
            throws IOException {
        bounceStore(to, count).readFrom(source, checkedPosition(position));
    }

    /**
     * Takes elements from a buffer, from its position on. Bytes as in {@link
     * #writeTo(WritableByteChannel, long, long)}, whatever the buffer's order.
     *
     * @throws BufferUnderflowException if the buffer has fewer; nothing is stored then
     */
    public final void readFrom(ByteBuffer source, long to, long count) {
        Bounce elements = bounceStore(to, count);
        if (count * elementBytes() > source.remaining()) {
            throw new BufferUnderflowException();
        }
        elements.readFrom(source);
    }

    private static long checkedPosition(long position) {
        if (position < 0) {
            throw new IllegalArgumentException("position " + position + " is before the file");
        }
        return position;
    }

    private Bounce bounce(long from, long count) {
        checkBound();
        long length = spec.bytes() / elementBytes();
        if (from < 0 || count < 0 || count > length - from) {
            throw outOfRange(from, count, length);
        }
        return new Bounce(this, from * elementBytes(), count * elementBytes());
    }

    private Bounce bounceStore(long to, long count) {
        Bounce elements = bounce(to, count);
        if (memory.isReadOnly()) {
            throw sealed(null);
        }
        return elements;
    }

    private IndexOutOfBoundsException outOfRange(long from, long count, long length) {
        return new IndexOutOfBoundsException(
                count
                        + " elements from "
                        + from
                        + " on of variable "
                        + name
                        + ", whose length is "
                        + length);
    }

    /** Of one element that {@link #writeTo} and {@link #readFrom} count. */
    long elementBytes() {
        return spec.granuleBytes();
    }

    /** Copies bytes of the memory into a buffer, at its position, which stays. */
    final void loadBytes(long offset, ByteBuffer target, int bytes) {
        MemorySegment into = MemorySegment.ofBuffer(target);
        MemorySegment.copy(memory, load(offset, bytes), into, 0, bytes);
    }

    /** Copies bytes from a buffer, at its position, which stays, into the memory. */
    final void storeBytes(long offset, ByteBuffer source, int bytes) {
        MemorySegment.copy(MemorySegment.ofBuffer(source), 0, memory, store(offset, bytes), bytes);
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
    final void checkRange(int from, long to, int length) {
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
        checkRange(from, (long) from + Math.max(count, 0), length);
        if (memory.isReadOnly()) {
            throw sealed(null);
        }
    }

    /**
     * Says what was wrong with an access to an element, after the segment's own checks have refused
     * it. Kept off the access path: a good access pays nothing for a good message.
     *
     * <p>It is told what the access itself needs and nothing else, and finds the view by its
     * memory. Whatever more a handler has to know is kept in a register in every round of a loop:
     * with the index a load at a random place took a sixth longer, with the view a twentieth.
     *
     * @param elements the view's memory
     * @param offset of the element in it, in bytes
     * @param cause what the segment said
     */
    static RuntimeException refused(MemorySegment elements, long offset, RuntimeException cause) {
        SharedVariable view = viewOf(elements);
        if (view == null) {
            return cause; // bound meanwhile, by a thread that races with this access
        }
        return view.refused(view.place(offset), cause);
    }

    /** What error messages call the element at {@code offset} bytes, in the memory or outside. */
    String place(long offset) {
        return "index " + offset / elementBytes();
    }

    /** What error messages say of the length. */
    String shape() {
        return "length is " + spec.bytes() / elementBytes();
    }

    private static @Nullable SharedVariable viewOf(MemorySegment elements) {
        synchronized (VIEWS) {
            for (SharedVariable view : VIEWS) {
                boolean isAlive = view.memory.scope().isAlive(); // else others may have its place
                if (isAlive && view.memory.equals(elements)) {
                    return view;
                }
            }
        }
        return null;
    }

    /** The same for an access that was refused before it had an offset. */
    final RuntimeException refused(String place, RuntimeException cause) {
        if (!isBound()) {
            return unbound();
        }
        if (cause instanceof IndexOutOfBoundsException) {
            IndexOutOfBoundsException better =
                    new IndexOutOfBoundsException(
                            place + " of variable " + name + ", whose " + shape());
            better.initCause(cause);
            return better;
        }
        boolean isStore = cause instanceof IllegalArgumentException;
        return isStore && memory.isReadOnly() ? sealed(cause) : cause;
    }

    private boolean isBound() {
        return memory.byteSize() > 0;
    }

    private void checkBound() {
        if (!isBound()) {
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
            if (view.isBound()) {
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
