package io.muninn.coherence.writeshared;

import io.muninn.api.Mode;
import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.shared.DirtyStreak;
import io.muninn.coherence.shared.ReadAhead;
import io.muninn.coherence.shared.Withdrawals;
import io.muninn.coherence.writeshared.Flushes.PageUpdate;
import io.muninn.coherence.writeshared.WriteSharedMessages.AheadRequest;
import io.muninn.coherence.writeshared.WriteSharedMessages.FetchReply;
import io.muninn.coherence.writeshared.WriteSharedMessages.FetchRequest;
import io.muninn.coherence.writeshared.WriteSharedMessages.Msg;
import io.muninn.coherence.writeshared.WriteSharedMessages.PageCopies;
import io.muninn.coherence.writeshared.WriteSharedMessages.PageDiff;
import io.muninn.coherence.writeshared.WriteSharedMessages.PageReply;
import io.muninn.coherence.writeshared.WriteSharedMessages.PageStores;
import io.muninn.coherence.writeshared.WriteSharedMessages.Races;
import io.muninn.coherence.writeshared.WriteSharedMessages.Update;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateAck;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateList;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateOrigin;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateRequest;
import io.muninn.directory.Copyset;
import io.muninn.directory.DatedCopyset;
import io.muninn.directory.Directory;
import io.muninn.directory.DirectoryEntry;
import io.muninn.directory.PageSnapshot;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.CoherenceProtocol;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.PageLoads;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.VectorTimestamp;
import io.muninn.wire.Codec;
import java.util.ArrayList;
import java.util.List;

