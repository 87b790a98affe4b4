package io.muninn.verify.program;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.PageId;
import java.util.ArrayList;
import java.util.List;

/**
 * Programs whose only question is whether all get on: every thread of every node stores to one
 * page, and loads from it, again and again, and nothing is synchronized.
 *
 * <p><b>Promised.</b> With a hold time that is longer than the longest wake-up, a page that came
 * for a thread's access is still there when the thread wakes up. So each journey of the page is
 * good for one access at least, requests are answered in the order of their arrival, and every
 * thread's every access is done within {@link SeededRun#faultNanos}. The live system's hold time is
 * such.
 *
 * <p><b>Not promised.</b> With a shorter one, or none, a page may leave before the thread that it
 * came for has woken up, and come back, and leave again. Under delays that are always the same that
 * goes on for ever, without one access; delays that vary break the circle sooner or later, and
 * nothing bounds when. What may be seen is the same: a hold time decides when something happens,
 * never what a load may say. Write-shared and read-only copies do not leave for another's access:
 * for them no hold time matters.
 */
public final class Contention {
    private Contention() {}

    /**
     * Each thread has an element of its own, which it stores to, and loads that of the next.
     *
     * @param threads per node
     * @param rounds of a store and a load, by every thread
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
