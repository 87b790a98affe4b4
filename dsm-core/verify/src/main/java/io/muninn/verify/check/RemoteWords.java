package io.muninn.verify.check;

import io.muninn.api.remote.RemoteOperations;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.spi.Bytes;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Remote words are linearizable: each operation is performed exactly once, at its home, after its
 * thread has begun it and before the thread gets its answer, and its answer is that of the same
 * operation on a memory of this checker. What a thread has posted is performed when a fence of the
 * thread ends, and when another node acquires what the thread has released.
 *
 * <p>A wait that has ended is fulfilled, and no wait is held whose condition an operation of the
 * home has fulfilled.
 */
final class RemoteWords implements Checker {
    static final String NAME = "remote words";

    /** An operation that a thread has begun. */
    private static final class Begun {
        final SimThread thread;
        final NodeId home;
        boolean isPerformed;
        Bytes answer = Bytes.EMPTY;

        Begun(SimThread thread, NodeId home) {
            this.thread = thread;
            this.home = home;
        }

        @Override
        public String toString() {
            return "a request of " + thread + " to node " + home;
        }
    }

    private record Round(BarrierId barrier, int number) {}

    private record Arrivals(BarrierId barrier, int position) {}

    private final List<MemorySegment> memories = new ArrayList<>(); // by home, of the checker
    private final Map<Bytes, List<Begun>> open = new HashMap<>(); // not performed
    private final Map<Integer, Begun> last = new TreeMap<>(); // by position of the thread
    private final Map<Integer, List<Begun>> posted = new TreeMap<>(); // not known to be performed
    private final Map<LockId, List<Begun>> byLock = new LinkedHashMap<>();
    private final Map<LockId, NodeId> releasers = new LinkedHashMap<>();
    private final Map<Round, List<Begun>> byBarrier = new HashMap<>();
    private final Map<Arrivals, Integer> arrivals = new HashMap<>();
    private final Map<Long, List<Begun>> byLetter = new TreeMap<>();
    private final Set<NodeId> direct =
            new TreeSet<>(); // whose own threads were the last to perform

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        for (SimNode node : simulation.nodes()) {
            long words = node.remotes().memory().byteSize() / Long.BYTES;
            memories.add(MemorySegment.ofArray(new long[(int) words]));
        }
    }

    private MemorySegment memory(SimNode node) {
        int at = node.id().index();
        if (memories.get(at).byteSize() != node.remotes().memory().byteSize()) {
            long words = node.remotes().memory().byteSize() / Long.BYTES;
            memories.set(at, MemorySegment.ofArray(new long[(int) words]));
        }
        return memories.get(at);
    }

    @Override
    public void onRemoteCalled(SimThread thread, NodeId home, Bytes operations) {
        Begun begun = new Begun(thread, home);
        open.computeIfAbsent(operations, _ -> new ArrayList<>()).add(begun);
        last.put(thread.position(), begun);
        posted.computeIfAbsent(thread.position(), _ -> new ArrayList<>()).add(begun);
    }

    @Override
    public void onRemotePerformed(SimNode home, Bytes operations, Bytes answer) {
        List<Begun> candidates = open.getOrDefault(operations, List.of());
        Begun begun =
                candidates.stream()
                        .filter(each -> each.home.equals(home.id()))
                        .findFirst()
                        .orElseThrow(() ->
                                violation(
                                        "node "
                                                + home.id()
                                                + " performs operations that no thread has begun,"
                                                + " or that are performed already"));
        candidates.remove(begun);
        if (candidates.isEmpty()) {
            open.remove(operations);
        }
        begun.isPerformed = true;
        begun.answer = answer;
        if (begun.thread.node().id().equals(home.id())) {
            direct.add(home.id());
        } else {
            direct.remove(home.id());
        }
        byte[] expected = RemoteOperations.perform(operations.array(), memory(home));
        if (!new Bytes(expected).equals(answer)) {
            throw violation(begun + " has another answer than in the order of the home");
        }
    }

    @Override
    public void onRemoteAnswered(SimThread thread, Bytes answer) {
        Begun begun = last.get(thread.position());
        if (begun == null || !begun.isPerformed) {
            throw violation(begun + " is answered before it is performed");
        }
        if (!begun.answer.equals(answer)) {
            throw violation(begun + " has got an answer that its home has not given");
        }
    }

    /** What a thread has begun, without what is known to be performed. */
    private List<Begun> takeOpen(SimThread thread) {
        List<Begun> all = posted.getOrDefault(thread.position(), new ArrayList<>());
        all.removeIf(each -> each.isPerformed);
        return List.copyOf(all);
    }

    private void require(List<Begun> begun, String when) {
        for (Begun each : begun) {
            if (!each.isPerformed && !each.thread.node().isDead()) {
                throw violation(each + " is not performed " + when);
            }
        }
    }

    @Override
    public void onRemoteFence(SimThread thread) {
        require(takeOpen(thread), "after the fence of its thread");
    }

    @Override
    public void onRemoteAwaited(SimThread thread, NodeId home, long offset, long least) {
        long value = memories.get(home.index()).get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
        boolean isMonotone = offset >= 3 * Long.BYTES;
        if (isMonotone && value < least) {
            throw violation(thread + " has waited for " + least + " in a word that is " + value);
        }
    }

    // ---- releases ----

    @Override
    public void onRelease(SimThread thread, LockId lock) {
        byLock.computeIfAbsent(lock, _ -> new ArrayList<>()).addAll(takeOpen(thread));
        releasers.put(lock, thread.node().id());
    }

    @Override
    public void onAcquired(SimThread thread, LockId lock) {
        NodeId releaser = releasers.get(lock);
        if (releaser != null && !releaser.equals(thread.node().id())) {
            require(byLock.getOrDefault(lock, List.of()), "when lock '" + lock + "' is acquired");
            byLock.remove(lock);
        }
    }

    @Override
    public void onArrive(SimThread thread, BarrierId barrier, int parties) {
        Arrivals mine = new Arrivals(barrier, thread.position());
        int round = arrivals.merge(mine, 1, Integer::sum);
        byBarrier
                .computeIfAbsent(new Round(barrier, round), _ -> new ArrayList<>())
                .addAll(takeOpen(thread));
    }

    @Override
    public void onDepart(SimThread thread, BarrierId barrier) {
        int round = arrivals.getOrDefault(new Arrivals(barrier, thread.position()), 0);
        List<Begun> before = byBarrier.getOrDefault(new Round(barrier, round), new ArrayList<>());
        require(
                before.stream()
                        .filter(each -> !each.thread.node().id().equals(thread.node().id()))
                        .toList(),
                "when barrier '" + barrier + "' is complete");
        before.removeIf(each -> each.isPerformed);
    }

    @Override
    public void onSend(SimThread thread, long serial) {
        byLetter.put(serial, takeOpen(thread));
    }

    @Override
    public void onReceived(SimThread thread, long serial) {
        List<Begun> before = byLetter.remove(serial);
        if (before != null && !before.isEmpty()) {
            boolean isOther = !before.getFirst().thread.node().id().equals(thread.node().id());
            if (isOther) {
                require(before, "when letter " + serial + " is received");
            }
        }
    }

    // ---- the memory and the waits of a home ----

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        boolean hasPerformed = effects.stream().anyMatch(Effect.OfRemote.class::isInstance);
        if (!hasPerformed) {
            return;
        }
        MemorySegment real = node.remotes().memory();
        if (real.mismatch(memory(node)) >= 0) {
            throw violation(
                    "node "
                            + node.id()
                            + " has another value at byte "
                            + real.mismatch(memory(node))
                            + " than its operations give");
        }
        boolean hasTested =
                !direct.contains(node.id())
                        && effects.stream().anyMatch(Effect.PerformRemote.class::isInstance);
        if (hasTested && node.view().remoteHome().conditions().anyMatch(c -> c.holds(real))) {
            throw violation("node " + node.id() + " holds a wait that an operation has fulfilled");
        }
    }

    @Override
    public void onEnd(Simulation simulation) {
        if (simulation.lost().isPresent()) {
            return;
        }
        for (SimNode node : simulation.nodes()) {
            int requests = node.view().remoteCalls().underWay();
            int held = node.view().remoteHome().held();
            if (requests + held > 0) {
                throw violation(
                        "node "
                                + node.id()
                                + " ends with "
                                + requests
                                + " requests under way and "
                                + held
                                + " waits held");
            }
        }
    }
}