/**
 * Write-shared: several nodes write one page at once, each its own elements. The first store of an
 * interval makes a twin. A release compares page and twin and sends the diff to every holder; it is
 * performed when all have acknowledged. A copy that its node no longer uses is given up when an
 * update arrives (update timeout).
 *
 * <p>Source: Munin §2.3, §2.4, §3.4 (distributed copysets) and §6.2 (pages held by one node only).
 * Departures: copysets are dated; an update within the hold time of an access withdraws nothing; a
 * page that the root initialized and has not used since is handed over to the first requester, so
 * that sole holders exist from the start; large flushes are sent in batches ({@link Flushes}).
 *
 * <pre>
 *            read fault      write fault            FetchRequest          FetchReply
 * Absent     ask (9)         ask (9)                forward               impossible
 * Deferred   join            join, want store       forward               impossible
 * Ahead      →Fetching       want store, →Fetching  forward               install, →Withdrawn
 * Fetching   join            join, want store       forward               install (1)
 * Clean      resume          twin, →Dirty (2)       send page, add asker  impossible
 * Withdrawn  resume, →Clean  twin, →Dirty (2)       send page, add asker  impossible
 * Dirty      resume          resume                 send twin, add asker  impossible
 * Hot (12)   resume          resume                 send twin, add asker  impossible
 * Exclusive  resume          resume                 send page, →Clean     impossible
 * Idle (3)   →Exclusive      →Exclusive             hand over, →Absent    impossible
 *
 *            Update                 UpdateList               release (4)       Sealed
 * Absent     refuse (6)             refuse (6)               –                 –
 * Deferred   refuse (6)             refuse (6)               –                 –
 * Ahead      keep (1)               request                  –                 –
 * Fetching   keep (1)               request                  –                 –
 * Clean      apply, →Withdrawn (7)  request                  –                 –
 * Withdrawn  apply, or →Absent (8)  request, or →Absent (8)  –                 –
 * Dirty      apply                  request                  diff, →Clean (5)  –
 * Hot        apply (13)             request                  diff, →Hot (5)    –
 * Exclusive  apply (10)             request (10)             –                 withdraw, →Idle
 * Idle       impossible             impossible               –                 –
 *
 *            AheadRequest           TwinMade (11)
 * Absent     forward                impossible
 * Deferred   forward                impossible
 * Ahead      forward                impossible
 * Fetching   forward                impossible
 * Clean      send page, add asker   →Dirty (2)
 * Withdrawn  send page, add asker   impossible
 * Dirty      send twin, add asker   impossible
 * Hot        send twin, add asker   impossible
 * Exclusive  send page, →Clean      drop the twin
 * Idle       hand over, →Absent     impossible
 *
 * (1) kept updates are applied to the image and acknowledged then; →Clean, →Dirty if a store
 *     waits, →Exclusive if the page was handed over
 * (2) with no other holder left: →Exclusive
 * (3) on the root, or where read-ahead requested the page: owned, and not used since
 *     initialization. The content may be missing, as zeros
 * (4) of the delayed update queue: each dirty page is write-protected, then compared, then sent. A
 *     page whose earlier update is not acknowledged by all holders stays Dirty until it is
 * (5) an empty diff sends nothing; with no other holder left: →Exclusive. A page of the first
 *     round of a large flush: →Withdrawn ({@link FlushOrder})
 * (6) a negative acknowledgement. It carries the copyset that the node had when it gave its copy
 *     up, and its later knowledge of copies. The sender of the update becomes the probable owner
 *     if it leads to a copy with every diff that this node's copies ever had ({@link
 *     CopyRetirement})
 * (7) access is withdrawn, the content is kept. The page stays Clean within the hold time of the
 *     last access (with steady access, within the window), and without an update timeout
 * (8) →Absent if no thread requested access during the window, and the copy may be given up to the
 *     sender ({@link CopyRetirement}): a negative acknowledgement as in (6)
 * (9) →Fetching. While an update of this node for the page is outstanding: →Deferred. The node
 *     requests the page, →Fetching, when all holders have acknowledged it, so that the image
 *     contains its stores
 * (10) of a node that gave its copy up while its own update was outstanding, and has none
 * (11) a thread's own trap has made the twin and lets it store; only some engines have such traps
 * (12) as Dirty, across releases. After several consecutive dirty intervals a page is not protected
 *     when it is compared, and →Hot. After several consecutive comparisons without a change, the
 *     next release protects it, and →Clean ({@link AdaptiveTwins}). With no other holder left:
 *     →Exclusive
 * (13) with an update timeout, if the page was not compared for the window, which begins with the
 *     first update after a comparison: compared at once, alone and protected, →Clean
 *
 * Ahead: requested by read-ahead ({@link ReadAhead}) or a prefetch, and no thread waits. The page
 * is installed without access, as if the window of an update were over: →Withdrawn. If it was
 * handed over: →Idle, owned and not used. The first access shows that the page is used, and opens
 * the pages that follow. An AheadReply stands for one FetchReply per page.
 *
 * In runs that check for races ({@link RaceChecks}) no copy is given up, and no page is →Exclusive
 * after initialization: without another holder it is →Clean if only loads wait, else as with one.
 * </pre>
 *
 * Applied and refused updates are acknowledged. An acknowledgement belongs to an update, not to a
 * page's state: it carries the acknowledger's copyset. Copies that have not received the update yet
 * are sent it next, until there are none (copyset closure). The same holds for the request for a
 * listed diff. An acknowledgement of no update, a request for none, and a request of this node for
 * its own page are impossible. {@link CopyRetirement} decides to which node a copy is given up, and
 * shows why one always remains.
 */
public final class WriteShared implements CoherenceProtocol<Msg> {
    /** A page as this node sees it. */
    sealed interface State {
        record Absent() implements State {}

        /** As {@link Absent}, and threads wait: for a store, or only for loads. */
        record Deferred(boolean store) implements State {}

        /**
         * @param store a store waits, not only loads
         * @param kept updates that arrived before the image
         */
        record Fetching(boolean store, List<KeptUpdate> kept) implements State {}

        /**
         * Requested; no thread waits.
         *
         * @param kept as in {@link Fetching}
         */
        record Ahead(List<KeptUpdate> kept) implements State {}

        /**
         * @param heldUntilNanos an update before this time does not withdraw the access
         */
        record Clean(long heldUntilNanos, DirtyStreak heat) implements State {}

        /**
         * @param sinceNanos time at which access was withdrawn
         */
        record Withdrawn(long sinceNanos, DirtyStreak heat) implements State {}

        /**
         * @param heat before the current interval
         */
        record Dirty(DirtyStreak heat) implements State {}

        /**
         * As {@link Dirty}, also over releases.
         *
         * @param unchanged consecutive comparisons that found no store
         * @param updatedNanos time of the first update after the last comparison; or {@link #NEVER}
         */
        record Hot(int unchanged, long updatedNanos) implements State {
            static final long NEVER = Long.MAX_VALUE;

