package io.muninn.verify.program;

import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.shared.Withdrawals;
import io.muninn.coherence.writeshared.WriteSharedMessages.Msg;
import io.muninn.coherence.writeshared.WriteSharedMessages.Offer;
import io.muninn.coherence.writeshared.WriteSharedMessages.PageDiff;
import io.muninn.coherence.writeshared.WriteSharedMessages.Update;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateRequest;
import io.muninn.directory.AppliedDiffs;
import io.muninn.directory.DatedCopyset;
import io.muninn.directory.PageSnapshot;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Bytes;
import io.muninn.spi.CoherenceProtocol;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.LogicalClock;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.VectorTimestamp;
import io.muninn.wire.ByteReader;
import io.muninn.wire.ByteWriter;
import io.muninn.wire.Payload;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The smallest protocol that needs cargo, timestamps, and acquires that invalidate: lazy release
 * consistency, for tests. Every page is zero everywhere at first, and stays where it is. A release
 * sends nothing: it saves the diffs of the interval and makes a write notice, which rides to other
 * nodes as cargo, relayed by those that have it. An acquire withdraws access to the pages that new
 * notices name, which are stale from then on, and is performed when no thread can use one that is.
 * The diffs are requested from their writers meanwhile, one after another in an order that extends
 * happened-before, and applied; with the last of a page its faults are resumed. A collection acts
 * on the notices that it covers in the same way, in its turn among acquires, and is performed when
 * their diffs are applied: they are in every node's page, ahead of the acquires that may need them,
 * and can be dropped.
 *
 * <p>Runs without losses. Messages are those of write-shared.
 */
final class LazyNotices implements CoherenceProtocol<Msg> {
    /** The pages that a node has stored to in an interval, the one that its timestamp names. */
    private record Notice(NodeId writer, VectorTimestamp timestamp, List<PageId> pages) {
        long interval() {
            return timestamp.of(writer);
        }

        long bytes() {
            return (long) Long.BYTES * (1 + timestamp.nodes() + pages.size());
        }

        /** Grows along happened-before. */
        long order() {
            long sum = 0;
            for (int i = 0; i < timestamp.nodes(); i++) {
                sum += timestamp.of(NodeId.of(i));
            }
            return sum;
        }
    }

    private record Fetch(NodeId writer, long interval, PageId page) {}

    /** An acquire, or a collection. */
    private record Acquire(Consumer<Effects> performed, VectorTimestamp until) {}

    private record Diff(PageId page, long interval, int bytes) {}

    private final NodeId self;
    private final LogicalClock clock;
    private final TreeMap<NodeId, TreeMap<Long, Notice>> notices = new TreeMap<>();
    private final Map<NodeId, VectorTimestamp> sent = new HashMap<>();
    private final VectorTimestamp zero;
    private final TreeSet<PageId> present = new TreeSet<>();
    private final TreeSet<PageId> dirty = new TreeSet<>();
    private final ArrayDeque<Consumer<Effects>> behindDiffs = new ArrayDeque<>();
    private final ArrayDeque<Acquire> acquires = new ArrayDeque<>(); // the first is under way
    private final ArrayDeque<Fetch> fetches = new ArrayDeque<>(); // the first is requested
    private final TreeMap<PageId, Integer> stale = new TreeMap<>(); // diffs that they lack
    private final TreeSet<PageId> withdrawing = new TreeSet<>();
    private final TreeSet<PageId> usable = new TreeSet<>(); // stale, and refused
    private final TreeSet<PageId> loads = new TreeSet<>(); // of stale pages
    private final TreeSet<PageId> stores = new TreeSet<>(); // to stale pages
    private final List<PageId> changed = new ArrayList<>(); // in the interval that is being saved
    private final List<Diff> diffs = new ArrayList<>(); // saved and not dropped
    private VectorTimestamp requested; // covers what acquires have fetched, or begun to
    private VectorTimestamp collected; // covers what has been dropped
    private long lazyBytes; // of notices and diffs
    private long collection; // number of the one to be performed when nothing is left to fetch
    private int fetchesBefore; // that it waits for
    private int comparisons;

    LazyNotices(Context context) {
        self = context.self();
        clock = context.clock();
        zero = VectorTimestamp.zero(context.nodes());
        requested = zero;
        collected = zero;
        for (int i = 0; i < context.nodes(); i++) {
            notices.put(NodeId.of(i), new TreeMap<>());
        }
    }

    @Override
    public boolean usesTimestamps() {
        return true;
    }

    @Override
    public String describe(PageId page) {
        return page + " " + snapshot(page).state();
    }

    @Override
    public PageSnapshot snapshot(PageId page) {
        String state = dirty.contains(page) ? "Dirty" : "Clean";
        return new PageSnapshot(page, state, self, DatedCopyset.EMPTY);
    }

    @Override
    public void onRegionAdded(RegionSpec region) {}

