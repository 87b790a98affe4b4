package io.muninn.coherence.writeshared;

import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.writeshared.LoadChecks.Stored;
import io.muninn.coherence.writeshared.WriteSharedMessages.PageStores;
import io.muninn.coherence.writeshared.WriteSharedMessages.Races;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateOrigin;
import io.muninn.model.BarrierId;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effect;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.LogicalClock;
import io.muninn.spi.PageLoads;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.Race;
import io.muninn.spi.ReservedBarriers;
import io.muninn.spi.VectorTimestamp;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.Payload;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;

/**
 * Detects overlapping concurrent stores of several nodes to write-shared pages (Munin §2.3), and
 * loads that are concurrent with a store ({@link LoadChecks}), in runs with this option; in others
 * it does nothing and sends nothing.
 *
 * <p>Before every update its sender sends the timestamp that it had {@linkplain LogicalClock#seen
 * seen} when it compared. A diff that arrives conflicts with this node's stores to a granule if one
 * of them
 *
 * <ul>
 *   <li>is not sent yet: then no message that could announce it has left this node
 *   <li>was sent in an interval that the diff's sender did not know when it compared
 * </ul>
 *
 * and neither happened before the other: if the diff had happened before, it would have been
 * applied here before the store, because a release waits until its updates are acknowledged. So
 * nothing is reported for a program without data races. In other programs a race is missed if a
 * node stored the value that was there before, or if it received notice of the other's interval
 * after its store and before its flush, or for another of its threads. No copy is given up, so that
 * a node receives all diffs of the pages that it has accessed.
 *
 * <p>Stores to a page that only one node holds are also detected, once initialization is over: no
 * page is exclusive then ({@link #seesAllStores}).
 *
 * <p>A node that finds a race notifies the root, which reports each element once.
 */
final class RaceChecks {
    /** Largest number of intervals whose point of synchronization is recorded. */
    private static final int POINTS_MAX = 1 << 12;

    /**
     * A flush of this node.
     *
     * @param interval of the logical clock in which it began
     * @param known timestamp that this node had seen when it last compared a page
     * @param point of synchronization that caused the flush
     */
    private record Flushed(long interval, VectorTimestamp known, String point) {
        Flushed comparedAt(VectorTimestamp seen) {
            return new Flushed(interval, seen, point);
        }
    }

    private final Context context;
    private final Flushes flushes;
    private final boolean isOn;
    private final TreeMap<Long, String> points = new TreeMap<>(); // of this node's intervals
    private final TreeMap<Long, Flushed> flushed = new TreeMap<>(); // outstanding ones, by flush
    private final TreeMap<NodeId, UpdateOrigin> origins = new TreeMap<>(); // the last of each node
    private final LoadChecks loads;
    private final TreeMap<Integer, BitSet> reported = new TreeMap<>(); // by region; on the root
    private final TreeMap<Integer, BitSet> reportedPossible = new TreeMap<>(); // the same
    private String lastPoint = "after the start";
    private boolean isInitialized;

    RaceChecks(Context context, Flushes flushes) {
        this.context = context;
        this.flushes = flushes;
        this.isOn = context.checksRaces();
        this.loads = new LoadChecks(context);
        this.isInitialized = !context.self().isRoot();
    }

    /** Records that the stores of the root so far happened before everything else. */
    void onSealed() {
        isInitialized = true;
    }

    /**
     * True if each store must be found by the comparison at a release, also for a page that no
     * other node holds: a node that fetches the page later may store to the same element without
     * having synchronized. Such a page is clean or dirty, with a twin in every interval in which it
     * is stored to, and not exclusive.
     */
    boolean seesAllStores() {
        return isOn && isInitialized;
    }

    boolean isOn() {
        return isOn;
    }

    /** Records an acquire as the point of synchronization. */
    void onAcquire(GatedAcquire acquire) {
        if (isOn) {
            lastPoint = "after " + describe(acquire);
        }
    }

