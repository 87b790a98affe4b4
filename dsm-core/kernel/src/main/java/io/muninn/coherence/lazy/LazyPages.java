package io.muninn.coherence.lazy;

import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.lazy.Lazy.State;
import io.muninn.coherence.lazy.LazyMessages.CopyReply;
import io.muninn.coherence.lazy.LazyMessages.Image;
import io.muninn.coherence.lazy.LazyMessages.ImageRequest;
import io.muninn.coherence.lazy.LazyMessages.ImageTerms;
import io.muninn.coherence.lazy.LazyMessages.NamedDiff;
import io.muninn.coherence.lazy.LazyMessages.WantedDiffs;
import io.muninn.coherence.shared.HotPages;
import io.muninn.coherence.shared.OpenInterval;
import io.muninn.coherence.shared.Wanted;
import io.muninn.coherence.shared.Withdrawals;
import io.muninn.directory.AppliedDiffs;
import io.muninn.directory.Directory;
import io.muninn.directory.DirectoryEntry;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ProtocolViolation;
import io.muninn.wire.Payload;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The pages of one node, and the transitions of their states. */
final class LazyPages {
    /** A page that no node requests costs little while it stays writable. */
    private static final int HOT_MOST = 64;

    private final Context context;
    private final NodeId self;
    private final OpenInterval interval;
    private final Fetches fetches;
    private final HeldDiffs held;
    private final Keepers keepers;
    private final Directory<State> directory;
    private final HotPages hot;
    private boolean isSealed;

    LazyPages(
            Context context,
            OpenInterval interval,
            Fetches fetches,
            HeldDiffs held,
            Keepers keepers) {
        this.context = context;
        this.self = context.self();
        this.interval = interval;
        this.fetches = fetches;
        this.held = held;
        this.keepers = keepers;
        this.hot = new HotPages(context, HOT_MOST);
        this.isSealed = !self.isRoot();
        this.directory =
                new Directory<>(self, () -> self.isRoot() ? new State.Idle(true) : State.ABSENT);
    }

    void add(RegionSpec region) {
        directory.add(region);
    }

    /** Adds a region of zeros: every node has the first content of its pages. */
    void addZeros(RegionSpec region) {
        directory.add(region, () -> State.ZEROS);
    }

    DirectoryEntry<State> entry(PageId page) {
        return kept(directory.entry(page));
    }

    DirectoryEntry<State> peek(PageId page) {
        return kept(directory.peek(page));
    }

    /** The probable owner of an entry is the keeper of its page. */
    private DirectoryEntry<State> kept(DirectoryEntry<State> entry) {
        entry.probableOwner(keepers.of(entry.page()));
        return entry;
    }

    /** Records that a comparison has found no store to a page. */
    void unchanged(PageId page) {
        hot.unchanged(page);
    }

    /** Ends the root's initialization: pages that it has accessed become idle, with content. */
    void seal(Effects out) {
        isSealed = true;
        Withdrawals initial = new Withdrawals(out);
        directory.forEach(entry -> {
            if (entry.state() instanceof State.Initial) {
                out.pageEvent(entry.page(), "Sealed");
                entry.become(new State.Idle(false));
                initial.add(entry.page());
            }
        });
        initial.end();
    }

    /** Opens a page that no thread has used, and of which this node has the only copy. */
    void openIdle(DirectoryEntry<State> entry, Effects out) {
        entry.become(isSealed ? new State.Exclusive(0) : State.INITIAL);
        out.resumeFault(entry.page(), PageAccess.READ_WRITE);
    }

    /** Receives the only copy of a page. */
    void takeOver(DirectoryEntry<State> entry, Effects out) {
        if (entry.state() instanceof State.Fetching) {
            entry.become(new State.Exclusive(context.nowNanos() + context.holdNanos()));
            out.resumeFault(entry.page(), PageAccess.READ_WRITE);
        } else {
            entry.become(new State.Idle(false));
        }
    }

    /** Opens a page that no thread has accessed, and whose first content every node has. */
    void openZeros(DirectoryEntry<State> entry, boolean store, Effects out) {
        if (!isSealed) {
            openIdle(entry, out);
        } else if (fetches.isCurrent(entry.page())) {
            open(entry, store, 0, out);
        } else if (context.isRunOver()) {
            out.poison(entry.page());
        } else {
            out.installPage(entry.page(), Payload.ZERO_PAGE, PageAccess.NONE);
            fetch(entry, Wanted.NOTHING.join(store), false, out);
        }
    }

