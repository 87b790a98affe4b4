package io.muninn.verify.program;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.PageId;
import java.util.ArrayList;
import java.util.List;

/**
 * Programs that check liveness only: every thread of every node repeatedly stores to one page and
 * loads from it, without synchronization.
 *
 * <p><b>Guaranteed.</b> If the hold time is longer than the longest wake-up, a page that was
 * fetched for a thread's access is still present when the thread wakes up. So each transfer of the
 * page permits at least one access, requests are answered in the order of their arrival, and every
 * access is done within {@link TimeBounds#faultNanos}. The live system's hold time is that long.
 *
 * <p><b>Not guaranteed.</b> With a shorter hold time, or none, a page may be passed on again and
 * again before the thread for which it was fetched has woken up. With constant delays this repeats
 * for ever, without one access; delays that vary end it after an unbounded time. The values of
 * loads are correct in any case: a hold time affects the time of an access only. It has no effect
 * on write-shared and read-only pages, whose copies are not withdrawn for an access of another
 * node.
 */
public final class Contention {
    private Contention() {}

    /**
     * Each thread stores to an element of its own, and loads that of the next thread.
     *
     * @param threads per node
     * @param rounds number of rounds, of a store and a load by every thread
     */
    public static Program of(
            Protocol protocol, int nodes, int threads, int rounds, long holdNanos) {
        int everyThread = nodes * threads;
        RegionSpec region =
                new RegionSpec(
                        0,
                        "contended",
                        protocol,
                        0,
                        RegionSpec.MACHINE_PAGE_BYTES,
                        Long.BYTES,
                        1,
                        List.of());
        List<List<Program.Step>> scripts = new ArrayList<>();
        for (int thread = 0; thread < everyThread; thread++) {
            List<Program.Step> steps = new ArrayList<>();
            for (int round = 1; round <= rounds; round++) {
                int unit = thread * rounds + round;
                if (!protocol.isSealed()) {
                    steps.add(new Program.Step(unit, new Op.Store(element(thread), round)));
                }
                Variable next = element((thread + 1) % everyThread);
                steps.add(new Program.Step(unit, new Op.Load(next, Op.NO_REGISTER)));
            }
            scripts.add(steps);
        }
        return new Program(nodes, threads, holdNanos, List.of(region), List.of(), scripts);
    }

    private static Variable element(int thread) {
        return new Variable(new PageId(0, 0), thread * Long.BYTES, Long.BYTES);
    }
}