    private static String describe(GatedAcquire acquire) {
        return switch (acquire) {
            case GatedAcquire.Token token -> "lock '" + token.lock() + "'";
            case GatedAcquire.Handover handover -> "lock '" + handover.lock() + "'";
            case GatedAcquire.Local _ -> "a lock";
            case GatedAcquire.Permission(var lock) -> "reader-writer lock '" + lock + "'";
            case GatedAcquire.Entry _ -> "a reader-writer lock";
            case GatedAcquire.Departure departure -> name(departure.barrier());
            case GatedAcquire.Call call -> "a call with node " + call.from();
            case GatedAcquire.Reply reply -> "a call with node " + reply.from();
            case GatedAcquire.Letter letter -> "a message of node " + letter.from();
            case GatedAcquire.Refresh refresh -> "a refresh from node " + refresh.from();
        };
    }

    private static String name(BarrierId barrier) {
        if (barrier.equals(ReservedBarriers.START)) {
            return "the start";
        }
        return barrier.equals(ReservedBarriers.END)
                ? "the end"
                : ReservedBarriers.describe(barrier);
    }

    // flushes of this node

    void onFlush(long flush, GatedRelease leaving) {
        if (isOn) {
            LogicalClock clock = context.clock();
            clock.stored();
            String point = describe(leaving);
            flushed.headMap(flushes.completed(), true).clear();
            flushed.put(flush, new Flushed(clock.interval(), clock.seen(), point));
            points.put(clock.interval(), point);
            if (points.size() > POINTS_MAX) {
                points.pollFirstEntry();
            }
        }
    }

    private String describe(GatedRelease leaving) {
        return switch (leaving) {
            case GatedRelease.Token token -> "before lock '" + token.lock() + "' left";
            case GatedRelease.Permission(var lock) ->
                    "before reader-writer lock '" + lock + "' left";
            case GatedRelease.Arrival arrival -> "before " + name(arrival.barrier());
            case GatedRelease.Signal signal -> "before a signal at '" + signal.condition() + "'";
            case GatedRelease.Letter letter -> "before a message to node " + letter.to();
            case GatedRelease.Call _ -> "before a shipped call";
            case GatedRelease.Reply _ -> "before the reply to a shipped call";
            case GatedRelease.Refresh refresh -> "before a refresh of node " + refresh.to();
            case GatedRelease.Collection _, GatedRelease.Elapsed _ -> lastPoint;
        };
    }

    void onReleasePerformed(GatedRelease leaving) {
        if (isOn) {
            lastPoint = describe(leaving).replaceFirst("before", "after");
        }
    }

    void onDiffSaved(Event.DiffSaved saved, Effects out) {
        if (isOn && saved.granules() > 0) {
            Flushed flush = flushed(saved.interval());
            flushed.put(saved.interval(), flush.comparedAt(context.clock().seen()));
            RegionSpec region = context.region(saved.page());
            out.add(
                    new Effect.NoteStores(
                            region,
                            saved.page(),
                            context.self(),
                            saved.interval(),
                            flush.interval()));
        }
    }

    /** Sends the origin of an update before the update. */
    void announce(NodeId target, long interval, Effects out) {
        if (isOn) {
            Flushed flush = flushed(interval);
            out.send(
                    target,
                    new UpdateOrigin(interval, flush.interval(), flush.known(), flush.point()));
        }
    }

    private Flushed flushed(long interval) {
        Flushed flush = flushed.get(interval);
        if (flush == null) {
            throw new ProtocolViolation("no flush of interval " + interval + " is outstanding");
        }
        return flush;
    }

    private String point(long interval) {
        return interval == 0 ? lastPoint : points.getOrDefault(interval, "long ago");
    }

    // updates of others

    void onOrigin(NodeId from, UpdateOrigin origin) {
        checkLooking(from);
        if (origin.known().nodes() != context.nodes()) {
            throw new MalformedMessageException(
                    "an origin knows the intervals of " + origin.known().nodes() + " nodes");
        }
        origins.put(from, origin);
    }

    private void checkLooking(NodeId from) {
        if (!isOn) {
            throw new ProtocolViolation("node=" + from + " looks for races, and this one does not");
        }
    }