    /** Requests the diffs that the copy lacks. */
    void fetch(DirectoryEntry<State> entry, Wanted wanted, boolean withImage, Effects out) {
        if (context.isRunOver()) {
            out.poison(entry.page());
            return;
        }
        entry.become(new State.Fetching(wanted, 0));
        begin(entry, withImage);
    }

    private void begin(DirectoryEntry<State> entry, boolean withImage) {
        if (withImage) {
            fetches.beginWithImage(entry, keepers.of(entry.page()));
        } else {
            fetches.begin(entry);
        }
    }

    /**
     * Requests the diffs that the copy lacks, though no thread waits for them.
     *
     * @return false if nothing needs to be requested
     */
    boolean fetchAhead(DirectoryEntry<State> entry, Effects out) {
        switch (entry.state()) {
            case State.Absent() -> begin(entry, true);
            case State.Stale() -> begin(entry, false);
            case State.Zeros() when isSealed && !fetches.isCurrent(entry.page()) -> {
                out.installPage(entry.page(), Payload.ZERO_PAGE, PageAccess.NONE);
                begin(entry, false);
            }
            default -> {
                return false;
            }
        }
        entry.become(State.AHEAD);
        return true;
    }

    /**
     * Adds a thread to those that wait for a page. Poisons the page once the run is over, because
     * no reply arrives then.
     */
    void join(DirectoryEntry<State> entry, State joined, Effects out) {
        if (context.isRunOver()) {
            out.poison(entry.page());
        } else {
            entry.become(joined);
        }
    }

    /** Lets threads use the copy, which is current and has no twin. */
    void open(DirectoryEntry<State> entry, boolean store, long heldUntilNanos, Effects out) {
        if (store) {
            out.makeTwin(entry.page());
            out.count(NodeCounter.TWINS_MADE);
            becomeDirty(entry, heldUntilNanos);
            out.resumeFault(entry.page(), PageAccess.READ_WRITE);
        } else {
            entry.become(new State.Clean(heldUntilNanos));
            out.resumeFault(entry.page(), PageAccess.READ);
        }
    }

    /** Lets threads store to a page with a twin. */
    void becomeDirty(DirectoryEntry<State> entry, long heldUntilNanos) {
        entry.become(new State.Dirty(heldUntilNanos));
        interval.storedTo(entry.page());
    }

    /** Records that an acquire withdraws the access to a page. */
    void withdrawn(DirectoryEntry<State> entry) {
        hot.withdrawn(entry.page());
    }

    /** Begins the withdrawal of the access to a page with a twin. */
    void becomeClosing(DirectoryEntry<State> entry, Wanted wanted) {
        long listed = context.clock().interval();
        interval.list(entry.page());
        held.listed(entry.page(), listed);
        entry.become(new State.Closing(wanted, listed));
    }

    /** Marks the copy as stale; threads cannot use it. */
    void becomeStale(DirectoryEntry<State> entry, Wanted wanted, Effects out) {
        entry.become(State.STALE);
        if (wanted != Wanted.NOTHING) {
            fetch(entry, wanted, false, out);
        }
    }

    /** Lists a page at a release; its diff is made when a node requests it. */
    void close(DirectoryEntry<State> entry, long heldUntilNanos, Effects out) {
        long listed = context.clock().interval();
        held.listed(entry.page(), listed);
        if (hot.staysWritable(entry.page(), listed, out)) {
            interval.storedTo(entry.page());
        } else {
            entry.become(new State.Closed(heldUntilNanos));
            out.setAccess(entry.page(), PageAccess.READ);
        }
    }

    /**
     * Makes the diff of all listed intervals. No other node receives these stores before it is
     * made.
     */
    void makeDiff(DirectoryEntry<State> entry, Effects out) {
        boolean keepTwin = entry.state() instanceof State.Dirty;
        entry.applied(entry.applied().with(self, held.make(entry.page(), keepTwin, out)));
    }

