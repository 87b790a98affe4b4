package io.muninn.api;

import io.muninn.api.remote.WordKind;
import io.muninn.api.spi.ViewSpec;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A remote array of {@code double}: each element is at its home, and every operation is performed
 * there; see {@link RemoteVariable}.
 *
 * <p>Each method names its counterparts in OpenSHMEM 1.5, UPC++ and Chapel. {@code Async} forms
 * return at once; their futures complete when the operation is performed, and exceptionally with
 * {@link NodeLostException} when a node is lost.
 *
 * <p>Comparisons for an exchange are of bits: 0.0 is not -0.0, and a NaN equals itself.
 */
public final class RemoteDoubles extends RemoteVariable {
    private final RemoteVariable owner; // has the memory
    private final long first;
    private final long stride;
    private final int length;

    private RemoteDoubles(
            ViewSpec spec, @Nullable RemoteVariable struct, long first, long stride, int length) {
        super(spec, struct);
        this.owner = struct == null ? this : struct;
        this.first = first;
        this.stride = stride;
        this.length = length;
    }

    /**
     * Declares an array.
     *
     * @param length number of elements, at least 1
     * @throws IllegalArgumentException if {@code length} is less than 1
     */
    public static RemoteDoubles of(int length) {
        String type = "remote double[" + length + "]";
        long bytes = SharedVariable.checkedBytes(type, length, Double.BYTES);
        ViewSpec spec = new ViewSpec(type, bytes, Double.BYTES);
        return new RemoteDoubles(spec, null, 0, Double.BYTES, length);
    }

