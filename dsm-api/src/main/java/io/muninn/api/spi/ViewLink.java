package io.muninn.api.spi;

import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import java.util.Optional;

/**
 * The requests of a view to its node, besides loads and stores.
 *
 * <p><b>Shape.</b> Offsets are in bytes from the start of the view. A range is at least one byte
 * and lies within the view's memory.
 *
 * <p><b>Threads.</b> Any.
 */
public interface ViewLink {
    /** The link of a view whose memory is on one node only. */
    ViewLink LOCAL =
            new ViewLink() {
                @Override
                public void prefetch(long offset, long bytes, Mode mode) {}

                @Override
                public Optional<Protocol> protocol() {
                    return Optional.empty();
                }

                @Override
                public void advise(long offset, long bytes, PageAdvice advice) {}

                @Override
                public int home(long offset) {
                    return 0;
                }
            };

    /**
     * Notifies the node that the program is about to use a range; returns at once.
     *
     * @param offset of the first byte, from 0
     * @param bytes length of the range, at least 1
     */
    void prefetch(long offset, long bytes, Mode mode);

    /** The protocol that the view's memory follows; empty if the memory is on one node only. */
    Optional<Protocol> protocol();

    /**
     * True if the run overrides the protocol with which the variable is declared. Advice that
     * {@link #protocol} does not take is then ignored.
     */
    default boolean isOverridden() {
        return false;
    }

    /**
     * Passes advice about the pages of a range to the node; returns at once.
     *
     * @param offset of the first byte, from 0
     * @param bytes length of the range, at least 1
     * @throws IllegalArgumentException if a lock cannot guard so many pages
     */
    void advise(long offset, long bytes, PageAdvice advice);

    /**
     * The home of the page of a byte, as this node knows it.
     *
     * @return a node, from 0
     */
    int home(long offset);

    /**
     * Called before an update that loads and stores as one operation.
     *
     * @param operation its name
     * @throws IllegalStateException if the program may expect it to be atomic between nodes, and it
     *     is not
     */
    default void requireAtomic(String operation) {}
}
