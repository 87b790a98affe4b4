package io.muninn.sim.check;

import io.muninn.api.Protocol;
import io.muninn.model.BarrierId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.sim.Observer;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimPages;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.sim.Violation;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Write-shared pages are release consistent: a load returns the value of a store to that element,
 * or the initial one, that no other store has overwritten as far as what happens before the load
 * tells. For programs without data races there is one such value; in others several, and each of
 * them is right.
 *
 * <p>At a barrier of all threads and at the end every copy of every element on every node holds
 * such a value, too: the memory equals the one that a single machine would have.
 *
 * <p>An element is always loaded and stored by its own width.
 *
 * <p>Source: Munin §2.1; the happens-before order of {@link HappensBefore}.
 */
final class ReleaseConsistency implements Observer {
    static final String NAME = "release consistency";
    static final String MEMORY = "memory";

    private static final int STORES_KEPT = 8;

    /** A store: whose it is, its number among that thread's own, and what happened before it. */
    private record Stored(int thread, int number, int[] seen, long value) {
        boolean happensBefore(Stored other) {
            return other.thread == thread ? number < other.number : number <= other.seen[thread];
        }

        /** True if the store happened before what the thread does now. */
        boolean happenedBefore(int now, int[] seenNow) {
            return now == thread || number <= seenNow[thread];
        }
    }

    private record Place(PageId page, int offset, int bytes) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int byPage = page.compareTo(other.page);
            return byPage != 0 ? byPage : Integer.compare(offset, other.offset);
        }
    }

    private final HappensBefore order;
    private final Map<Place, List<Stored>> stores = new TreeMap<>();

    ReleaseConsistency(HappensBefore order) {
        this.order = order;
    }

    @Override
    public void onStore(SimThread thread, PageId page, int offset, int bytes, long value) {
        if (!isChecked(thread.node(), page)) {
            return;
        }
        List<Stored> known =
                stores.computeIfAbsent(new Place(page, offset, bytes), _ -> new ArrayList<>());
        int position = thread.position();
        known.add(new Stored(position, order.count(position), order.seen(position), value));
        if (known.size() > STORES_KEPT) {
            forgetOverwritten(known);
        }
    }

    @Override
    public void onLoad(SimThread thread, PageId page, int offset, int bytes, long value) {
        if (!isChecked(thread.node(), page)) {
            return;
        }
        Place place = new Place(page, offset, bytes);
        int position = thread.position();
        int[] seen = order.seen(position);
        List<Stored> known = stores.getOrDefault(place, List.of());
        boolean isInitial = value == 0;
        for (Stored stored : known) {
            isInitial &= !stored.happenedBefore(position, seen);
            if (stored.value() == value && !isOverwritten(stored, known, position, seen)) {
                return;
            }
        }
        if (!isInitial) {
            throw new Violation(
                    NAME,
                    thread
                            + " loads "
                            + value
                            + " from byte "
                            + offset
                            + " of page "
                            + page
                            + "; it may see "
                            + allowed(known, position, seen)
                            + ": "
                            + thread.node().describe(page));
        }
    }

    private static boolean isOverwritten(
            Stored stored, List<Stored> known, int position, int[] seen) {
        for (Stored later : known) {
            if (stored.happensBefore(later) && later.happenedBefore(position, seen)) {
                return true;
            }
        }
        return false;
    }

    private static List<Long> allowed(List<Stored> known, int position, int[] seen) {
        return known.stream()
                .filter(stored -> !isOverwritten(stored, known, position, seen))
                .map(Stored::value)
                .distinct()
                .toList();
    }

    /** Forgets what nobody may see any more. */
    private void forgetOverwritten(List<Stored> known) {
        known.removeIf(stored -> {
            for (Stored later : known) {
                if (stored.happensBefore(later) && isSeenByAll(later)) {
                    return true;
                }
            }
            return false;
        });
    }

    private boolean isSeenByAll(Stored stored) {
        for (int i = 0; i < order.threads(); i++) {
            if (!stored.happenedBefore(i, order.seen(i))) {
                return false;
            }
        }
        return true;
    }

    /** Everybody has arrived, everything is flushed, and nobody runs yet. */
    @Override
    public void onDepart(SimThread thread, BarrierId barrier) {
        Simulation simulation = thread.node().simulation();
        if (order.isFirstDepartureOfAll() && simulation.lost().isEmpty()) {
            checkMemory(simulation);
        }
    }

    @Override
    public void onEnd(Simulation simulation) {
        if (simulation.lost().isEmpty()) {
            checkMemory(simulation);
        }
    }

    private void checkMemory(Simulation simulation) {
        stores.forEach((place, known) -> {
            for (SimNode node : simulation.nodes()) {
                checkCopy(node, place, known);
            }
        });
    }

    private static void checkCopy(SimNode node, Place place, List<Stored> known) {
        SimPages pages = node.pages();
        if (!pages.isPresent(place.page()) || pages.hasTwin(place.page())) {
            return;
        }
        long value = value(pages.content(place.page()), place);
        List<Stored> last =
                known.stream()
                        .filter(stored -> known.stream().noneMatch(stored::happensBefore))
                        .toList();
        if (last.stream().noneMatch(stored -> stored.value() == value)) {
            throw new Violation(
                    MEMORY,
                    node.describe(place.page())
                            + " has "
                            + value
                            + " at byte "
                            + place.offset()
                            + "; stored last was "
                            + last.stream().map(Stored::value).distinct().toList()
                            + (pages.access(place.page()) == PageAccess.NONE ? ", no access" : ""));
        }
    }

    private static long value(MemorySegment page, Place place) {
        return switch (place.bytes()) {
            case Byte.BYTES -> page.get(ValueLayout.JAVA_BYTE, place.offset());
            case Short.BYTES -> page.get(ValueLayout.JAVA_SHORT, place.offset());
            case Integer.BYTES -> page.get(ValueLayout.JAVA_INT, place.offset());
            default -> page.get(ValueLayout.JAVA_LONG, place.offset());
        };
    }

    private static boolean isChecked(SimNode node, PageId page) {
        return node.pages().spec(page.region()).protocol() == Protocol.WRITE_SHARED;
    }
}
