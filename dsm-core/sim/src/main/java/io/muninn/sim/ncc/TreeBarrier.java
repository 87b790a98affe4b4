package io.muninn.sim.ncc;

import io.muninn.api.reduction.Contribution;
import io.muninn.api.reduction.Round;
import io.muninn.api.service.BarrierLink;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A barrier as a tree of the processors that meet: each one tells its parent when its children have
 * come, and the root's word goes back down. Each step is a write to the memory of the other.
 *
 * <p>Source: Mellor-Crummey and Scott, "Algorithms for scalable synchronization on shared-memory
 * multiprocessors" (tree barrier of fan-in four).
 */
final class TreeBarrier {
    private static final int CHILDREN = 4;

    private final Machine machine;
    private final int parties;
    private List<NccProcessor> arrived = new ArrayList<>();
    private Round round = new Round();
    private byte[] result = BarrierLink.NOTHING;

    TreeBarrier(Machine machine, int parties) {
        this.machine = machine;
        this.parties = parties;
    }

    int parties() {
        return parties;
    }

    /**
     * @return the result of all contributions
     * @throws IllegalArgumentException if contributions do not fit
     */
    byte[] await(byte[] contribution) {
        NccProcessor by = machine.current();
        if (machine.isTimed()) {
            machine.coherence().release(by);
            by.settle();
        }
        Optional<Contribution> decoded =
                Optional.of(contribution).filter(each -> each.length > 0).map(Contribution::decode);
        round.add(by.id(), 0, decoded)
                .ifPresent(reason -> {
                    throw new IllegalArgumentException(reason);
                });
        arrived.add(by);
        byte[] mine;
        if (arrived.size() < parties) {
            by.suspend();
            mine = result;
        } else {
            mine = complete(by);
        }
        if (machine.isTimed()) {
            machine.coherence().acquire(by);
        }
        return mine;
    }

    private byte[] complete(NccProcessor last) {
        result = round.isEmpty() ? BarrierLink.NOTHING : round.result();
        round = new Round();
        List<NccProcessor> all = arrived;
        arrived = new ArrayList<>();
        all.sort(Comparator.comparingInt(NccProcessor::id));
        if (machine.isTimed()) {
            pass(all);
        }
        all.stream()
                .filter(each -> each != last)
                .forEach(each -> machine.timeline().wake(each, last));
        return result;
    }

    private void pass(List<NccProcessor> all) {
        long[] up = new long[all.size()];
        for (int i = all.size() - 1; i >= 0; i--) {
            up[i] = Math.max(up[i], all.get(i).now());
            if (i > 0) {
                int parent = (i - 1) / CHILDREN;
                up[parent] = Math.max(up[parent], up[i] + tell(all.get(i), all.get(parent)));
            }
        }
        long[] down = new long[all.size()];
        down[0] = up[0];
        for (int i = 1; i < all.size(); i++) {
            int parent = (i - 1) / CHILDREN;
            down[i] = down[parent] + tell(all.get(parent), all.get(i));
        }
        for (int i = 0; i < all.size(); i++) {
            all.get(i).passUntil(down[i], Spent.SYNCHRONIZATION);
        }
    }

    private long tell(NccProcessor from, NccProcessor to) {
        Hardware hardware = machine.hardware();
        return hardware.way(from.id(), to.id()) + hardware.model().memory(1);
    }
}
