package io.muninn.api;

import io.muninn.api.spi.AccessGuard;
import io.muninn.api.spi.ViewBinder;
import io.muninn.api.spi.ViewLink;
import io.muninn.api.spi.ViewSpec;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A variable that all nodes share, accessed through one of the typed views. The view's {@code of}
 * creates a declaration: a shape without memory. The start of the run binds it to the memory of its
 * region. From {@link DsmProgram#initialize} to {@link DsmProgram#verify} it is read and written
 * with plain loads and stores.
 *
 * <p><b>Shape.</b> Indices are 0-based. Elements are stored without padding in the machine's byte
 * order and are initially zero.
 *
 * <p><b>Order.</b> Stores reach other nodes through synchronization (locks, barriers, messages),
 * not by themselves. Two accesses to one element that no synchronization orders, one of them a
 * store, are a data race: the load may return either value, unless {@link Protocol#CONVENTIONAL}
 * guarantees more. The compiler may reorder plain accesses in any case.
 *
 * <p><b>Errors.</b> An index out of range causes {@link IndexOutOfBoundsException} with variable,
 * index and length. Use before the variable is bound, and a store to a {@link Protocol#READ_ONLY}
 * variable after initialization, cause {@link IllegalStateException} with the variable's name. An
 * access to a page that was lost with its node causes {@link InternalError} in the accessing
 * thread.
 *
 * <p><b>Threads.</b> Any platform thread, between start and end of the run. Virtual threads should
 * not access it. Their loads and stores are correct and reach other nodes with the releases of the
 * node's application threads. But a fault holds the carrier until the page arrives, and with it
 * every virtual thread that waits for a carrier; and virtual threads cannot synchronize ({@link
 * DsmNode}). After the end of the run, in a shutdown hook, an access to a page that is not on this
 * node causes {@link InternalError}.
 *
 * <p><b>Segments.</b> A segment of the variable ends where the variable ends. A segment {@linkplain
 * MemorySegment#reinterpret(long) reinterpreted} to a larger size reaches other variables
 * unchecked; an access outside all variables fails the run.
 *
 * <p><b>System calls.</b> {@code writeTo} and {@code readFrom} copy elements to and from channels
 * and buffers on every engine. A system call on the memory itself, as by {@code
 * channel.read(view.segment(...).asByteBuffer())}, may access pages that are not on this node. It
 * works with {@code uffd+event} and full privilege, where accesses by the operating system's kernel
 * wait for the page too. With a signal trap, or with a userfaultfd for user mode only, it fails
 * with {@code EFAULT} ("Bad address") or transfers fewer bytes than requested, which only its
 * result shows. {@code ./dsm doctor} reports which applies to a machine.
 *
 * <p><b>Cost.</b> An access to a page already held costs a comparison of its index, and a load or
 * store: little more than one to a heap array. In a JVM without {@code --enable-native-access} for
 * this module it costs what an access to a {@link MemorySegment} costs. The first to another page
 * costs at least one round trip between nodes.
 */
public abstract sealed class SharedVariable
        permits ByteArray,
                DoubleArray,
                FloatArray,
                Grid,
                IntArray,
                LongArray,
                ShortArray,
                StructArray {
    /**
     * True in a JVM that simulates, by the system property {@code muninn.simulated}. A constant.
     */
    static final boolean SIMULATED = Boolean.getBoolean("muninn.simulated");

    /**
     * True in a JVM whose views may have guards: one that simulates, or an application of a run
     * that looks for races, by the system property {@code muninn.guarded}. A constant: in any other
     * JVM the compiler removes every call of a guard, and an access is a plain load or store.
     */
    static final boolean GUARDED = SIMULATED || Boolean.getBoolean("muninn.guarded");

    /** The name of an unshared view in error messages. */
    static final String LOCAL_NAME = "(local)";

    static {
        ViewBinder.install(new ViewSeam());
    }

    /** The variable's memory: exactly its bytes, read-only once sealed. Views do not overlap. */
    MemorySegment memory = MemorySegment.NULL;

    /** Address of the memory. */
    private long address;

    private final int indices;

    /** Indices that may be loaded from, from 0: all, or none before the view is bound. */
    int loadable;

    /** Indices that may be stored to, from 0: all, or none before it is bound and once sealed. */
    int storable;

    final ViewSpec spec;

    /** Null in most live runs, for local views, and before binding. */
    @Nullable AccessGuard guard;

    ViewLink link = ViewLink.LOCAL;

    String name = "";

    /**
     * @param indices number of values of an index: the elements of an array, the columns of a
     *     matrix
     */
    SharedVariable(ViewSpec spec, int indices) {
        this.spec = spec;
        this.indices = indices;
    }

    /** Binds a view to private memory, outside every run. */
    final void bindLocally() {
        name = LOCAL_NAME;
        take(Arena.ofAuto().allocate(spec.bytes(), Long.BYTES));
    }

    final void take(MemorySegment taken) {
        memory = taken;
        address = taken.address();
        VarHandle.storeStoreFence(); // no access is permitted before the address is set
        loadable = indices;
        storable = taken.isReadOnly() ? 0 : indices;
    }

    final void seal() {
        checkBound();
        memory = memory.asReadOnly();
        storable = 0;
    }

    /** The segment through which elements are loaded and stored, after a check of their indices. */
    final MemorySegment elements() {
        return AllMemory.IS_OPEN ? AllMemory.SEGMENT : memory;
    }

    /** The offset in {@link #elements} of a byte of the variable. */
    final long at(long offset) {
        return AllMemory.IS_OPEN ? AllMemory.offset(address, offset) : offset;
    }

    /**
     * Checks an index that is loaded from. It is compared, not passed through {@link
     * Objects#checkIndex}: of the result of that, the compiler keeps the range, and then does not
     * see that the variable of a loop is counted if it compiles the loop while that runs.
     *
     * @return {@code index}
     */
    final int loaded(int index) {
        if (Integer.compareUnsigned(index, loadable) >= 0) {
            throw refused("index " + index, index);
        }
        return index;
    }

    /** As {@link #loaded}, of an index that is stored to. */
    final int stored(int index) {
        if (Integer.compareUnsigned(index, storable) >= 0) {
            throw refused("index " + index, index);
        }
        return index;
    }

    /** The variable's name; empty until its program has been laid out. */
    public final String name() {
        return name;
    }

    @Override
    public final String toString() {
        return name.isEmpty() ? spec.type() : name + " " + spec.type();
    }

    /**
     * Writes elements to a channel, at its position. Repeats partial writes until all elements are
     * written.
     *
     * <p>The bytes are those in memory: elements in order, matrices and cubes row by row, structs
     * with their padding, in the machine's byte order, which is little-endian.
     *
     * @param target in blocking mode, if it is selectable
     * @param from the first element
     * @param count number of elements; structs of a {@link StructArray}
     * @throws IOException if the channel fails; some of the elements may have been written
     * @throws IllegalBlockingModeException if the channel does not block
     */
    public final void writeTo(WritableByteChannel target, long from, long count)
            throws IOException {
        bounce(from, count).writeTo(target);
    }

    /**
     * Writes elements to a file, at a given position; the channel's own position does not change.
     * Bytes as in {@link #writeTo(WritableByteChannel, long, long)}.
     *
     * @param position in the file, in bytes from 0
     * @throws IOException if the file cannot be written; some of the elements may have been written
     */
    public final void writeTo(FileChannel target, long position, long from, long count)
            throws IOException {
        bounce(from, count).writeTo(target, checkedPosition(position));
    }

    /**
     * Puts elements into a buffer, from its position on. Bytes as in {@link
     * #writeTo(WritableByteChannel, long, long)}, regardless of the buffer's order.
     *
     * @throws BufferOverflowException if the buffer has too little room; nothing has been put into
     *     it
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
     * Reads elements from a channel, at its position. Repeats partial reads until all elements are
     * read. Bytes as in {@link #writeTo(WritableByteChannel, long, long)}.
     *
     * @param source in blocking mode, if it is selectable
     * @param to the first element
     * @param count number of elements; structs of a {@link StructArray}
     * @throws EOFException if the channel ends before; the elements read so far are stored
     * @throws IOException if the channel fails; some of the elements may have been stored
     * @throws IllegalBlockingModeException if the channel does not block
     */
    public final void readFrom(ReadableByteChannel source, long to, long count) throws IOException {
        bounceStore(to, count).readFrom(source);
    }

    /**
     * Reads elements from a file, at a given position; the channel's own position does not change.
     * Bytes as in {@link #writeTo(WritableByteChannel, long, long)}.
     *
     * @param position in the file, in bytes from 0
     * @throws EOFException if the file ends before; the elements read so far are stored
     * @throws IOException if the file cannot be read; some of the elements may have been stored
     */
    public final void readFrom(FileChannel source, long position, long to, long count)
            throws IOException {
        bounceStore(to, count).readFrom(source, checkedPosition(position));
    }

    /**
     * Gets elements from a buffer, from its position on. Bytes as in {@link
     * #writeTo(WritableByteChannel, long, long)}, regardless of the buffer's order.
     *
     * @throws BufferUnderflowException if the buffer has fewer elements; nothing has been stored
     */
    public final void readFrom(ByteBuffer source, long to, long count) {
        Bounce elements = bounceStore(to, count);
        if (count * elementBytes() > source.remaining()) {
            throw new BufferUnderflowException();
        }
        elements.readFrom(source);
    }

    /**
     * Copies elements to another variable of the same element type, or within this one. Elements
     * are counted as by {@link #writeTo(WritableByteChannel, long, long)}, so arrays, matrices and
     * cubes can be copied to one another. The ranges may overlap; the result is that of {@link
     * System#arraycopy}. The copy is not atomic: another thread may see a part of it.
     *
     * @param from the first element
     * @param target may be this variable
     * @param to the first element of {@code target}
     * @param count number of elements; structs of a {@link StructArray}
     * @throws IllegalArgumentException if the variables have different elements; of structs, if
     *     offset, type or name of a member differs
     * @throws IndexOutOfBoundsException if a range is not within its variable, naming the variable
     */
    public final void copyTo(long from, SharedVariable target, long to, long count) {
        if (!elementType().equals(target.elementType())) {
            throw new IllegalArgumentException(
                    "elements of variable "
                            + this
                            + " cannot be copied to variable "
                            + target
                            + ": the elements differ");
        }
        checkElements(from, count);
        target.checkElementStores(to, count);
        long bytes = elementBytes();
        BulkAccess.copy(this, from * bytes, target, to * bytes, count * bytes);
    }

    /** The type of an element, or the struct, as {@link ViewSpec#type} describes it. */
    String elementType() {
        return spec.type().substring(0, spec.type().indexOf('['));
    }

    /**
     * Largest number of pages that one prefetch requests; further pages of its range are left to
     * the accesses.
     */
    public static final int PREFETCH_PAGES_MAX = 1024;

    /** Prefetches elements that will be loaded; see {@link #prefetch(long, long, Mode)}. */
    public final void prefetch(long from, long to) {
        prefetch(from, to, Mode.READ);
    }

    /**
     * Requests the pages of elements that this node is about to use and may not hold, so that their
     * first accesses wait less or not at all. A hint: it returns at once, changes nothing that any
     * load may return, takes no page from a node that stores to it, and may be ignored. It does
     * nothing in a thread that is no application thread.
     *
     * @param from the first element, counted as by {@code segment} of the view: of a matrix, the
     *     first row; of a cube, the first plane
     * @param to the element or row after the last; an empty range does nothing
     * @param mode whether the elements will be loaded only, or stored to as well
     * @throws IndexOutOfBoundsException if the range is not within the variable
     */
    public final void prefetch(long from, long to, Mode mode) {
        Objects.requireNonNull(mode, "mode");
        checkRange(from, to);
        if (to > from) {
            link.prefetch(from * indexBytes(), (to - from) * indexBytes(), mode);
        }
    }

    /**
     * The home of an element: of the page of its first byte ({@link Home}). Under {@link
     * Home#FIRST_TOUCH} it is the home that this node knows of, which is the root until the home is
     * decided. It is defined for every variable, also under protocols without homes.
     *
     * @param index of the element, counted as by {@code segment} of the view: of a matrix, the row;
     *     of a cube, the plane
     * @return a node, 0 to {@link DsmNode#nodes()} - 1; 0 for a variable that is not shared
     * @throws IndexOutOfBoundsException if there is no such element
     */
    public final int home(long index) {
        checkRange(index, index == Long.MAX_VALUE ? index : index + 1);
        return link.home(index * indexBytes());
    }

    /** The readers of these elements, for advice to this node; counted as by {@link #prefetch}. */
    public final Readers readers(long from, long to) {
        checkRange(from, to);
        return new Readers(link, name, from * indexBytes(), (to - from) * indexBytes());
    }

    /** Bytes of one item as counted by {@code segment}, {@link #prefetch} and {@link #home}. */
    long indexBytes() {
        return elementBytes();
    }

    /** The name of such an item in messages. */
    String indexWord() {
        return "element";
    }

    private static long checkedPosition(long position) {
        if (position < 0) {
            throw new IllegalArgumentException("position " + position + " is before the file");
        }
        return position;
    }

    private Bounce bounce(long from, long count) {
        checkElements(from, count);
        return new Bounce(this, from * elementBytes(), count * elementBytes());
    }

    private Bounce bounceStore(long to, long count) {
        checkElementStores(to, count);
        return bounce(to, count);
    }

    private void checkElements(long from, long count) {
        checkBound();
        long length = spec.bytes() / elementBytes();
        if (from < 0 || count < 0 || count > length - from) {
            throw outOfRange(from, count, length);
        }
    }

    private void checkElementStores(long to, long count) {
        checkElements(to, count);
        checkUnsealed();
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

    /** Bytes of one element, as counted by {@link #writeTo} and {@link #readFrom}. */
    long elementBytes() {
        return spec.granuleBytes();
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
     * Passes a load to the guard, if there is one. Returns the offset, so that an access has the
     * same form with and without a guard.
     *
     * @return {@code offset}
     */
    final long load(long offset, long bytes) {
        if (GUARDED) {
            guardLoad(offset, bytes);
        }
        return offset;
    }

    /**
     * Passes a store or an atomic operation to the guard, if there is one.
     *
     * @return {@code offset}
     */
    final long store(long offset, long bytes) {
        if (GUARDED) {
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

    /** True unless the range is empty or fails the memory's own bounds check. */
    private boolean isWithin(long offset, long bytes) {
        return bytes > 0 && offset >= 0 && offset <= memory.byteSize() - bytes;
    }

    /** The memory of elements, or rows, or planes {@code from} to {@code to} (exclusive). */
    final MemorySegment slice(int from, int to, Mode mode) {
        checkRange(from, to);
        if (mode == Mode.WRITE) {
            checkUnsealed();
        }
        MemorySegment part = part(from * indexBytes(), (to - from) * indexBytes(), mode);
        return mode == Mode.READ ? part.asReadOnly() : part;
    }

    private MemorySegment part(long offset, long bytes, Mode mode) {
        if (mode == Mode.WRITE) {
            store(offset, bytes);
        } else if (GUARDED && guard != null && isWithin(offset, bytes)) {
            guard.mayLoad(offset, bytes);
        }
        MemorySegment part = memory.asSlice(offset, bytes);
        return GUARDED && guard != null && bytes > 0 ? guard.lend(part, offset, mode) : part;
    }

    /**
     * Checks a range of what {@code segment} of the view counts, so that the error names the
     * variable.
     */
    final void checkRange(long from, long to) {
        checkBound();
        if (from < 0 || to < from || to > spec.bytes() / indexBytes()) {
            throw new IndexOutOfBoundsException(
                    indexWord()
                            + "s "
                            + from
                            + " to "
                            + to
                            + " of variable "
                            + name
                            + ", whose "
                            + shape());
        }
    }

    /** As {@link #checkRange}, of a range that is stored to. */
    final void checkStores(long from, long to) {
        checkRange(from, to);
        checkUnsealed();
    }

    private void checkUnsealed() {
        if (memory.isReadOnly()) {
            throw sealed();
        }
    }

    /**
     * Stores one value to every element of a range, counted as by {@code segment} of the view.
     *
     * @param bits of the value, see {@link BulkAccess#fill}
     */
    final void fillBits(int from, int to, long bits) {
        checkStores(from, to);
        long offset = from * indexBytes();
        BulkAccess.fill(this, offset, to * indexBytes() - offset, spec.granuleBytes(), bits);
    }

    /** The length as error messages describe it. */
    String shape() {
        return "length is " + spec.bytes() / elementBytes();
    }

    /**
     * Creates the exception for an access to an element.
     *
     * @param place the element
     * @param index of it, which is out of range, or within it and refused
     */
    final RuntimeException refused(String place, int index) {
        return Integer.compareUnsigned(index, indices) < 0 && isBound() && memory.isReadOnly()
                ? sealed()
                : refused(place);
    }

    /** Creates the exception for an access to an element that the variable does not have. */
    final RuntimeException refused(String place) {
        return isBound()
                ? new IndexOutOfBoundsException(
                        place + " of variable " + name + ", whose " + shape())
                : unbound();
    }

    final boolean isBound() {
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
                        + " has no memory yet: it may be used from DsmProgram.initialize on"
                        + (name.isEmpty() ? ", if its field is annotated @Shared" : ""));
    }

    private IllegalStateException sealed() {
        return new IllegalStateException(
                "store to variable " + name + ", which is READ_ONLY since initialization ended");
    }
}