    /** A field of structs. */
    static RemoteDoubles field(
            String name, RemoteVariable struct, long first, long stride, int length) {
        return new RemoteDoubles(
                new ViewSpec(name, Double.BYTES, Double.BYTES), struct, first, stride, length);
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    long offset(int index) {
        if (Integer.compareUnsigned(index, length) >= 0) {
            throw outside("index " + index);
        }
        return first + index * stride;
    }

    /**
     * Loads an element. OpenSHMEM {@code shmem_atomic_fetch}; UPC++ {@code load}; Chapel {@code
     * read}.
     */
    public double get(int index) {
        return Double.longBitsToDouble(owner.load(WordKind.DOUBLE, offset(index)));
    }

    /** As {@link #get(int)}. UPC++ {@code rget}; OpenSHMEM {@code shmem_atomic_fetch_nbi}. */
    public CompletableFuture<Double> getAsync(int index) {
        return owner.loadAsync(WordKind.DOUBLE, offset(index)).thenApply(RemoteDoubles::value);
    }

    /**
     * Stores to an element, after all earlier operations of the thread. OpenSHMEM {@code
     * shmem_atomic_set} behind {@code shmem_quiet}; UPC++ {@code store}; Chapel {@code write}.
     */
    public void set(int index, double value) {
        owner.store(WordKind.DOUBLE, offset(index), Double.doubleToRawLongBits(value));
    }

    /** Stores to an element, later. UPC++ {@code rput}; OpenSHMEM {@code shmem_p}. */
    @SuppressWarnings("exports") // users of this class do not need the annotations
    public CompletableFuture<@Nullable Void> setAsync(int index, double value) {
        return owner.storeAsync(WordKind.DOUBLE, offset(index), Double.doubleToRawLongBits(value));
    }

    /**
     * Loads elements {@code from} to {@code from + count - 1} into an array. Each element is loaded
     * as a whole, the range is not. OpenSHMEM {@code shmem_get}; UPC++ {@code rget}; Chapel: a
     * slice assigned.
     */
    public void get(int from, double[] target, int targetFrom, int count) {
        checkRange(from, count);
        Objects.checkFromIndexSize(targetFrom, count, target.length);
        if (stride != Double.BYTES) {
            try (Aggregator each = aggregator()) {
                for (int i = 0; i < count; i++) {
                    each.get(from + i, target, targetFrom + i);
                }
            }
        } else if (count > 0) {
            MemorySegment part = MemorySegment.ofArray(target);
            owner.loadAll(WordKind.DOUBLE, offset(from), slice(part, targetFrom, count));
        }
    }

    /**
     * Stores elements of an array, as {@link #get(int, double[], int, int)} loads them. OpenSHMEM
     * {@code shmem_put}; UPC++ {@code rput}.
     */
    public void set(int to, double[] source, int sourceFrom, int count) {
        checkRange(to, count);
        Objects.checkFromIndexSize(sourceFrom, count, source.length);
        if (stride != Double.BYTES) {
            try (Aggregator each = aggregator()) {
                for (int i = 0; i < count; i++) {
                    each.set(to + i, source[sourceFrom + i]);
                }
            }
        } else if (count > 0) {
            MemorySegment part = MemorySegment.ofArray(source);
            owner.storeAll(WordKind.DOUBLE, offset(to), slice(part, sourceFrom, count));
        }
    }

    private static MemorySegment slice(MemorySegment array, int from, int count) {
        return array.asSlice((long) from * Double.BYTES, (long) count * Double.BYTES);
    }

    private void checkRange(int from, int count) {
        if (from < 0 || count < 0 || from > length - count) {
            throw outside(count + " elements from " + from);
        }
    }

    /**
     * Adds to an element. OpenSHMEM {@code shmem_atomic_fetch_add}; UPC++ {@code fetch_add}; Chapel
     * {@code fetchAdd}.
     */
    public double getAndAdd(int index, double amount) {
        return getAndAccumulate(index, amount, Op.SUM);
    }

    /** As {@link #getAndAdd}. OpenSHMEM {@code shmem_atomic_fetch_add_nbi}. */
    public CompletableFuture<Double> getAndAddAsync(int index, double amount) {
        return getAndAccumulateAsync(index, amount, Op.SUM);
    }

    /**
     * Replaces an element. OpenSHMEM {@code shmem_atomic_swap}; UPC++: none; Chapel {@code
     * exchange}.
     */
    public double getAndSet(int index, double value) {
        return getAndAccumulate(index, value, Op.REPLACE);
    }

    /** As {@link #getAndSet}. OpenSHMEM {@code shmem_atomic_swap_nbi}. */
    public CompletableFuture<Double> getAndSetAsync(int index, double value) {
        return getAndAccumulateAsync(index, value, Op.REPLACE);
    }

    /**
     * Combines an element with an operand, and returns the value before. OpenSHMEM {@code
     * shmem_atomic_fetch_and} and its like; UPC++ {@code fetch_min} and its like; Chapel {@code
     * fetchOr} and its like.
     */
    public double getAndAccumulate(int index, double operand, Op op) {
        return Double.longBitsToDouble(
                owner.getAndUpdate(
                        WordKind.DOUBLE,
                        offset(index),
                        checked(op),
                        Double.doubleToRawLongBits(operand)));
    }

    /** As {@link #getAndAccumulate}. */
    public CompletableFuture<Double> getAndAccumulateAsync(int index, double operand, Op op) {
        return owner.getAndUpdateAsync(
                        WordKind.DOUBLE,
                        offset(index),
                        checked(op),
                        Double.doubleToRawLongBits(operand))
                .thenApply(RemoteDoubles::value);
    }

    /**
     * Stores {@code next} if the element is {@code expected}. Chapel {@code compareAndSwap}.
     *
     * @return true if it was
     */
    public boolean compareAndSet(int index, double expected, double next) {
        long before =
                owner.compareAndExchange(
                        WordKind.DOUBLE,
                        offset(index),
                        Double.doubleToRawLongBits(expected),
                        Double.doubleToRawLongBits(next));
        return before == Double.doubleToRawLongBits(expected);
    }

    /** As {@link #compareAndSet}. */
    public CompletableFuture<Boolean> compareAndSetAsync(int index, double expected, double next) {
        return owner.compareAndExchangeAsync(
                        WordKind.DOUBLE,
                        offset(index),
                        Double.doubleToRawLongBits(expected),
                        Double.doubleToRawLongBits(next))
                .thenApply(before -> before == Double.doubleToRawLongBits(expected));
    }

    /**
     * As {@link #compareAndSet}, and returns the value before. OpenSHMEM {@code
     * shmem_atomic_compare_swap}; UPC++ {@code compare_exchange}; Chapel {@code compareExchange}.
     */
    public double compareAndExchange(int index, double expected, double next) {
        return Double.longBitsToDouble(
                owner.compareAndExchange(
                        WordKind.DOUBLE,
                        offset(index),
                        Double.doubleToRawLongBits(expected),
                        Double.doubleToRawLongBits(next)));
    }

    /** As {@link #compareAndExchange}. OpenSHMEM {@code shmem_atomic_compare_swap_nbi}. */
    public CompletableFuture<Double> compareAndExchangeAsync(
            int index, double expected, double next) {
        return owner.compareAndExchangeAsync(
                        WordKind.DOUBLE,
                        offset(index),
                        Double.doubleToRawLongBits(expected),
                        Double.doubleToRawLongBits(next))
                .thenApply(RemoteDoubles::value);
    }

    /**
     * Adds to an element, possibly later. OpenSHMEM {@code shmem_atomic_add}; UPC++ {@code add};
     * Chapel {@code add}.
     */
    public void add(int index, double amount) {
        owner.update(WordKind.DOUBLE, offset(index), Op.SUM, Double.doubleToRawLongBits(amount));
    }

    /**
     * Combines an element with an operand, possibly later. OpenSHMEM {@code shmem_atomic_or} and
     * its like.
     */
    public void accumulate(int index, double operand, Op op) {
        owner.update(
                WordKind.DOUBLE, offset(index), checked(op), Double.doubleToRawLongBits(operand));
    }

    /**
     * Waits until a comparison of an element with a value holds; an acquire. The home's agent holds
     * the wait: nothing is sent until the condition holds. An interrupt stays pending. OpenSHMEM
     * {@code shmem_wait_until}; Chapel {@code waitFor}.
     */
    public void awaitUntil(int index, Comparison comparison, double value) {
        owner.await(WordKind.DOUBLE, offset(index), comparison, Double.doubleToRawLongBits(value));
    }

    /**
     * As {@link #awaitUntil(int, Comparison, double)}, for a limited time.
     *
     * @throws TimeoutException if it did not hold in time
     */
    public void awaitUntil(int index, Comparison comparison, double value, long time, TimeUnit unit)
            throws TimeoutException {
        owner.await(
                WordKind.DOUBLE,
                offset(index),
                comparison,
                Double.doubleToRawLongBits(value),
                time,
                unit);
    }

    /**
     * Opens an aggregator for the calling thread: it collects operations and sends those of a home
     * together. Chapel {@code DstAggregator} and {@code SrcAggregator}.
     */
    public Aggregator aggregator() {
        return new Aggregator(this);
    }

    private static Op checked(Op op) {
        if (op.isOfBits()) {
            throw new IllegalArgumentException(op + " combines bits, and the elements are doubles");
        }
        return op;
    }

    private static double value(long bits) {
        return Double.longBitsToDouble(bits);
    }

    /**
     * Operations of one thread that are sent together. Those on one home keep their order; none is
     * sure to be performed before {@link #flush}, {@link #close}, or a release of the thread.
     *
     * <p><b>Threads.</b> The one that opened it.
     */
    public static final class Aggregator implements AutoCloseable {
        private final RemoteDoubles array;
        private final RemoteBatches batches;

        private Aggregator(RemoteDoubles array) {
            this.array = array;
            this.batches = new RemoteBatches(array.bound());
        }

        /** Adds to an element. */
        public void add(int index, double amount) {
            batches.update(
                    WordKind.DOUBLE,
                    array.offset(index),
                    Op.SUM,
                    Double.doubleToRawLongBits(amount));
        }

        /** Stores to an element. */
        public void set(int index, double value) {
            batches.update(
                    WordKind.DOUBLE,
                    array.offset(index),
                    Op.REPLACE,
                    Double.doubleToRawLongBits(value));
        }

        /** Combines an element with an operand. */
        public void accumulate(int index, double operand, Op op) {
            batches.update(
                    WordKind.DOUBLE,
                    array.offset(index),
                    checked(op),
                    Double.doubleToRawLongBits(operand));
        }

        /** Loads an element into an array; it is there after the next {@link #flush}. */
        public void get(int index, double[] target, int at) {
            Objects.checkIndex(at, target.length);
            batches.get(
                    WordKind.DOUBLE,
                    array.offset(index),
                    bits -> target[at] = Double.longBitsToDouble(bits));
        }

        /** Sends all operations, and waits for those that load. */
        public void flush() {
            batches.flush();
        }

        /** Sends all operations, and waits until they are performed. */
        @Override
        public void close() {
            batches.close();
        }
    }
}
