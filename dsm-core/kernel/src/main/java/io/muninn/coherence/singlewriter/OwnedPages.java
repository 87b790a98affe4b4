package io.muninn.coherence.singlewriter;

import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.shared.Deferrals;
import io.muninn.coherence.shared.OpenInterval;
import io.muninn.coherence.shared.Wanted;
import io.muninn.coherence.shared.WriteNotices.Notice;
import io.muninn.coherence.singlewriter.SingleWriter.Copy;
import io.muninn.coherence.singlewriter.SingleWriter.State;
import io.muninn.coherence.singlewriter.SingleWriterMessages.CopyReply;
import io.muninn.coherence.singlewriter.SingleWriterMessages.CopyRequest;
import io.muninn.coherence.singlewriter.SingleWriterMessages.Msg;
import io.muninn.coherence.singlewriter.SingleWriterMessages.OwnershipGrant;
import io.muninn.coherence.singlewriter.SingleWriterMessages.OwnershipRequest;
import io.muninn.directory.Copyset;
import io.muninn.directory.Directory;
import io.muninn.directory.DirectoryEntry;
import io.muninn.directory.PageMap;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.VectorTimestamp;
import io.muninn.wire.Payload;
import java.util.List;

/** The pages of one node under {@link SingleWriter}, and their transfers. */
final class OwnedPages {
    static final long FIRST_VERSION = 1; // 0 is none

    /**
     * The last known store to a page.
     *
     * @param order greater than the order of everything that happened before
     */
    private record Store(NodeId writer, long order) {}

    private final Context context;
    private final NodeId self;
    private final OpenInterval interval;
    private final Directory<State> directory;
    private final PageMap<Store> lastNoticed = new PageMap<>(); // since the last request
    private final Copy none;
    private boolean isSealed; // or this node initializes nothing

    OwnedPages(Context context, OpenInterval interval) {
        this.context = context;
        this.self = context.self();
        this.interval = interval;
        this.isSealed = !self.isRoot();
        this.none = new Copy(0, VectorTimestamp.zero(context.nodes()));
        this.directory = new Directory<>(self, () -> self.isRoot() ? State.IDLE : State.INVALID);
    }

    void add(RegionSpec region) {
        directory.add(region);
    }

    DirectoryEntry<State> entry(PageId page) {
        return directory.entry(page);
    }

    /** As {@link #entry}, but creates no entry. */
    DirectoryEntry<State> peek(PageId page) {
        return directory.peek(page);
    }