    @Override
    public void onReadFault(PageId page, Effects out) {
        if (isClosed(page)) {
            loads.add(page);
            return;
        }
        present.add(page);
        out.resumeFault(page, dirty.contains(page) ? PageAccess.READ_WRITE : PageAccess.READ);
    }

    @Override
    public void onWriteFault(PageId page, Effects out) {
        if (isClosed(page)) {
            stores.add(page);
            return;
        }
        present.add(page);
        if (dirty.add(page)) {
            out.makeTwin(page);
            clock.stored();
        }
        out.resumeFault(page, PageAccess.READ_WRITE);
    }

    /** True while no thread may use the page, or no thread should. */
    private boolean isClosed(PageId page) {
        return stale.containsKey(page) && !usable.contains(page);
    }

    @Override
    public void onTwinMade(PageId page, Effects out) {
        dirty.add(page);
        clock.stored();
    }

    // intervals

    /** Saves the diffs of the present interval, then does what has to wait for them. */
    private void saveInterval(Effects out, Consumer<Effects> then) {
        behindDiffs.add(then);
        if (!dirty.isEmpty()) {
            VectorTimestamp timestamp = clock.timestamp();
            behindDiffs.addFirst(_ -> keep(new Notice(self, timestamp, List.copyOf(changed))));
            for (PageId page : dirty) {
                comparisons++;
                out.setAccess(page, isClosed(page) ? PageAccess.NONE : PageAccess.READ);
                out.saveDiff(page, clock.interval(), false);
            }
            dirty.clear();
            changed.clear();
        }
        runBehindDiffs(out);
    }

    private void runBehindDiffs(Effects out) {
        while (comparisons == 0 && !behindDiffs.isEmpty()) {
            behindDiffs.remove().accept(out);
        }
    }

    @Override
    public void onDiffSaved(Event.DiffSaved saved, Effects out) {
        PageId page = saved.page();
        if (saved.kept()) {
            onTwinMade(page, out);
            onRefused(page);
        } else {
            out.dropTwin(page);
        }
        if (saved.granules() > 0) {
            changed.add(page);
            diffs.add(new Diff(page, saved.interval(), saved.bytes()));
            lazyBytes += saved.bytes();
        }
        comparisons--;
        runBehindDiffs(out);
    }

    @Override
    public void onRelease(GatedRelease leaving, Effects out) {
        if (leaving instanceof GatedRelease.Elapsed) {
            out.releasePerformed(leaving);
        } else {
            saveInterval(out, effects -> effects.releasePerformed(leaving));
        }
    }

    // cargo

    private void keep(Notice notice) {
        boolean isNew =
                !collected.covers(notice.writer(), notice.interval())
                        && notices.get(notice.writer()).putIfAbsent(notice.interval(), notice)
                                == null;
        lazyBytes += isNew ? notice.bytes() : 0;
    }

    @Override
    public Bytes onLockRequest(LockId lock, Effects out) {
        ByteWriter request = new ByteWriter();
        clock.have().encode(request);
        return new Bytes(request.toArray());
    }

    @Override
    public Bytes onGrant(LockId lock, NodeId to, Bytes request, Effects out) {
        return encoded(VectorTimestamp.decode(new ByteReader(request.array())));
    }

    @Override
    public Bytes onSend(NodeId to, Effects out) {
        Bytes lacking = encoded(sent.getOrDefault(to, zero));
        sent.put(to, clock.have());
        return lacking;
    }

    /** The notices that a node lacks which has those covered. */
    private Bytes encoded(VectorTimestamp covered) {
        List<Notice> lacking = new ArrayList<>();
        for (TreeMap<Long, Notice> ofNode : notices.values()) {
            for (Notice notice : ofNode.values()) {
                if (!covered.covers(notice.writer(), notice.interval())) {
                    lacking.add(notice);
                }
            }
        }
        ByteWriter cargo = new ByteWriter();
        cargo.list(
                lacking,
                (notice, to) -> {
                    to.node(notice.writer());
                    notice.timestamp().encode(to);
                    to.list(notice.pages(), (page, each) -> each.page(page));
                });
        return new Bytes(cargo.toArray());
    }

    @Override
    public void onDeposited(NodeId from, Bytes cargo, Effects out) {
        new ByteReader(cargo.array())
                .list(in ->
                        new Notice(
                                in.node(),
                                VectorTimestamp.decode(in),
                                in.list(each -> each.page())))
                .forEach(this::keep);
    }

    // acquires

    @Override
    public void onAcquire(GatedAcquire gate, VectorTimestamp until, Effects out) {
        if (clock.seen().covers(until)) {
            out.acquirePerformed(gate);
            return;
        }
        add(new Acquire(each -> each.acquirePerformed(gate), until), out);
    }

    private void add(Acquire acquire, Effects out) {
        saveInterval(
                out,
                effects -> {
                    acquires.add(acquire);
                    if (acquires.size() == 1) {
                        begin(effects);
                    }
                });
    }

