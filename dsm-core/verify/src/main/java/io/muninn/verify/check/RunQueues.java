package io.muninn.verify.check;

import io.muninn.sim.SimNode;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.sim.processor.ProcessorReport;
import io.muninn.sim.processor.ProcessorRules;
import io.muninn.sim.processor.ProcessorTimes;
import io.muninn.sim.processor.ProcessorUse;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The scheduling of threads on the processors of their node:
 *
 * <ul>
 *   <li>a processor runs one thread at a time, and a thread runs on one processor
 *   <li>no thread remains ready while a processor is idle
 *   <li>a processor is given to the thread that has been ready for longest, or to the thread that
 *       ran on it last
 *   <li>a switch takes the time of the rules, and all time of all processors is charged once
 *   <li>the times of a thread add up to the time at which it ends
 * </ul>
 */
final class RunQueues implements Checker {
    static final String NAME = "processors";

    /** The threads and processors of one node. */
    private static final class Queue {
        private final Map<Integer, SimThread> running = new LinkedHashMap<>(); // by processor
        private final Map<Integer, SimThread> last = new LinkedHashMap<>(); // by processor
        private final Map<SimThread, Long> switching = new LinkedHashMap<>(); // start time
        private final LinkedHashSet<SimThread> ready = new LinkedHashSet<>(); // oldest first
        private final Map<SimThread, Long> ends = new LinkedHashMap<>(); // by time
        private long switches; // completed
        private long readyNanos = NEVER; // since when a thread is ready and a processor idle
    }

    private static final long NEVER = -1;

    private final List<Queue> queues = new ArrayList<>(); // by node
    private ProcessorRules rules = ProcessorRules.ONE_EACH;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        rules = simulation.cluster().processors();
        simulation.nodes().forEach(_ -> queues.add(new Queue()));
    }

    private Queue of(SimNode node) {
        return queues.get(node.id().index());
    }

    @Override
    public void onReady(SimThread thread) {
        SimNode node = thread.node();
        checkNoneWaits(node);
        if (of(node).running.containsValue(thread) || !of(node).ready.add(thread)) {
            throw violation(thread + " is ready, and was so before");
        }
        noteWaits(node);
    }

    @Override
    public void onSwitch(SimThread thread, int processor) {
        checkNoneWaits(thread.node());
        occupy(thread, processor);
        of(thread.node()).switching.put(thread, thread.node().simulation().nowNanos());
        noteWaits(thread.node());
    }

    @Override
    public void onRun(SimThread thread, int processor) {
        SimNode node = thread.node();
        checkNoneWaits(node);
        Long sinceNanos = of(node).switching.remove(thread);
        if (sinceNanos == null) {
            SimThread last = of(node).last.getOrDefault(processor, thread);
            occupy(thread, processor);
            if (last != thread) {
                throw violation(thread + " follows " + last + " without a switch");
            }
        } else if (node.simulation().nowNanos() - sinceNanos < rules.switchNanos()) {
            throw violation(thread + " runs before processor " + processor + " has switched to it");
        } else {
            of(node).switches++;
        }
        noteWaits(node);
    }

    private void occupy(SimThread thread, int processor) {
        Queue queue = of(thread.node());
        if (processor >= rules.processors()) {
            throw violation(thread + " gets processor " + processor + ": " + rules.text());
        }
        SimThread before = queue.running.putIfAbsent(processor, thread);
        if (before != null) {
            throw violation(thread + " gets processor " + processor + ", which " + before + " has");
        }
        boolean isFirst = !queue.ready.isEmpty() && queue.ready.getFirst() == thread;
        boolean goesOn = Objects.requireNonNullElse(queue.last.get(processor), thread) == thread;
        if (!isFirst && !goesOn) {
            throw violation(thread + " gets processor " + processor + " before its turn");
        }
        if (!queue.ready.remove(thread)) {
            throw violation(thread + " gets processor " + processor + " and is not ready");
        }
        queue.last.put(processor, thread);
    }

    @Override
    public void onStand(SimThread thread) {
        Queue queue = of(thread.node());
        if (!queue.running.values().remove(thread)) {
            throw violation(thread + " leaves a processor that it does not have");
        }
        noteWaits(thread.node());
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        checkNoneWaits(node);
    }

    private void noteWaits(SimNode node) {
        Queue queue = of(node);
        if (!waitsInVain(queue)) {
            queue.readyNanos = NEVER;
        } else if (queue.readyNanos == NEVER) {
            queue.readyNanos = node.simulation().nowNanos();
        }
    }

    /** True while a thread is ready and a processor is idle. */
    private boolean waitsInVain(Queue queue) {
        return !queue.ready.isEmpty() && queue.running.size() < rules.processors();
    }

    /**
     * Checks that no thread of a living node stays ready while a processor is idle. Time passes
     * only between two calls.
     */
    private void checkNoneWaits(SimNode node) {
        Queue queue = of(node);
        if (waitsInVain(queue) && node.simulation().nowNanos() > queue.readyNanos) {
            throw violation(
                    queue.ready.iterator().next()
                            + " is ready, and waits although "
                            + queue.running.size()
                            + " processors run threads: "
                            + rules.text());
        }
    }

    @Override
    public void onEnded(SimThread thread) {
        if (!thread.node().isDead()) {
            of(thread.node()).ends.put(thread, thread.node().simulation().nowNanos());
        }
    }

    @Override
    public void onEnd(Simulation simulation) {
        simulation.nodes().forEach(this::checkTimes);
    }

    private void checkTimes(SimNode node) {
        ProcessorReport report = node.processors().report();
        long allNanos = report.processors() * report.elapsedNanos();
        if (report.total().totalNanos() != allNanos) {
            throw violation(
                    "node "
                            + node.id()
                            + " charges "
                            + report.total()
                            + ", which is not all of "
                            + allNanos
                            + " ns");
        }
        of(node).ends
                .forEach((thread, endNanos) -> {
                    ProcessorTimes times = report.threads().get(thread.id().thread());
                    if (times.totalNanos() + times.awayNanos() != endNanos) {
                        throw violation(
                                thread + " ends after " + endNanos + " ns and has " + times);
                    }
                });
        long switchNanos = of(node).switches * rules.switchNanos();
        if (!node.isDead() && report.total().nanos(ProcessorUse.SWITCHING) < switchNanos) {
            throw violation(
                    "node "
                            + node.id()
                            + " charges "
                            + report.total().nanos(ProcessorUse.SWITCHING)
                            + " ns for switches that take "
                            + switchNanos
                            + " ns");
        }
    }
}
