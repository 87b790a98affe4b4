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

/** The pages of one node under {@link SingleWriter}, and what moves them. */
final class OwnedPages {
    private static final long FIRST_VERSION = 1; // 0 is none

    /**
     * Where a page has been stored to.
     *
     * @param order greater than that of all that happened before
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
        this.directory =
                new Directory<>(
                        self,
                        () ->
                                self.isRoot()
                                        ? new State.Owned(
                                                0, FIRST_VERSION, new Deferrals<>(context))
                                        : State.INVALID);
    }

    void add(RegionSpec region) {
        directory.add(region);
    }

    DirectoryEntry<State> entry(PageId page) {
        return directory.entry(page);
    }

    /** The same for a look at the page, which creates no entry. */
    DirectoryEntry<State> peek(PageId page) {
        return directory.peek(page);
    }

    boolean isSealed() {
        return isSealed;
    }

    /** The root's initialization is over: from now on stores are noticed. */
    void seal(Effects out) {
        isSealed = true;
        directory.forEach(entry -> {
            if (entry.state() instanceof State.Initial) {
                entry.become(new State.Owned(0, FIRST_VERSION, new Deferrals<>(context)));
                out.setAccess(entry.page(), PageAccess.READ); // neighbours in one step
            }
        });
    }

    /** A thread joins those that wait; what they wait for does not come once the run is over. */
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

    /** The image that has come lacks something; what is known now is in the next one. */
    void askAgain(DirectoryEntry<State> entry, State.Fetching before, Effects out) {
        ask(entry, before.needed(), before.growths(), out);
    }

    /**
     * Asks the last writer that notices have named: it was the owner not long ago, and its probable
     * owner leads on. The probable owner of this node stays, since that writer may also have been
     * the owner before this node was.
     */
    private void ask(
            DirectoryEntry<State> entry, VectorTimestamp needed, int growths, Effects out) {
        entry.become(new State.Fetching(context.clock().have(), needed, growths));
        Store last = lastNoticed.remove(entry.page());
        NodeId to = last == null ? entry.probableOwner() : last.writer();
        out.send(to, new CopyRequest(entry.page(), self));
    }

    /** Notices have named stores that this node lacks, in a copy or without one. */
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

    /** Without a copy. */
    void askOwnership(DirectoryEntry<State> entry, Effects out) {
        askOwnership(entry, none, false, out);
    }

    /**
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

    /** Of a page to which no thread can store. */
    void sendCopy(DirectoryEntry<State> entry, long version, NodeId asker, Effects out) {
        sendCopy(entry.page(), version, asker, new Payload.PageImage(entry.page()), out);
    }

    /** Of a page to which threads store: it has no version. */
    void sendCopy(DirectoryEntry<State> entry, NodeId asker, Effects out) {
        sendCopy(entry.page(), 0, asker, new Payload.LiveImage(entry.page()), out);
    }

    private void sendCopy(PageId page, long version, NodeId asker, Payload image, Effects out) {
        out.count(NodeCounter.PAGES_SENT);
        out.send(asker, new CopyReply(page, version, context.clock().have(), image));
    }

    /** Gives a page away to which threads cannot store any more, and keeps a copy. */
    void grant(DirectoryEntry<State> entry, long version, OwnershipRequest request, Effects out) {
        PageId page = entry.page();
        boolean isThere = request.version() == version;
        if (!isThere) {
            out.count(NodeCounter.PAGES_SENT);
        }
        Payload image = isThere ? Payload.NONE : new Payload.PageImage(page);
        out.send(request.asker(), new OwnershipGrant(page, version, image));
        entry.probableOwner(request.asker());
        entry.become(new State.Clean(0, new Copy(version, context.clock().have())));
    }

    /** In the place of what there may be. */
    void install(DirectoryEntry<State> entry, Payload image, PageAccess access, Effects out) {
        out.count(NodeCounter.PAGES_FETCHED);
        out.discard(entry.page());
        out.installPage(entry.page(), image, access);
    }

    /** The page is here, and threads of this node store to it from now on. */
    void begin(DirectoryEntry<State> entry, long version, Deferrals<Msg> deferred, Effects out) {
        store(entry, context.nowNanos() + context.holdNanos(), version, deferred, out);
    }

    /**
     * Threads of the owner store to the page again. It is held as if it had come now, unless others
     * wait for it: they would wait as long as it is stored to.
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

    /** Threads have no access to a copy any more. */
    void becomeInvalid(DirectoryEntry<State> entry, Wanted wanted, Effects out) {
        entry.become(State.INVALID);
        switch (wanted) {
            case NOTHING -> {}
            case LOAD -> askCopy(entry, out);
            case STORE -> askOwnership(entry, out);
        }
    }

    /** What threads wait for does not come any more. */
    void poisonWaiting(Effects out) {
        directory.forEach(entry -> {
            switch (entry.state()) {
                case State.Fetching _, State.Asking _ -> out.poison(entry.page());
                case State.Withdrawing(Wanted wanted) when wanted != Wanted.NOTHING ->
                        out.poison(entry.page());
                default -> {} // nobody waits
            }
        });
    }
}
