package io.muninn.sim;

import io.muninn.model.MappingId;
import io.muninn.model.PageId;
import java.util.Optional;
import java.util.stream.Stream;

/** The pages for which threads of a node were woken and which they have not accessed yet. */
final class AwaitedPages {
    private final SimNode node;

    AwaitedPages(SimNode node) {
        this.node = node;
    }

    /**
     * Whether a thread was woken for a page and has not run since.
     *
     * @param toStore true to consider only threads that faulted at a store
     */
    boolean isAwaited(PageId page, boolean toStore) {
        return waking(page, toStore).findAny().isPresent();
    }

    /** The process of a thread that was woken to store to a page and has not run since. */
    Optional<MappingId> storing(PageId page) {
        return waking(page, true).map(SimThread::process).findFirst();
    }

    /** Whether a thread of a process was woken for a page and has not run since. */
    boolean isAwaitedBy(PageId page, MappingId process) {
        return waking(page, false).anyMatch(thread -> thread.process().equals(process));
    }

    private Stream<SimThread> waking(PageId page, boolean toStore) {
        return node.allThreads().filter(thread -> thread.isAboutToUse(page, toStore));
    }

    /**
     * Repeats the fault of a thread that was woken to store to a page and has lost the access
     * again. The agent handles the fault before all other events.
     */
    void raiseAgain(PageId page) {
        waking(page, true).findFirst().ifPresent(thread -> thread.raiseAgain(page));
    }
}
