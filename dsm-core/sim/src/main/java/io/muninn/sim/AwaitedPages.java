package io.muninn.sim;

import io.muninn.model.PageId;
import java.util.stream.Stream;

/** The pages at which threads of a node were woken, and which these have not used yet. */
final class AwaitedPages {
    private final SimNode node;

    AwaitedPages(SimNode node) {
        this.node = node;
    }

    /**
     * Whether a thread was woken at a page and has not run since.
     *
     * @param toStore only if it stopped there to store
     */
    boolean isAwaited(PageId page, boolean toStore) {
        return waking(page, toStore).findAny().isPresent();
    }

    private Stream<SimThread> waking(PageId page, boolean toStore) {
        return Stream.concat(node.threads().stream(), node.ownThreads().stream())
                .filter(thread -> thread.isAboutToUse(page, toStore));
    }

    /**
     * A thread that was woken to store to a page may not any more: it stops there again, of which
     * its agent hears before anything else.
     */
    void raiseAgain(PageId page) {
        waking(page, true).findFirst().ifPresent(thread -> thread.raiseAgain(page));
    }
}