            /** The state of most hot pages, shared. */
            static final Hot CHANGED = new Hot(0, NEVER);
        }

        record Exclusive() implements State {}

        record Idle() implements State {}
    }

    /** An update that met an outstanding fetch; it is acknowledged when it is applied. */
    record KeptUpdate(NodeId from, long interval, long keep) {}

    public static final List<Codec<?>> CODECS = WriteSharedMessages.CODECS;

    private static final State ABSENT = new State.Absent();
    private static final State EXCLUSIVE = new State.Exclusive();
    private static final State IDLE = new State.Idle();

    private final Context context;
    private final NodeId self;
    private final Directory<State> directory;
    private final Flushes flushes;
    private final OutgoingUpdates outgoing;
    private final RaceChecks races;
    private final IncomingUpdates incoming;
    private final AdaptiveTwins hotPages;
    private final PagesAhead ahead;
    private final FetchServer serving;

    public WriteShared(Context context) {
        this(context, new Flushes(context));
    }

    private WriteShared(Context context, Flushes flushes) {
        this.races = new RaceChecks(context, flushes);
        this.context = context;
        this.flushes = flushes;
        this.self = context.self();
        this.directory = new Directory<>(self, () -> self.isRoot() ? IDLE : ABSENT);
        this.hotPages = new AdaptiveTwins(context);
        ReadAhead readAhead = new ReadAhead(context);
        this.ahead = new PagesAhead(context, directory, flushes, readAhead, races);
        this.serving = new FetchServer(context, directory, flushes, readAhead, races);
        this.incoming =
                new IncomingUpdates(context, directory, flushes, hotPages, readAhead, races);
        this.outgoing = new OutgoingUpdates(context, races);
    }

    @Override
    public String describe(PageId page) {
        return directory.peek(page).toString();
    }

    @Override
    public PageSnapshot snapshot(PageId page) {
        DirectoryEntry<State> entry = directory.peek(page);
        return entry.snapshot(entry.state().getClass().getSimpleName());
    }

    @Override
    public void onRegionAdded(RegionSpec region) {
        directory.add(region);
    }

    @Override
    public void onReadFault(PageId page, Effects out) {
        DirectoryEntry<State> entry = directory.entry(page);
        State before = entry.state();
        switch (before) {
            case State.Absent() -> ask(entry, false, out);
            case State.Ahead(var kept) -> entry.become(new State.Fetching(false, kept));
            case State.Deferred _, State.Fetching _ -> {} // joined: one resume wakes all
            case State.Clean(_, DirtyStreak heat) -> enterClean(entry, heat, out);
            case State.Withdrawn(_, DirtyStreak heat) -> enterClean(entry, heat, out);
            case State.Dirty _, State.Hot _, State.Exclusive() ->
                    out.resumeFault(page, PageAccess.READ_WRITE);
            case State.Idle() when races.seesAllStores() ->
                    enterClean(entry, DirtyStreak.NONE, out);
            case State.Idle() -> enterExclusive(entry, out);
        }
        ahead.onFault(page, before, out); // after the requests of the fault itself
    }

    @Override
    public void onWriteFault(PageId page, Effects out) {
        DirectoryEntry<State> entry = directory.entry(page);
        State before = entry.state();
        switch (before) {
            case State.Absent() -> ask(entry, true, out);
            case State.Deferred _ -> entry.become(new State.Deferred(true));
            case State.Fetching(_, List<KeptUpdate> kept) ->
                    entry.become(new State.Fetching(true, kept));
            case State.Ahead(var kept) -> entry.become(new State.Fetching(true, kept));
            case State.Clean(_, DirtyStreak heat) -> enterWritable(entry, heat, out);
            case State.Withdrawn(_, DirtyStreak heat) -> enterWritable(entry, heat, out);
            case State.Dirty _, State.Hot _, State.Exclusive() ->
                    out.resumeFault(page, PageAccess.READ_WRITE);
            case State.Idle() when races.seesAllStores() ->
                    enterDirty(entry, DirtyStreak.NONE, out);
            case State.Idle() -> enterExclusive(entry, out);
        }
        ahead.onFault(page, before, out); // after the requests of the fault itself
    }

