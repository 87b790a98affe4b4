package io.muninn.api;

import io.muninn.api.remote.RemoteOperations;
import io.muninn.api.remote.RemoteWord;
import io.muninn.api.remote.WordCondition;
import io.muninn.api.remote.WordKind;
import io.muninn.api.spi.RegionSpec;
import io.muninn.api.spi.RemoteAccess;
import io.muninn.api.spi.RemoteBinder;
import io.muninn.api.spi.ViewSpec;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A variable of which no copies are made: each word is in the memory of its home, and every
 * operation is performed there. For counters, tables and flags that many nodes update, where pages
 * of a {@link SharedVariable} would travel for each word.
 *
 * <p>It is declared as a field of the program, annotated {@link Shared}, as other variables are; of
 * the annotation only {@link Shared#home} applies, and the home of a page of 4 KiB is fixed: {@link
 * Home#FIRST_TOUCH} is refused. The words are initially zero.
 *
 * <p><b>Where.</b> Nodes of one agent share the words of their homes as memory, and access them by
 * atomic instructions. Words of other homes are reached by a message to the home's agent, which
 * performs the same instructions. So operations on one word are linearizable, also mixtures of both
 * kinds.
 *
 * <p><b>Order.</b> Of the remote operations of one thread, {@code get} and {@code awaitUntil} are
 * acquires and {@code set} is a release; operations that return the value before are both. {@code
 * add}, {@code accumulate}, operations of an aggregator and asynchronous ones may be performed
 * later: all are done after {@link DsmNode#remoteFence}, and before each later release of the
 * node's threads takes effect: barrier, unlock, signal, message, shipped call, {@code set} or
 * operation with a result. A remote operation neither releases nor acquires ordinary shared
 * variables: these need locks, barriers or messages.
 *
 * <p><b>Errors.</b> An index out of range causes {@link IndexOutOfBoundsException} with variable,
 * index, length and node. Use before the run binds the variable causes {@link
 * IllegalStateException}. Calls throw {@link NodeLostException} when a node is lost, and futures
 * complete with it.
 *
 * <p><b>Threads.</b> Any application thread.
 *
 * <p><b>Cost.</b> On the home's agent, that of the instruction. From elsewhere, a request and a
 * reply; operations without an answer wait only while too much is outstanding.
 *
 * <p>Source: Kontothanassis, Scott and others, section 4.3 (remote reference).
 */
public abstract sealed class RemoteVariable
        permits RemoteDoubles, RemoteInts, RemoteLongs, RemoteStructs {
    /** Polls of a word of this process's memory before its node waits for it. */
    private static final int POLLS = 2000;

    private static final long PAGE_BYTES = RegionSpec.MACHINE_PAGE_BYTES;

    static {
        RemoteBinder.install(new Seam());
    }

    private final ViewSpec spec;
    private final @Nullable RemoteVariable struct; // null unless it is a field of structs
    private String name = "";
    private @Nullable RemoteAccess access; // null before it is bound
    private MemorySegment memory = MemorySegment.NULL;
    private long start;
    private boolean isAllDirect;

    RemoteVariable(ViewSpec spec, @Nullable RemoteVariable struct) {
        this.spec = spec;
        this.struct = struct;
    }

    /** The variable's name; empty until its program has been laid out. */
    public final String name() {
        return struct == null ? name : struct.name + "." + spec.type();
    }

    /** Number of elements. */
    public abstract int length();

    /**
     * The home of an element: of the page of its first byte.
     *
     * @return a node, 0 to {@link DsmNode#nodes()} - 1
     * @throws IndexOutOfBoundsException if there is no such element
     */
    public final int home(int index) {
        long at = offset(index);
        RemoteVariable bound = bound();
        return bound.access().home(bound.start + at);
    }

    @Override
    public final String toString() {
        return name().isEmpty() ? spec.type() : name() + " " + spec.type();
    }

    /** Offset of an element in the variable, in bytes. */
    abstract long offset(int index);

    /** The exception for an index out of range. */
    final IndexOutOfBoundsException outside(String what) {
        return new IndexOutOfBoundsException(
                what
                        + " of remote variable "
                        + name()
                        + ", whose length is "
                        + length()
                        + ", on node "
                        + bound().access().node());
    }

    /** The variable that has the memory; throws if it has none. */
    final RemoteVariable bound() {
        RemoteVariable owner = struct == null ? this : struct;
        if (owner.access == null) {
            throw new IllegalStateException(
                    "remote variable "
                            + this
                            + " has no memory yet: it may be used from DsmProgram.initialize on");
        }
        return owner;
    }

    /** Offset of the variable in the remote memory. */
    final long start() {
        return start;
    }

    final RemoteAccess access() {
        RemoteAccess bound = access;
        if (bound == null) {
            throw new IllegalStateException("remote variable " + this + " has no memory yet");
        }
        return bound;
    }

    private boolean isDirect(long at) {
        boolean isDirect = isAllDirect || access().isDirect(at);
        if (isDirect) {
            access().accesses();
        }
        return isDirect;
    }

    private void updated() {
        if (SharedVariable.SIMULATED) {
            access().updated();
        }
    }

    // ---- operations on a word; offsets in the variable ----

    final long load(WordKind kind, long offset) {
        long at = start + offset;
        if (isDirect(at)) {
            return RemoteWord.get(memory, kind, at);
        }
        RemoteOperations one = new RemoteOperations();
        one.get(kind, at);
        return answer(at, one);
    }

    final void store(WordKind kind, long offset, long value) {
        long at = start + offset;
        access().order();
        if (isDirect(at)) {
            RemoteWord.set(memory, kind, at, value);
            updated();
            return;
        }
        RemoteOperations one = new RemoteOperations();
        one.update(kind, at, Op.REPLACE, value);
        access().call(access().home(at), one);
    }

    final void update(WordKind kind, long offset, Op op, long operand) {
        long at = start + offset;
        if (isDirect(at)) {
            RemoteWord.getAndUpdate(memory, kind, at, op, operand);
            updated();
            return;
        }
        RemoteOperations one = new RemoteOperations();
        one.update(kind, at, op, operand);
        access().post(access().home(at), one);
    }

    final long getAndUpdate(WordKind kind, long offset, Op op, long operand) {
        long at = start + offset;
        access().order();
        if (isDirect(at)) {
            long before = RemoteWord.getAndUpdate(memory, kind, at, op, operand);
            updated();
            return before;
        }
        RemoteOperations one = new RemoteOperations();
        one.getAndUpdate(kind, at, op, operand);
        return answer(at, one);
    }

    final long compareAndExchange(WordKind kind, long offset, long expected, long next) {
        long at = start + offset;
        access().order();
        if (isDirect(at)) {
            long before = RemoteWord.compareAndExchange(memory, kind, at, expected, next);
            updated();
            return before;
        }
        RemoteOperations one = new RemoteOperations();
        one.compareAndExchange(kind, at, expected, next);
        return answer(at, one);
    }

    private long answer(long at, RemoteOperations one) {
        return RemoteOperations.value(access().call(access().home(at), one), 0);
    }

    // ---- the same, asynchronous ----

    final CompletableFuture<Long> loadAsync(WordKind kind, long offset) {
        if (isDirect(start + offset)) {
            return access().completed(load(kind, offset));
        }
        RemoteOperations one = new RemoteOperations();
        one.get(kind, start + offset);
        return begin(one, offset);
    }

    final CompletableFuture<@Nullable Void> storeAsync(WordKind kind, long offset, long value) {
        long at = start + offset;
        if (isDirect(at)) {
            store(kind, offset, value);
            return access().completed(null);
        }
        RemoteOperations one = new RemoteOperations();
        one.update(kind, at, Op.REPLACE, value);
        return access().begin(access().home(at), one).thenApply(_ -> null);
    }

    final CompletableFuture<Long> getAndUpdateAsync(
            WordKind kind, long offset, Op op, long operand) {
        if (isDirect(start + offset)) {
            return access().completed(getAndUpdate(kind, offset, op, operand));
        }
        RemoteOperations one = new RemoteOperations();
        one.getAndUpdate(kind, start + offset, op, operand);
        return begin(one, offset);
    }

    final CompletableFuture<Long> compareAndExchangeAsync(
            WordKind kind, long offset, long expected, long next) {
        if (isDirect(start + offset)) {
            return access().completed(compareAndExchange(kind, offset, expected, next));
        }
        RemoteOperations one = new RemoteOperations();
        one.compareAndExchange(kind, start + offset, expected, next);
        return begin(one, offset);
    }

    private CompletableFuture<Long> begin(RemoteOperations one, long offset) {
        return access().begin(access().home(start + offset), one)
                .thenApply(answer -> RemoteOperations.value(answer, 0));
    }

    // ---- many words ----

    /** Loads neighbouring words into an array, whole words of this kind. */
    final void loadAll(WordKind kind, long offset, MemorySegment target) {
        long begin = start + offset;
        long end = begin + target.byteSize();
        for (long at = begin; at < end; ) {
            long next = endOfPiece(at, end);
            int bytes = (int) (next - at);
            if (isDirect(at)) {
                RemoteOperations.copy(memory, at, target, at - begin, bytes, kind);
            } else {
                RemoteOperations piece = new RemoteOperations();
                piece.getWords(kind, at, bytes);
                byte[] answer = access().call(access().home(at), piece);
                MemorySegment.copy(MemorySegment.ofArray(answer), 0, target, at - begin, bytes);
            }
            at = next;
        }
    }

    /** Stores whole words of this kind. */
    final void storeAll(WordKind kind, long offset, MemorySegment source) {
        long begin = start + offset;
        long end = begin + source.byteSize();
        access().order();
        for (long at = begin; at < end; ) {
            long next = endOfPiece(at, end);
            MemorySegment words = source.asSlice(at - begin, next - at);
            if (isDirect(at)) {
                RemoteOperations.copy(words, 0, memory, at, (int) (next - at), kind);
                updated();
            } else {
                RemoteOperations piece = new RemoteOperations();
                piece.setWords(kind, at, words);
                access().call(access().home(at), piece);
            }
            at = next;
        }
    }

    /** The end of the words from {@code at} on that one operation may reach. */
    private long endOfPiece(long at, long end) {
        int home = access().home(at);
        long next = Math.min(end, at / PAGE_BYTES * PAGE_BYTES + PAGE_BYTES);
        while (next < end
                && next + PAGE_BYTES - at <= RemoteOperations.WORDS_BYTES_MAX
                && access().home(next) == home) {
            next = Math.min(end, next + PAGE_BYTES);
        }
        return next;
    }

    // ---- waiting ----

    final void await(WordKind kind, long offset, Comparison comparison, long value) {
        try {
            await(kind, offset, comparison, value, -1);
        } catch (TimeoutException impossible) {
            throw new IllegalStateException("a wait without limit timed out", impossible);
        }
    }

    final void await(
            WordKind kind, long offset, Comparison comparison, long value, long time, TimeUnit unit)
            throws TimeoutException {
        try {
            await(kind, offset, comparison, value, Math.max(0, unit.toNanos(time)));
        } catch (TimeoutException over) {
            TimeoutException named =
                    new TimeoutException(
                            "a word of remote variable "
                                    + name
                                    + " was not "
                                    + comparison
                                    + " after "
                                    + unit.toMillis(time)
                                    + " ms on node "
                                    + access().node());
            named.initCause(over);
            throw named;
        }
    }

    private void await(
            WordKind kind, long offset, Comparison comparison, long value, long limitNanos)
            throws TimeoutException {
        long at = start + offset;
        access().flushOpen();
        WordCondition condition = new WordCondition(kind, at, comparison, value);
        if (!SharedVariable.SIMULATED && isDirect(at)) {
            for (int i = 0; i < POLLS; i++) {
                if (condition.holds(memory)) {
                    return;
                }
                Thread.onSpinWait();
            }
        }
        access().await(condition, limitNanos);
    }

    /** Gives {@link RemoteBinder} access to the variables. */
    private static final class Seam implements RemoteBinder.Access {
        @Override
        public ViewSpec spec(RemoteVariable variable) {
            return variable.spec;
        }

        @Override
        public boolean isField(RemoteVariable variable) {
            return variable.struct != null;
        }

        @Override
        public void name(RemoteVariable variable, String name) {
            if (variable.access != null) {
                throw new IllegalStateException(
                        "variable "
                                + variable.name
                                + " belongs to a run already; make a new program for another run");
            }
            variable.name = name;
        }

        @Override
        public void bind(RemoteVariable variable, String name, RemoteAccess access) {
            name(variable, name);
            variable.memory = access.memory();
            variable.start = access.start();
            variable.isAllDirect = !SharedVariable.SIMULATED && access.isAllDirect();
            variable.access = access;
        }
    }
}
