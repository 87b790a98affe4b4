package io.muninn.agent.memory;

import io.muninn.api.spi.RegionSpec;
import io.muninn.directory.PageQueue;
import io.muninn.kernel.port.Traps;
import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.nativefault.DirtiedSink;
import io.muninn.nativefault.FaultEngine;
import io.muninn.nativefault.PageBatch;
import io.muninn.nativefault.PoolPages;
import io.muninn.nativefault.TrapState;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.ProtocolTraits;
import io.muninn.spi.ProtocolTraits.Trait;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The ownership of pages between the agent and the traps of its application. A step of the kernel
 * takes its pages. After the step, the pages that threads may only load from, and that have no
 * twin, are offered to the traps; only pages of protocols with twins ever are.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
final class PageClaims {
    private final MappingId mapping; // the application process of the traps
    private final FaultEngine engine;
    private final PageTable table;
    private final boolean trapping;
    private final BitSet withViews = new BitSet(); // regions
    private final BitSet withTwins = new BitSet(); // regions whose twins traps may make
    private final PageBatch batch;
    private final List<PageId> batched = new ArrayList<>(); // the pages of the batch
    private final ArrayDeque<PageId> entered = new ArrayDeque<>(); // by traps, to be reported
    private final Set<PageId> unsafe = new HashSet<>(); // of these
    private final ArrayDeque<PageId> dirtied = new ArrayDeque<>(); // to be reported
    private final ArrayDeque<PageId> withdrawn = new ArrayDeque<>(); // with twins not reported yet
    private final Set<PageId> lifting = new HashSet<>(); // pages that this step could not take

    private final PageQueue taken = new PageQueue(); // by this step
    private final News news = new News();
    private Consumer<PageId> onEntered = _ -> {};

    PageClaims(MappingId mapping, FaultEngine engine, PageTable table) {
        this.mapping = mapping;
        this.engine = engine;
        this.table = table;
        this.trapping = engine.kind().hasTraps();
        this.batch = new PageBatch(engine);
    }

    /**
     * @param check of a page that a trap has entered, before that is reported
     */
    void onEntered(Consumer<PageId> check) {
        onEntered = check;
    }

    /**
     * Reports the pages that traps have entered, and those whose twins they have made; their twins
     * are in the table then.
     */
    void tellNews(Traps.Listener told) {
        if (!trapping) {
            return;
        }
        while (!withdrawn.isEmpty()) {
            told.twinMade(mapping, withdrawn.remove());
        }
        engine.readDirtied(news);
        while (!entered.isEmpty()) {
            PageId page = entered.remove();
            table.put(page, PageAccess.READ);
            table.offered(page, true); // for its twin
            onEntered.accept(page);
            told.entered(mapping, page, unsafe.remove(page));
        }
        while (!dirtied.isEmpty()) {
            PageId page = dirtied.remove();
            if (engine.trapState(table.offset(page)).isStoredTo()) {
                tell(page, told);
            }
        }
    }

    /**
     * Freezes a page. Afterwards no trap works on it, or its twin has been reported, or it is being
     * entered.
     */
    void freeze(PageId page, Traps.Listener told) {
        if (!isShared(page)) {
            return;
        }
        TrapState state = frozen(page);
        if (state.isStoredTo()) {
            tell(page, told);
        } else if (state == TrapState.AGENT) {
            taken.add(page);
        }
    }

    /** Takes a page from the traps, unless a trap is entering it: then returns true. */
    boolean isEntering(PageId page) {
        return isShared(page) && frozen(page) == TrapState.ENTERING;
    }

    /** Takes a page from the traps, unless one gives this access or more: then returns true. */
    boolean isGivenByTrap(PageId page, PageAccess access) {
        if (!isShared(page)) {
            return false;
        }
        TrapState state = frozen(page);
        return state == TrapState.ENTERING || access == PageAccess.READ && state.isStoredTo();
    }