    @Override
    public void onTwinMade(PageId page, Effects out) {
        DirectoryEntry<State> entry = directory.entry(page);
        switch (entry.state()) {
            case State.Clean(_, DirtyStreak heat) when !mayBeExclusive(entry) ->
                    becomeDirty(entry, heat, out);
            case State.Clean _, State.Exclusive() -> {
                entry.become(EXCLUSIVE);
                out.dropTwin(page);
                out.setAccess(page, PageAccess.READ_WRITE);
            }
            case State.Absent(),
                    State.Deferred _,
                    State.Ahead _,
                    State.Fetching _,
                    State.Withdrawn _,
                    State.Dirty _,
                    State.Hot _,
                    State.Idle() ->
                    throw new ProtocolViolation(entry, "TwinMade");
        }
    }

    @Override
    public void onPrefetch(PageId first, int count, Mode mode, Effects out) {
        ahead.onPrefetch(first, count, out); // a store needs the same copy
    }

    @Override
    public void onRelease(GatedRelease leaving, Effects out) {
        if (flushes.isDirty()) {
            out.count(NodeCounter.FLUSHES);
            races.onFlush(flushes.begin(), leaving);
            saveDiffs(out);
        }
        if (flushes.isIdle()) {
            releasePerformed(leaving, out);
        } else {
            flushes.await(leaving);
        }
    }

    private void releasePerformed(GatedRelease leaving, Effects out) {
        races.onReleasePerformed(leaving);
        out.releasePerformed(leaving);
    }

    @Override
    public boolean usesTimestamps() {
        return races.isOn();
    }

    @Override
    public void onAcquire(GatedAcquire acquire, VectorTimestamp until, Effects out) {
        races.onAcquire(acquire);
        out.acquirePerformed(acquire);
    }

    @Override
    public void onRaceCheck(Event.RaceCheck result, Effects out) {
        races.onResult(result, out);
    }

    @Override
    public void onLoaded(PageLoads loads, Effects out) {
        races.onLoaded(loads, out);
    }

    @Override
    public void onSealed(Effects out) {
        Withdrawals idle = new Withdrawals(out);
        directory.forEach(entry -> {
            if (entry.state() instanceof State.Exclusive) {
                out.pageEvent(entry.page(), "Sealed");
                entry.become(IDLE);
                idle.add(entry.page());
            }
        });
        idle.end();
        races.onSealed();
    }

    @Override
    public void onMessage(NodeId from, Msg message, Effects out) {
        switch (message) {
            case FetchRequest request -> serving.onFetchRequest(request, out);
            case AheadRequest request -> serving.onAheadRequest(request, out);
            case PageReply reply -> {
                reply.replies().forEach(one -> onFetchReply(from, one, out));
                out.count(NodeCounter.PAGES_FETCHED, reply.replies().size()); // after all pages
            }
            case Update update -> {
                incoming.onUpdate(from, update, out);
                saveDiffs(out);
            }
            case UpdateAck ack -> onUpdateAck(from, ack, out);
            case UpdateList list -> incoming.onUpdateList(from, list, out);
            case UpdateRequest request -> onUpdateRequest(from, request, out);
            case UpdateOrigin origin -> races.onOrigin(from, origin);
            case Races found -> races.onRaces(from, found, out);
            case PageStores stores -> races.onPageStores(from, stores, out);
        }
    }

    @Override
    public void onDiffSaved(Event.DiffSaved saved, Effects out) {
        DirectoryEntry<State> entry = directory.entry(saved.page());
        PageUpdate update = flushes.underWay(saved.page());
        boolean isLast = flushes.saved();
        races.onDiffSaved(saved, out);
        Copyset targets = entry.copyset().without(self);
        boolean becomesExclusive = mayBeExclusive(entry);
        if (saved.kept() && !becomesExclusive) {
            entry.become(hotPages.afterKept(entry, saved, out));
            flushes.dirty(saved.page());
        } else {
            hotPages.onTwinDropped(entry, saved);
            out.dropTwin(saved.page());
        }
        if (saved.granules() == 0 || targets.isEmpty()) {
            if (saved.granules() == 0) {
                out.count(NodeCounter.DIFFS_EMPTY);
            }
            if (becomesExclusive) {
                entry.become(EXCLUSIVE); // no node to notify, now or next time
            }
            pageDone(entry, update, out);
        } else {
            out.count(NodeCounter.DIFFS_MADE);
            flushes.ready(update, saved.bytes());
            incoming.noteApplied(entry, self, saved.interval());
            if (flushes.beginsWindow(update)) {
                incoming.beginWindow(entry, out);
            }
        }
        sendReady(out);
        if (isLast) {
            saveDiffs(out);
            outgoing.send(out);
        }
    }