    /** Called before a diff is applied. */
    void look(NodeId from, PageId page, Payload diff, Effects out) {
        UpdateOrigin origin = isOn ? origins.get(from) : null;
        if (origin != null) {
            long ofSelf = origin.known().of(context.self());
            RegionSpec region = context.region(page);
            out.add(new Effect.FindRaces(region, page, from, diff, origin.stored(), ofSelf));
        }
    }

    void onResult(Event.RaceCheck result, Effects out) {
        switch (result) {
            case Event.RacesFound found -> onFound(found, out);
            case Event.StoresRead read -> onStoresRead(read, out);
        }
    }

    private void onFound(Event.RacesFound found, Effects out) {
        UpdateOrigin origin = origins.get(found.from());
        List<FoundRace> races = new ArrayList<>();
        for (Race race : found.races()) {
            races.add(FoundRace.ofStore(race, point(race.interval())));
        }
        String point = origin == null ? "" : origin.point();
        out.send(NodeId.ROOT, new Races(found.page(), found.from(), point, races));
    }

    // loads of this node

    /** What the root loads while it initializes happened before everything else. */
    void onLoaded(PageLoads made, Effects out) {
        if (seesAllStores()) {
            loads.onLoaded(made, lastPoint, out);
        }
    }

    private void onStoresRead(Event.StoresRead read, Effects out) {
        boolean isOwn = read.by().equals(context.self());
        UpdateOrigin origin = isOwn ? null : origins.get(read.by());
        if (origin != null || isOwn) {
            VectorTimestamp known = origin == null ? context.clock().seen() : origin.known();
            String point = origin == null ? point(read.interval()) : origin.point();
            Stored stored = new Stored(read.by(), read.interval(), known, point);
            loads.onStores(read.page(), read.granules(), stored, out);
        }
    }

    /** Precedes the image of a page to another node. */
    void tellStores(NodeId asker, PageId page, Effects out) {
        if (isOn) {
            UpdateOrigin origin = origins.get(asker);
            VectorTimestamp knows =
                    origin == null ? VectorTimestamp.zero(context.nodes()) : origin.known();
            loads.tell(asker, page, knows, out);
        }
    }

    void onPageStores(NodeId from, PageStores stores, Effects out) {
        checkLooking(from);
        loads.onPageStores(stores, out);
    }

    // on the root

    /** Reports the races that another node has found, each element once. */
    void onRaces(NodeId from, Races races, Effects out) {
        RegionSpec region = context.region(races.page());
        BitSet certain = reported.computeIfAbsent(region.index(), _ -> new BitSet());
        BitSet possible = reportedPossible.computeIfAbsent(region.index(), _ -> new BitSet());
        for (FoundRace race : races.found()) {
            long at = (long) race.granule() * region.granuleBytes();
            if (at < 0 || at >= region.pageBytes()) {
                throw new MalformedMessageException("a race at granule " + race.granule());
            }
            int offset = (int) at;
            Element element = Element.at(region, races.page(), offset);
            int begin = Math.toIntExact(element.offset() / region.granuleBytes());
            if (!certain.get(begin) && (race.isCertain() || !possible.get(begin))) {
                (race.isCertain() ? certain : possible).set(begin);
                String text = text(element, from, races, race);
                out.add(new Effect.ReportRace(races.page(), offset, text, race.isCertain()));
            }
        }
    }

    private static String text(Element element, NodeId from, Races races, FoundRace race) {
        if (!race.isLoad()) {
            return ofStores(element, from, races, race);
        }
        String what =
                race.isCertain()
                        ? " is loaded by one node and stored to by another at the same time: loaded"
                        : " is in a segment of one node and stored to by another at the same time:"
                                + " taken";
        return element.name() + what + " by node " + endOfLoad(from, races, race);
    }

    private static String endOfLoad(NodeId from, Races races, FoundRace race) {
        return from
                + " "
                + race.point()
                + ", stored to by node "
                + races.other()
                + " "
                + races.point();
    }

    private static String ofStores(Element element, NodeId from, Races races, FoundRace race) {
        return element.name()
                + " is stored to by two nodes at the same time: "
                + element.value(race.here())
                + " by node "
                + from
                + " "
                + race.point()
                + ", "
                + element.value(race.arriving())
                + " by node "
                + races.other()
                + " "
                + races.point();
    }
}
