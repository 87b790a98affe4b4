package io.muninn.sim.program;

import io.muninn.api.spi.RegionSpec;
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
 * The smallest protocol that needs cargo, timestamps and acquires that take time: lazy release
 * consistency, for tests. Every page is zero everywhere at first, and stays where it is. A release
 * sends nothing: it saves the diffs of the interval and makes a write notice, which rides to other
 * nodes as cargo, relayed by those that have it. An acquire requests the diffs that it needs from
 * their writers, one after another in an order that extends happened-before, applies each to the
 * page, and is then performed. Acquires are performed in order. A collection is validated in this
 * order, too, in the same way: it applies every diff that it covers to every node's page, ahead of
 * the acquires that it belongs to, and so all notices and diffs that it covers can be dropped.
 *
 * <p>Runs without losses, and without traps that make twins. Messages are those of write-shared.
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
    private final ArrayDeque<Fetch> fetches = new ArrayDeque<>(); // of the first acquire
    private final List<PageId> changed = new ArrayList<>(); // in the interval that is being saved
    private final List<Diff> diffs = new ArrayList<>(); // saved and not dropped
    private VectorTimestamp requested; // covers what acquires have fetched, or begun to
    private VectorTimestamp collected; // covers what has been dropped
    private long lazyBytes; // of notices and diffs
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
        present.add(page);
        out.resumeFault(page, dirty.contains(page) ? PageAccess.READ_WRITE : PageAccess.READ);
    }

    @Override
    public void onWriteFault(PageId page, Effects out) {
        present.add(page);
        if (dirty.add(page)) {
            out.makeTwin(page);
            clock.stored();
        }
        out.resumeFault(page, PageAccess.READ_WRITE);
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
                out.setAccess(page, PageAccess.READ);
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
        out.dropTwin(saved.page());
        if (saved.granules() > 0) {
            changed.add(saved.page());
            diffs.add(new Diff(saved.page(), saved.interval(), saved.bytes()));
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
        saveInterval(
                out,
                effects -> add(new Acquire(each -> each.acquirePerformed(gate), until), effects));
    }

    private void add(Acquire acquire, Effects out) {
        acquires.add(acquire);
        if (acquires.size() == 1) {
            begin(out);
        }
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
        for (Notice notice : needed) {
            for (PageId page : notice.pages()) {
                fetches.add(new Fetch(notice.writer(), notice.interval(), page));
            }
        }
        requested = requested.join(until);
        next(out);
    }

    private void next(Effects out) {
        if (!fetches.isEmpty()) {
            Fetch fetch = fetches.element();
            out.send(fetch.writer(), new UpdateRequest(fetch.interval(), List.of(fetch.page())));
            return;
        }
        acquires.remove().performed().accept(out);
        if (!acquires.isEmpty()) {
            begin(out);
        }
    }

    // collections

    @Override
    public long lazyBytes() {
        return lazyBytes;
    }

    @Override
    public void onCollect(long number, VectorTimestamp upTo, Effects out) {
        add(new Acquire(each -> each.collectPerformed(number), upTo), out);
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
                if (present.add(page)) {
                    out.makeTwin(page); // fills the page with zeros
                    out.dropTwin(page);
                }
                out.applyDiff(page, update.diffs().getFirst().diff());
                next(out);
            }
            default -> throw new ProtocolViolation("node=" + from + " event=" + message);
        }
    }

    @Override
    public void onPeerLost(NodeId node, Effects out) {
        throw new ProtocolViolation("node=" + node + " is lost, in a run without losses");
    }
}