    @Override
    public void onPeerLost(NodeId node, Effects out) {
        directory.forEach(entry -> {
            if (entry.state() instanceof State.Fetching(boolean store, var kept)) {
                giveUp(entry, kept, out);
                entry.become(new State.Fetching(store, List.of()));
            } else if (entry.state() instanceof State.Ahead(var kept)) {
                giveUp(entry, kept, out);
                entry.become(new State.Ahead(List.of()));
            } else if (entry.state() instanceof State.Deferred) {
                out.poison(entry.page());
                entry.become(ABSENT);
            }
        });
    }

    /** Gives up a request whose image will not arrive, and the updates kept for it. */
    private static void giveUp(DirectoryEntry<State> entry, List<KeptUpdate> kept, Effects out) {
        out.poison(entry.page());
        kept.forEach(update -> out.dropKept(entry.page(), update.keep()));
    }

    private void ask(DirectoryEntry<State> entry, boolean store, Effects out) {
        if (context.isRunOver()) {
            out.poison(entry.page());
            return;
        }
        if (flushes.isPending(entry.page())) { // the image is to have what is on its way
            entry.become(new State.Deferred(store));
            return;
        }
        entry.become(new State.Fetching(store, List.of()));
        int ended = entry.copies().ended(self);
        out.send(entry.probableOwner(), new FetchRequest(entry.page(), self, ended));
    }

    private void enterExclusive(DirectoryEntry<State> entry, Effects out) {
        entry.become(EXCLUSIVE);
        out.resumeFault(entry.page(), PageAccess.READ_WRITE);
    }

    /** Opens a page for loads, and holds it long enough for a waiting thread to use it. */
    private void enterClean(DirectoryEntry<State> entry, DirtyStreak heat, Effects out) {
        long leftNanos = context.updates().accessNanos(context.holdNanos());
        entry.become(new State.Clean(context.nowNanos() + leftNanos, heat));
        out.resumeFault(entry.page(), PageAccess.READ);
    }

    private void enterWritable(DirectoryEntry<State> entry, DirtyStreak heat, Effects out) {
        if (mayBeExclusive(entry)) {
            enterExclusive(entry, out);
        } else {
            enterDirty(entry, heat, out);
        }
    }

    private boolean mayBeExclusive(DirectoryEntry<State> entry) {
        return entry.copies().areOnlyOf(self) && !races.seesAllStores();
    }

    private void becomeDirty(DirectoryEntry<State> entry, DirtyStreak heat, Effects out) {
        entry.become(new State.Dirty(heat));
        flushes.dirty(entry.page());
        out.count(NodeCounter.TWINS_MADE);
    }

    private void enterDirty(DirectoryEntry<State> entry, DirtyStreak heat, Effects out) {
        becomeDirty(entry, heat, out);
        out.makeTwin(entry.page()); // while the page is still write-protected
        out.watchReleases(); // before the store: its release must be noticed
        out.resumeFault(entry.page(), PageAccess.READ_WRITE);
    }

    private void onFetchReply(NodeId from, FetchReply reply, Effects out) {
        DirectoryEntry<State> entry = directory.entry(reply.page());
        switch (entry.state()) {
            case State.Fetching(boolean store, List<KeptUpdate> kept) -> {
                install(entry, from, reply, kept, out);
                if (store || mayBeExclusive(entry)) {
                    enterWritable(entry, DirtyStreak.NONE, out);
                } else {
                    enterClean(entry, DirtyStreak.NONE, out);
                }
            }
            case State.Ahead(List<KeptUpdate> kept) -> {
                install(entry, from, reply, kept, out);
                entry.become(reply.handsOver() ? IDLE : ahead.unused());
            }
            case State.Absent(),
                    State.Deferred _,
                    State.Clean _,
                    State.Withdrawn _,
                    State.Dirty _,
                    State.Hot _,
                    State.Exclusive(),
                    State.Idle() ->
                    throw new ProtocolViolation(entry, reply);
        }
    }