    /** As {@link #isEntering}, also for a page whose entry has not been reported. */
    boolean isEnteredByTrap(PageId page) {
        if (!isShared(page)) {
            return false;
        }
        boolean isEntering = isEntering(page);
        engine.readDirtied(news);
        return isEntering || entered.contains(page);
    }

    /** Permits traps to enter an absent page. */
    void offerAbsent(PageId page, PoolPages offers) {
        if (isShared(page)) {
            table.offered(page, offers.offerAbsent(table.offset(page), table.pageBytes(page)));
        }
    }

    /** Records what traps have done, to report it later. */
    private final class News implements DirtiedSink {
        @Override
        public void onDirtied(long offset) {
            dirtied.add(table.pageAt(offset));
        }

        @Override
        public void onEntered(long offset) {
            entered.add(table.pageAt(offset));
        }

        @Override
        public void onUnsafe(long offset) {
            unsafe.add(table.pageAt(offset));
        }
    }

    /** Freezes the pages of a message. */
    void freeze(ProtocolMessage message, Traps.Listener told) {
        if (!trapping) {
            return;
        }
        List<PageId> stored = new ArrayList<>();
        for (int i = 0; i < message.pageCount(); i++) {
            PageId page = message.page(i);
            if (!isShared(page)) {
                continue;
            }
            if (!table.isOffered(page)) {
                taken.add(page);
            } else {
                if (!fitsBatch(page)) {
                    frozenBatch(stored);
                }
                addToBatch(page);
            }
        }
        frozenBatch(stored);
        stored.forEach(page -> tell(page, told)); // which may take other pages
    }

    private void frozenBatch(List<PageId> stored) {
        if (batch.count() == 0) {
            return;
        }
        batch.freeze(table.pageBytes(batched.getFirst()));
        for (int i = 0; i < batched.size(); i++) {
            PageId page = batched.get(i);
            TrapState state = batch.state(i);
            table.offered(page, state != TrapState.AGENT);
            if (state.isStoredTo()) {
                stored.add(page);
            } else {
                taken.add(page);
            }
        }
        clearBatch();
    }

    /** True if the page fits the batch, whose pages have one size. */
    private boolean fitsBatch(PageId page) {
        return batch.count() == 0
                || !batch.isFull() && table.pageBytes(batched.getFirst()) == table.pageBytes(page);
    }

    private void addToBatch(PageId page) {
        batch.add(table.offset(page), 0);
        batched.add(page);
    }

    private void clearBatch() {
        batch.clear();
        batched.clear();
    }

    private void tell(PageId page, Traps.Listener told) {
        if (table.isTold(page)) {
            return;
        }
        adoptTwin(page);
        table.told(page, true);
        table.put(page, PageAccess.READ_WRITE);
        told.twinMade(mapping, page);
    }

    /**
     * Takes a page, so that its access can be changed.
     *
     * @return false if a trap is about to let its thread store, which has been reported to the
     *     kernel
     */
    boolean take(PageId page) {
        if (!isShared(page)) {
            return true;
        }
        if (frozen(page).isStoredTo()) {
            if (!table.isTold(page)) {
                throw new IllegalStateException(
                        "page " + page + " was stored to in a step that is not about it");
            }
            if (engine.seize(table.offset(page), table.pageBytes(page)) == TrapState.LIFTING) {
                lifting.add(page);
                return false;
            }
            table.told(page, false);
            table.offered(page, false);
        }
        taken.add(page);
        return true;
    }

    /**
     * Takes a page, with its twin if a trap has made one, so that all access can be withdrawn. The
     * twin is reported before the next outside event.
     *
     * @return false if a trap is about to let its thread store, or load
     */
    boolean takeWithTwin(PageId page) {
        if (!isShared(page)) {
            return true;
        }
        TrapState state = frozen(page);
        if (!state.isStoredTo()) {
            return state != TrapState.ENTERING;
        }
        adoptTwin(page);
        if (engine.seize(table.offset(page), table.pageBytes(page)) == TrapState.LIFTING) {
            return false;
        }
        if (!table.isTold(page)) {
            withdrawn.add(page);
        }
        table.told(page, false);
        table.offered(page, false);
        return true;
    }

