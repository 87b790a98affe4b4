package io.muninn.api;

import io.muninn.api.spi.PageAdvice;
import io.muninn.api.spi.ViewLink;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The nodes that read a range of a variable, as the targets of this node's pushes. A program
 * declares readers that its node would otherwise have to detect by itself ({@link
 * Protocol#HYBRID}).
 *
 * <p>Advice holds on this node only, from its next arrival at a barrier for all threads on, for all
 * elements on the pages of the range. It changes nothing that any load may return. It does nothing
 * for an empty range, and in a thread that is no application thread.
 *
 * <p><b>Threads.</b> Any.
 *
 * <p>Source: Keleher and Tseng, "Enhancing Software DSM for Compiler-Parallelized Applications",
 * section 3.1.3.
 */
public final class Readers {
    private final ViewLink link;
    private final String variable;
    private final long offset;
    private final long bytes;

    Readers(ViewLink link, String variable, long offset, long bytes) {
        this.link = link;
        this.variable = variable;
        this.offset = offset;
        this.bytes = bytes;
    }

    /**
     * Sets whether this node pushes its stores.
     *
     * @throws IllegalStateException if the variable follows a protocol that pushes nothing; a run
     *     that overrides protocols ignores the advice instead
     */
    public void advise(Advice advice) {
        tell(new PageAdvice.Coherence(Objects.requireNonNull(advice, "advice")));
    }

    /**
     * Removes all readers. Nodes that request the pages again become readers again.
     *
     * @throws IllegalStateException as {@link #advise}
     */
    public void clear() {
        tell(new PageAdvice.ClearReaders());
    }

    /**
     * Adds a node as a reader, as if it had requested the pages repeatedly.
     *
     * @param node from 0; this node itself is never a reader
     * @throws IllegalStateException as {@link #advise}
     * @throws IllegalArgumentException if the number is negative
     */
    public void add(int node) {
        tell(new PageAdvice.AddReader(checked(node)));
    }

    /** The opposite of {@link #add}. */
    public void remove(int node) {
        tell(new PageAdvice.RemoveReader(checked(node)));
    }

    private static int checked(int node) {
        if (node < 0) {
            throw new IllegalArgumentException("node " + node + " is no reader");
        }
        return node;
    }

    /** Passes the advice of {@link DsmLock#guards} for the range. */
    void guardedBy(String lock) {
        advise(
                new PageAdvice.GuardedBy(lock),
                Protocol::travelsWithLocks,
                ", whose pages do not travel with lock " + lock);
    }

    private void tell(PageAdvice advice) {
        advise(advice, Protocol::hasReaders, ", which pushes nothing to readers");
    }

    private void advise(PageAdvice advice, Predicate<Protocol> takesIt, String whyNot) {
        Optional<Protocol> unsuited = link.protocol().filter(takesIt.negate());
        if (unsuited.isPresent() && !link.isOverridden()) {
            throw new IllegalStateException(
                    "variable " + variable + " follows " + unsuited.get() + whyNot);
        }
        if (unsuited.isEmpty() && bytes > 0) {
            link.advise(offset, bytes, advice);
        }
    }
}
