package io.muninn.verify.check;

import io.muninn.model.BarrierId;
import io.muninn.sim.SimThread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The generations of barriers: threads that arrive before a barrier falls belong to the generation
 * that departs. Its members are known when the first of them departs, unless more threads have
 * arrived than the barrier has parties; in that case they are known only as they depart.
 */
final class Generations {
    /** The threads for which a barrier fell. */
    static final class Generation {
        final List<SimThread> members;
        final List<SimThread> waiting; // members that have not departed
        int[] known = {}; // the timestamp that they share, cached

        private final boolean ofStrangers;
        private int strangers; // pending departures of unknown threads

        private Generation(List<SimThread> members, int strangers) {
            this.members = members;
            this.waiting = new ArrayList<>(members);
            this.ofStrangers = strangers > 0;
            this.strangers = strangers;
        }

        /** True if more threads had arrived than departed, so that its members are not known. */
        boolean isOfStrangers() {
            return ofStrangers;
        }

        boolean isOver() {
            return waiting.isEmpty() && strangers == 0;
        }
    }

    private record Arrival(SimThread thread, int parties) {}

    private static final class Barrier {
        final List<Arrival> arrived = new ArrayList<>();
        final List<Generation> fallen = new ArrayList<>();
    }

    private final Map<BarrierId, Barrier> barriers = new LinkedHashMap<>();

    void arrive(SimThread thread, BarrierId barrier, int parties) {
        of(barrier).arrived.add(new Arrival(thread, parties));
    }

    /**
     * * Records that a thread departs. *
     *
     * @return its generation; empty if there is none, because too few threads or not this thread
     *     have arrived
     */
    Optional<Generation> depart(SimThread thread, BarrierId id) {
        Barrier barrier = of(id);
        Optional<Generation> fallen = fallenFor(barrier, thread);
        if (fallen.isEmpty()) {
            fallen = fall(barrier, thread);
        }
        fallen.filter(Generation::isOver).ifPresent(barrier.fallen::remove);
        return fallen;
    }

    private static Optional<Generation> fallenFor(Barrier barrier, SimThread thread) {
        for (Generation generation : barrier.fallen) {
            if (generation.waiting.remove(thread)) {
                return Optional.of(generation);
            }
            if (generation.strangers > 0 && remove(barrier, thread).isPresent()) {
                generation.strangers--;
                generation.members.add(thread);
                return Optional.of(generation);
            }
        }
        return Optional.empty();
    }

    private static Optional<Generation> fall(Barrier barrier, SimThread thread) {
        int arrived = barrier.arrived.size();
        Optional<Arrival> first = remove(barrier, thread);
        if (first.isEmpty() || arrived < first.get().parties()) {
            return Optional.empty();
        }
        Generation generation;
        List<SimThread> members = new ArrayList<>(List.of(thread));
        if (arrived == first.get().parties()) {
            barrier.arrived.forEach(arrival -> members.add(arrival.thread()));
            barrier.arrived.clear();
            generation = new Generation(members, 0);
        } else {
            generation = new Generation(members, first.get().parties() - 1);
        }
        generation.waiting.remove(thread);
        barrier.fallen.add(generation);
        return Optional.of(generation);
    }

    private static Optional<Arrival> remove(Barrier barrier, SimThread thread) {
        for (Arrival arrival : barrier.arrived) {
            if (arrival.thread() == thread) {
                barrier.arrived.remove(arrival);
                return Optional.of(arrival);
            }
        }
        return Optional.empty();
    }

    /**
     * Records that a thread leaves without a departure.
     *
     * @return false if the barrier has fallen for it
     */
    boolean leave(SimThread thread, BarrierId id) {
        return remove(of(id), thread).isPresent();
    }

    /** Number of threads that have arrived and wait. */
    int arrived(BarrierId id) {
        return of(id).arrived.size();
    }

    /** Describes the threads for which a barrier has fallen and that have not departed. */
    String unfinished() {
        StringBuilder text = new StringBuilder();
        barriers.forEach((id, barrier) -> {
            for (Generation generation : barrier.fallen) {
                text.append("barrier '").append(id).append("': ").append(generation.waiting);
                text.append(" and ").append(generation.strangers).append(" others; ");
            }
        });
        return text.toString();
    }

    private Barrier of(BarrierId id) {
        return barriers.computeIfAbsent(id, _ -> new Barrier());
    }
}