    /**
     * Takes a page that is to be changed in place, with its twin if a trap has made one: a change
     * of both is not a store of a thread. The twin is reported before the next outside event.
     */
    void takeToChange(PageId page) {
        if (!isShared(page) || table.twin(page) != 0) {
            return;
        }
        if (!frozen(page).isStoredTo()) {
            taken.add(page);
        } else if (!table.isTold(page)) {
            adoptTwin(page);
            dirtied.add(page);
        }
    }

    /**
     * Adopts the twin that a trap has made, unless the kernel has dropped it, although a trap may
     * not have stored yet: then the page is stored to without a twin. A diff from another node does
     * not change a granule that differs from the twin.
     */
    private void adoptTwin(PageId page) {
        if (table.twin(page) == 0 && !table.isTold(page)) {
            table.twin(page, engine.adoptTwin(table.offset(page), table.pageBytes(page)));
        }
    }

    /** Takes a page to which no thread stores. */
    void takeAll(PageId page) {
        if (!take(page)) {
            throw new IllegalStateException("page " + page + " is being stored to");
        }
    }

    /** Takes a page unless threads store to it, or are about to; then it may be made writable. */
    void takeUnlessStored(PageId page) {
        if (isShared(page) && frozen(page) == TrapState.AGENT) {
            taken.add(page);
        }
    }

    /** True if {@link #take} has failed in this step. */
    boolean isLifting(PageId page) {
        return lifting.contains(page);
    }

    /** Reports the page's twin to the kernel before the next event, like a new one. */
    void tellAgain(PageId page) {
        table.told(page, false);
        dirtied.add(page);
    }

    /** Records that the kernel knows that threads store to pages with a twin. */
    void told(List<PageId> stored) {
        stored.forEach(page -> table.told(page, true));
    }

    void stepIsOver() {
        lifting.clear();
    }

    /** Offers the page to the traps when the step is over. */
    void offerLater(PageId page) {
        if (isShared(page)) {
            taken.add(page);
        }
    }

    /** Offers the taken pages to the traps again, except those that are being withdrawn. */
    void offerTaken() {
        if (taken.isEmpty()) {
            return;
        }
        for (PageId page : taken.take()) {
            if (table.hasContent(page)
                    && !table.isWithdrawing(page)
                    && table.access(page) == PageAccess.READ
                    && table.twin(page) == 0) {
                if (!fitsBatch(page)) {
                    offerBatch();
                }
                addToBatch(page);
            }
        }
        offerBatch();
    }

    private void offerBatch() {
        if (batch.count() == 0) {
            return;
        }
        batch.offer(table.pageBytes(batched.getFirst()));
        for (int i = 0; i < batched.size(); i++) {
            table.offered(batched.get(i), batch.isOffered(i));
        }
        clearBatch();
    }

    /** Queries the engine only for pages that traps may own: only an offer makes them owners. */
    private TrapState frozen(PageId page) {
        if (!table.isOffered(page)) {
            return TrapState.AGENT;
        }
        TrapState state = engine.freeze(table.offset(page), table.pageBytes(page));
        table.offered(page, state != TrapState.AGENT);
        return state;
    }

    /** Adds a region. */
    void add(RegionSpec region, ProtocolTraits traits) {
        withViews.set(region.index(), traits.has(Trait.VIEWS));
        withTwins.set(region.index(), trapping && traits.has(Trait.TWINS));
    }

    /** True if the processes of the node have views of a page. */
    boolean haveViews(PageId page) {
        return withViews.get(page.region());
    }

    private boolean isShared(PageId page) {
        return withTwins.get(page.region());
    }
}