    private void install(
            DirectoryEntry<State> entry,
            NodeId from,
            FetchReply reply,
            List<KeptUpdate> kept,
            Effects out) {
        ProtocolViolation.check(!reply.handsOver() || kept.isEmpty(), entry, reply);
        out.installPage(entry.page(), reply.image(), PageAccess.NONE); // visible only when complete
        entry.probableOwner(reply.handsOver() ? self : from);
        int ended = entry.copies().ended(self);
        entry.copies(entry.copies().merge(reply.copies()).with(self, ended));
        entry.applied(reply.applied());
        kept.forEach(update -> incoming.applyKept(entry, update, out));
    }

    private void onUpdateRequest(NodeId from, UpdateRequest request, Effects out) {
        List<PageDiff> diffs = new ArrayList<>(request.pages().size());
        for (PageId page : request.pages()) {
            DirectoryEntry<State> entry = directory.entry(page);
            ProtocolViolation.check(
                    flushes.awaited(page, request.interval(), from) != null, entry, request);
            diffs.add(OutgoingUpdates.diff(entry, request.interval()));
        }
        races.announce(from, request.interval(), out);
        out.send(from, new Update(request.interval(), diffs));
    }

    private void onUpdateAck(NodeId from, UpdateAck ack, Effects out) {
        for (PageCopies each : ack.acks()) {
            PageUpdate update = flushes.awaited(each.page(), ack.interval(), from);
            if (update == null) {
                throw new ProtocolViolation(directory.entry(each.page()), ack);
            }
            onPageAck(update, from, each.copies(), out);
        }
        sendReady(out);
        outgoing.send(out);
    }

    /**
     * Processes an acknowledgement of a page. Merges the acknowledger's copyset before it
     * determines the nodes still to be notified: this achieves copyset closure. A copy that was
     * fetched since its node received the update receives it again, because its image may be from a
     * holder without the update.
     */
    private void onPageAck(PageUpdate update, NodeId from, DatedCopyset copies, Effects out) {
        DirectoryEntry<State> entry = directory.entry(update.page);
        entry.copies(entry.copies().merge(copies));
        update.missing = update.missing.without(from);
        if (copies.nodes().contains(from)) {
            update.told = update.told.with(from, copies.ended(from));
        }
        outgoing.tell(update, entry, out);
        if (update.missing.isEmpty()) {
            pageDone(entry, update, out);
        }
    }

    private void sendReady(Effects out) {
        while (flushes.canSend()) {
            PageUpdate update = flushes.nextToSend();
            DirectoryEntry<State> entry = directory.entry(update.page);
            outgoing.tell(update, entry, out);
            if (update.missing.isEmpty()) { // all copies have the update, or are gone
                pageDone(entry, update, out);
            }
        }
    }

    /**
     * Protects the pages before it compares them, so that no store is lost between the two. All are
     * protected first, in order of page: neighbours are protected in one step. A hot page is only
     * compared; releases are watched before any store that its comparison misses.
     */
    private void saveDiffs(Effects out) {
        if (!flushes.canSave()) {
            return;
        }
        List<PageUpdate> batch = new ArrayList<>();
        List<PageId> cold = new ArrayList<>();
        while (flushes.canSave()) {
            PageUpdate next = flushes.nextToSave();
            DirectoryEntry<State> entry = directory.entry(next.page);
            entry.become(hotPages.afterRelease(entry, next.interval(), out));
            batch.add(next);
            if (!isHot(entry)) {
                cold.add(next.page);
            }
        }
        if (cold.size() < batch.size()) {
            out.watchReleases();
        }
        cold.stream().sorted().forEach(page -> out.setAccess(page, PageAccess.READ));
        for (PageUpdate next : batch) {
            out.saveDiff(next.page, next.interval(), isHot(directory.entry(next.page)));
        }
    }

    private static boolean isHot(DirectoryEntry<State> entry) {
        return entry.state() instanceof State.Hot;
    }

    private void pageDone(DirectoryEntry<State> entry, PageUpdate ended, Effects out) {
        out.dropDiff(ended.page, ended.interval());
        for (GatedRelease leaving : flushes.done(ended)) {
            releasePerformed(leaving, out);
        }
        if (entry.state() instanceof State.Deferred(boolean store)) {
            ask(entry, store, out);
        }
        saveDiffs(out);
    }
}