    /** Ends the cover of the next diff: it is made now, without later stores of threads. */
    void endCover(DirectoryEntry<State> entry, Effects out) {
        if (entry.state() instanceof State.Closed(long until)) {
            entry.become(new State.Clean(until));
            makeDiff(entry, out);
        } else if (entry.state() instanceof State.Dirty && held.hasUnmade(entry.page())) {
            makeDiff(entry, out);
        }
    }

    /**
     * A first copy for another node, with all stores of this one that are listed; or the only copy,
     * if no thread of this node has used it.
     */
    Image image(DirectoryEntry<State> entry, ImageRequest request, Effects out) {
        if (entry.state() instanceof State.Idle(boolean isZero)) {
            entry.become(State.ABSENT);
            keepers.handOver(entry.page(), request.asker());
            Payload image = isZero ? Payload.ZERO_PAGE : new Payload.PageImage(entry.page());
            return new Image(entry.page(), true, AppliedDiffs.EMPTY, image);
        }
        Payload image =
                switch (entry.state()) {
                    case State.Exclusive(long until) -> {
                        entry.become(new State.Clean(until));
                        out.setAccess(entry.page(), PageAccess.READ); // the next store makes a twin
                        yield content(entry);
                    }
                    case State.Clean _,
                            State.Withdrawing _,
                            State.Stale(),
                            State.Ahead(),
                            State.Fetching _ ->
                            content(entry);
                    case State.Dirty _ -> {
                        if (held.hasUnmade(entry.page())) { // the asker may take it for collected
                            makeDiff(entry, out);
                        }
                        yield content(entry);
                    }
                    case State.Closed(long until) -> {
                        entry.become(new State.Clean(until));
                        makeDiff(entry, out);
                        yield content(entry);
                    }
                    case State.Absent(),
                            State.Closing _,
                            State.Zeros(),
                            State.Idle _,
                            State.Initial() ->
                            throw new ProtocolViolation(entry, request);
                };
        return new Image(entry.page(), false, entry.applied(), image);
    }

    /**
     * Returns the copy in place of diffs, if it contains them and everything that only the
     * requester's copy has. It contains no store that is in no diff, so that the receiver may apply
     * diffs to it.
     */
    @Nullable CopyReply copyFor(WantedDiffs request, List<NamedDiff> diffs) {
        DirectoryEntry<State> entry = entry(request.page());
        ImageTerms terms = request.image();
        AppliedDiffs applied = entry.applied();
        boolean isRight =
                terms.isTaken()
                        && terms.collection() <= keepers.performed()
                        && applied.covers(terms.base())
                        && request.diffs().stream().allMatch(each -> each.isIn(applied));
        return isRight ? new CopyReply(entry.page(), applied, content(entry), diffs) : null;
    }

    /** The content that {@link DirectoryEntry#applied} describes, of a page that has content. */
    private static Payload content(DirectoryEntry<State> entry) {
        return switch (entry.state()) {
            case State.Dirty _, State.Closed _, State.Closing _ ->
                    new Payload.TwinImage(entry.page());
            default -> new Payload.PageImage(entry.page());
        };
    }

    /** Calls the action for every page that an event has named. */
    void forEach(Consumer<DirectoryEntry<State>> action) {
        directory.forEach(action);
    }

    /** Discards a copy that is not needed, because the keeper of the page has one. */
    void discard(DirectoryEntry<State> entry, Effects out) {
        entry.become(State.ABSENT);
        entry.applied(AppliedDiffs.EMPTY);
        out.discard(entry.page());
    }

    /** Poisons the pages for which threads wait, because no reply arrives any more. */
    void poisonWaiting(Effects out) {
        directory.forEach(entry -> {
            if (waiting(entry.state()) != Wanted.NOTHING) {
                out.poison(entry.page());
            }
        });
    }

    private static Wanted waiting(State state) {
        return switch (state) {
            case State.Fetching(Wanted wanted, int _) -> wanted;
            case State.Withdrawing(Wanted wanted) -> wanted;
            case State.Closing(Wanted wanted, long _) -> wanted;
            case State.Absent(),
                    State.Clean _,
                    State.Dirty _,
                    State.Closed _,
                    State.Stale(),
                    State.Ahead(),
                    State.Zeros(),
                    State.Exclusive _,
                    State.Idle _,
                    State.Initial() ->
                    Wanted.NOTHING;
        };
    }
}