    private void begin(Effects out) {
        VectorTimestamp until = acquires.element().until();
        List<Notice> needed = new ArrayList<>();
        for (TreeMap<Long, Notice> ofNode : notices.values()) {
            for (Notice notice : ofNode.values()) {
                boolean isNeeded =
                        until.covers(notice.writer(), notice.interval())
                                && !requested.covers(notice.writer(), notice.interval());
                if (isNeeded && !notice.writer().equals(self)) {
                    needed.add(notice);
                }
            }
        }
        needed.sort(Comparator.comparingLong(Notice::order));
        boolean isIdle = fetches.isEmpty();
        for (Notice notice : needed) {
            for (PageId page : notice.pages()) {
                fetches.add(new Fetch(notice.writer(), notice.interval(), page));
                stale.merge(page, 1, Integer::sum);
                withdrawing.add(page);
            }
        }
        requested = requested.join(until);
        Withdrawals runs = new Withdrawals(out);
        withdrawing.forEach(runs::add);
        runs.end();
        if (isIdle) {
            request(out);
        }
        performIfClosed(out);
    }

    @Override
    public void onAccessWithdrawn(Event.AccessWithdrawn withdrawn, Effects out) {
        for (int i = 0; i < withdrawn.count(); i++) {
            PageId page = withdrawn.first().plus(i);
            withdrawing.remove(page);
            if (!withdrawn.refused().contains(page)) {
                usable.remove(page);
            }
        }
        withdrawn.refused().forEach(this::onRefused);
        performIfClosed(out);
    }

    /** A thread stores to a page, whose access could not be taken. */
    private void onRefused(PageId page) {
        if (stale.containsKey(page)) {
            usable.add(page);
        }
    }

    private void performIfClosed(Effects out) {
        if (!acquires.isEmpty() && withdrawing.isEmpty() && usable.isEmpty()) {
            acquires.remove().performed().accept(out);
            if (!acquires.isEmpty()) {
                begin(out);
            }
        }
    }

    private void request(Effects out) {
        if (!fetches.isEmpty()) {
            Fetch fetch = fetches.element();
            out.send(fetch.writer(), new UpdateRequest(fetch.interval(), List.of(fetch.page())));
        }
    }

    /** The page has every diff that an acquire so far has asked for. */
    private void freshen(PageId page, Effects out) {
        stale.remove(page);
        usable.remove(page);
        if (stores.remove(page)) {
            loads.remove(page);
            onWriteFault(page, out);
        } else if (loads.remove(page)) {
            onReadFault(page, out);
        }
        performIfClosed(out);
    }

    // collections

    @Override
    public long lazyBytes() {
        return lazyBytes;
    }

    @Override
    public void onCollect(long number, VectorTimestamp upTo, Effects out) {
        add(new Acquire(each -> onNoticesCollected(number, each), upTo), out);
    }

    private void onNoticesCollected(long number, Effects out) {
        collection = number;
        fetchesBefore = fetches.size();
        performIfFetched(out);
    }

    private void performIfFetched(Effects out) {
        if (collection != 0 && fetchesBefore == 0) {
            out.collectPerformed(collection);
            collection = 0;
        }
    }

    @Override
    public void onCollected(VectorTimestamp upTo, Effects out) {
        collected = upTo;
        notices.forEach((writer, ofNode) -> {
            NavigableMap<Long, Notice> covered = ofNode.headMap(upTo.of(writer), true);
            covered.values().forEach(notice -> lazyBytes -= notice.bytes());
            covered.clear();
        });
        for (Diff diff : diffs) {
            if (upTo.covers(self, diff.interval())) {
                out.dropDiff(diff.page(), diff.interval());
                lazyBytes -= diff.bytes();
            }
        }
        diffs.removeIf(diff -> upTo.covers(self, diff.interval()));
    }

    @Override
    public void onMessage(NodeId from, Msg message, Effects out) {
        switch (message) {
            case UpdateRequest(long interval, List<PageId> pages) -> {
                PageId page = pages.getFirst();
                Offer offer = new Offer(page, DatedCopyset.EMPTY, AppliedDiffs.EMPTY);
                Payload diff = new Payload.SavedDiff(page, interval);
                out.send(from, new Update(interval, List.of(new PageDiff(offer, diff))));
            }
            case Update update -> {
                PageId page = fetches.remove().page();
                fetchesBefore--;
                if (present.add(page)) {
                    out.makeTwin(page); // fills the page with zeros
                    out.dropTwin(page);
                }
                out.applyDiff(page, update.diffs().getFirst().diff());
                request(out);
                if (stale.merge(page, -1, Integer::sum) == 0) {
                    freshen(page, out);
                }
                performIfFetched(out);
            }
            default -> throw new ProtocolViolation("node=" + from + " event=" + message);
        }
    }

    @Override
    public void onPeerLost(NodeId node, Effects out) {
        throw new ProtocolViolation("node=" + node + " is lost, in a run without losses");
    }
}