    /** Ends the root's initialization: from now on stores are announced by write notices. */
    void seal(Effects out) {
        isSealed = true;
        directory.forEach(entry -> {
            if (entry.state() instanceof State.Initial) {
                out.pageEvent(entry.page(), "Sealed");
                entry.become(State.IDLE);
                out.setAccess(entry.page(), PageAccess.NONE); // neighbours in one step
            }
        });
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

    void askCopy(DirectoryEntry<State> entry, Effects out) {
        if (context.isRunOver()) {
            out.poison(entry.page());
            return;
        }
        ask(entry, none.contains(), 0, out);
    }

    /**
     * Requests the page again, because the image lacks stores; the next one contains all that are
     * known now.
     */
    void askAgain(DirectoryEntry<State> entry, State.Fetching before, Effects out) {
        ask(entry, before.needed(), before.growths(), out);
    }

    /**
     * Requests a copy from the last writer that notices have named: it was the owner recently, and
     * its probable owner is closer to the owner. The probable owner of this node does not change,
     * because that writer may also have been the owner before this node was.
     */
    private void ask(
            DirectoryEntry<State> entry, VectorTimestamp needed, int growths, Effects out) {
        entry.become(new State.Fetching(context.clock().have(), needed, growths));
        Store last = lastNoticed.remove(entry.page());
        NodeId to = last == null ? entry.probableOwner() : last.writer();
        out.send(to, new CopyRequest(entry.page(), self));
    }

    /** Records notices of stores that this node lacks, with or without a copy. */
    void noticed(PageId page, List<Notice> notices) {
        Store last = lastNoticed.get(page);
        for (Notice each : notices) {
            long order = each.timestamp().count();
            if (last == null || order > last.order()) {
                last = new Store(each.writer(), order);
            }
        }
        if (last != null) {
            lastNoticed.put(page, last);
        }
    }

    /** Requests ownership without a copy. */
    void askOwnership(DirectoryEntry<State> entry, Effects out) {
        askOwnership(entry, none, false, out);
    }

    /**
     * Requests ownership with a copy.
     *
     * @param copy from which threads may load
     */
    void askOwnership(DirectoryEntry<State> entry, Copy copy, Effects out) {
        askOwnership(entry, copy, true, out);
    }

    private void askOwnership(
            DirectoryEntry<State> entry, Copy copy, boolean isReadable, Effects out) {
        if (context.isRunOver()) {
            out.poison(entry.page());
            return;
        }
        lastNoticed.remove(entry.page());
        entry.become(new State.Asking(copy, isReadable, new Deferrals<>(context)));
        out.send(entry.probableOwner(), new OwnershipRequest(entry.page(), self, copy.version()));
    }

    void forward(DirectoryEntry<State> entry, Msg request, Effects out) {
        out.count(NodeCounter.FORWARDS);
        out.send(entry.probableOwner(), request);
    }

    /** Sends a copy of a page to which no thread can store. */
    void sendCopy(DirectoryEntry<State> entry, long version, NodeId asker, Effects out) {
        sendCopy(entry.page(), version, asker, new Payload.PageImage(entry.page()), out);
    }

    /** Sends a copy of a page to which threads store: it has no version. */
    void sendCopy(DirectoryEntry<State> entry, NodeId asker, Effects out) {
        sendCopy(entry.page(), 0, asker, new Payload.LiveImage(entry.page()), out);
    }

    private void sendCopy(PageId page, long version, NodeId asker, Payload image, Effects out) {
        out.count(NodeCounter.PAGES_SENT);
        out.send(asker, new CopyReply(page, version, context.clock().have(), image));
    }

    /** Grants a page to which threads store, and keeps a copy. */
    void grantStored(
            DirectoryEntry<State> entry, long version, OwnershipRequest request, Effects out) {
        out.setAccess(entry.page(), PageAccess.READ); // freeze, then read the image
        grant(entry, version, request, out);
    }

    /** Grants a page to which threads cannot store any more, and keeps a copy. */
    void grant(DirectoryEntry<State> entry, long version, OwnershipRequest request, Effects out) {
        PageId page = entry.page();
        sendGrant(page, version, false, request, out);
        entry.probableOwner(request.asker());
        entry.become(new State.Clean(0, new Copy(version, context.clock().have())));
    }

    /** Installs an image in place of any previous copy. */
    void install(DirectoryEntry<State> entry, Payload image, PageAccess access, Effects out) {
        out.count(NodeCounter.PAGES_FETCHED);
        out.discard(entry.page());
        out.installPage(entry.page(), image, access);
    }

    /**
     * Grants a page that no thread of this node uses, and keeps no copy.
     *
     * @param copies nodes that have been sent one
     */
    void giveAway(
            DirectoryEntry<State> entry, Copyset copies, OwnershipRequest request, Effects out) {
        boolean sole = copies.without(request.asker()).isEmpty();
        sendGrant(entry.page(), FIRST_VERSION, sole, request, out);
        entry.probableOwner(request.asker());
        entry.become(State.INVALID);
        out.discard(entry.page());
    }

    private void sendGrant(
            PageId page, long version, boolean sole, OwnershipRequest request, Effects out) {
        boolean isThere = request.version() == version;
        if (!isThere) {
            out.count(NodeCounter.PAGES_SENT);
        }
        Payload image = isThere ? Payload.NONE : new Payload.PageImage(page);
        out.send(request.asker(), new OwnershipGrant(page, version, sole, image));
    }

    /**
     * Lets threads of the root use a page for the first time.
     *
     * @param copies other nodes that have one
     */
    void use(DirectoryEntry<State> entry, Copyset copies, boolean store, Effects out) {
        if (!isSealed) {
            entry.become(State.INITIAL);
            out.resumeFault(entry.page(), PageAccess.READ_WRITE);
            return;
        }
        Deferrals<Msg> deferred = new Deferrals<>(context);
        long heldUntilNanos = context.nowNanos() + context.holdNanos();
        if (copies.isEmpty()) {
            haveAlone(entry, heldUntilNanos, FIRST_VERSION, deferred, out);
        } else if (store) {
            store(entry, heldUntilNanos, FIRST_VERSION, deferred, out);
        } else {
            entry.become(new State.Owned(0, FIRST_VERSION, deferred));
            out.resumeFault(entry.page(), PageAccess.READ);
        }
    }

    /** Begins ownership: the page is here, and threads of this node store to it from now on. */
    void begin(
            DirectoryEntry<State> entry,
            OwnershipGrant grant,
            Deferrals<Msg> deferred,
            Effects out) {
        long heldUntilNanos = context.nowNanos() + context.holdNanos();
        if (grant.sole()) {
            haveAlone(entry, heldUntilNanos, grant.version(), deferred, out);
        } else {
            store(entry, heldUntilNanos, grant.version(), deferred, out);
        }
    }

    private void haveAlone(
            DirectoryEntry<State> entry,
            long heldUntilNanos,
            long before,
            Deferrals<Msg> deferred,
            Effects out) {
        entry.become(new State.Exclusive(heldUntilNanos, before + 1, deferred));
        out.resumeFault(entry.page(), PageAccess.READ_WRITE);
    }

    /**
     * Lets threads of the owner store to the page again. It is held as if it had just arrived,
     * unless requests wait for it: they would wait as long as threads store to it.
     */
    void storeAgain(DirectoryEntry<State> entry, State.Owned owned, Effects out) {
        boolean isWanted = !owned.deferred().isEmpty();
        long heldUntilNanos =
                isWanted ? owned.heldUntilNanos() : context.nowNanos() + context.holdNanos();
        store(entry, heldUntilNanos, owned.version(), owned.deferred(), out);
    }

    private void store(
            DirectoryEntry<State> entry,
            long heldUntilNanos,
            long before,
            Deferrals<Msg> deferred,
            Effects out) {
        entry.become(new State.Dirty(heldUntilNanos, before + 1, deferred));
        interval.storedTo(entry.page());
        out.resumeFault(entry.page(), PageAccess.READ_WRITE);
    }

    /** Marks a copy as invalid; threads have no access to it. */
    void becomeInvalid(DirectoryEntry<State> entry, Wanted wanted, Effects out) {
        entry.become(State.INVALID);
        switch (wanted) {
            case NOTHING -> {}
            case LOAD -> askCopy(entry, out);
            case STORE -> askOwnership(entry, out);
        }
    }

    /** Poisons the pages for which threads wait, because no reply arrives any more. */
    void poisonWaiting(Effects out) {
        directory.forEach(entry -> {
            switch (entry.state()) {
                case State.Fetching _, State.Asking _ -> out.poison(entry.page());
                case State.Withdrawing(Wanted wanted) when wanted != Wanted.NOTHING ->
                        out.poison(entry.page());
                default -> {} // no thread waits
            }
        });
    }
}
