package io.muninn.sim;

import io.muninn.model.PageId;
import io.muninn.sim.processor.ProcessorReport;
import io.muninn.sim.processor.ProcessorRules;
import io.muninn.sim.processor.ProcessorSums;
import io.muninn.sim.processor.ProcessorTimes;
import io.muninn.sim.processor.ProcessorUse;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The processors of a pretended node, and the threads that wait for one, first come, first served.
 *
 * <p>A thread goes on where it ran last, if no other thread has had that processor since: then
 * nothing is switched, even if others became ready at the same moment. So the last thread of a node
 * that arrives at a barrier, or stops at a page, goes on first and at once.
 */
public final class Processors {
    private final SimNode node;
    private final ProcessorRules rules;
    private final List<Processor> all = new ArrayList<>(); // that have been used
    private final ArrayDeque<SimThread> waiting = new ArrayDeque<>();
    private final ProcessorSums ofNoThread = new ProcessorSums();

    Processors(SimNode node, ProcessorRules rules) {
        this.node = node;
        this.rules = rules;
    }

    private long nowNanos() {
        return node.simulation().nowNanos();
    }

    /**
     * A thread can go on.
     *
     * @return true if it does so now; false if it goes on as soon as it has got a processor
     */
    boolean take(SimThread thread) {
        for (Processor each : all) {
            if (each.keeper() == thread) {
                each.use(ProcessorUse.BUSY, nowNanos());
                thread.has(each);
                thread.sums().countRun();
                return true;
            }
        }
        node.simulation().onReady(thread);
        Optional<Processor> own = ownOf(thread);
        if (own.isPresent()) {
            own.get().give(thread, nowNanos());
            thread.has(own.get());
            begin(thread, own.get());
            return true;
        }
        waiting.add(thread);
        // after whatever else is ready at this moment
        node.simulation().at(nowNanos(), this::giveFreeOnes);
        return false;
    }

    /** Whether threads may have to wait for a processor. */
    public boolean areLimited() {
        return rules.isLimited();
    }

    /** Whether a thread is ready and has no processor. */
    boolean isAnyWaitedFor() {
        return !waiting.isEmpty();
    }

    private Optional<Processor> ownOf(SimThread thread) {
        for (Processor each : all) {
            if (each.isFree() && each.isOf(thread)) {
                return Optional.of(each);
            }
        }
        if (all.size() == rules.processors()) {
            return Optional.empty();
        }
        Processor added = new Processor(all.size(), ofNoThread);
        all.add(added);
        long agentUntilNanos = node.processorFreeNanos();
        added.work(agentUntilNanos - nowNanos(), agentUntilNanos, nowNanos());
        return Optional.of(added);
    }

    private void giveFreeOnes() {
        all.stream().filter(Processor::isFree).forEach(this::giveToNext);
    }

    private void giveToNext(Processor free) {
        if (!waiting.isEmpty()) {
            SimThread next = waiting.remove();
            next.sums().countSwitch();
            free.give(next, nowNanos());
            node.simulation().onSwitch(next, free.index());
            next.goOnAfterSwitch(free, rules.switchNanos());
        }
    }

    /** A thread that has a processor runs on it. */
    void begin(SimThread thread, Processor processor) {
        processor.use(ProcessorUse.BUSY, nowNanos());
        thread.sums().countRun();
        node.simulation().onRun(thread, processor.index());
    }

    /** A thread stands still: its processor is for the next one, unless the thread keeps it. */
    void leave(SimThread thread, Processor processor, ProcessorUse why) {
        if (why == ProcessorUse.MEMORY_STALL && (!rules.switchesAtPages() || isAgentHere())) {
            processor.use(why, nowNanos());
            return;
        }
        free(thread, processor, why);
    }

    private void free(SimThread thread, Processor processor, ProcessorUse why) {
        processor.free(why, nowNanos());
        node.simulation().onStand(thread);
        giveToNext(processor);
    }

    /** True if the agent deals with a thread's stop at a page before another thread can run. */
    private boolean isAgentHere() {
        return node.simulation().delays().isProcessorShared();
    }

    /** The agent has dealt with stops at a page: who has to wait leaves its processor. */
    void leaveAt(PageId page) {
        if (!rules.switchesAtPages()) {
            return;
        }
        for (Processor each : all) {
            SimThread keeper = each.keeper();
            if (keeper != null && keeper.isStoppedAt(page)) {
                free(keeper, each, ProcessorUse.MEMORY_STALL);
            }
        }
    }

    /**
     * A message arrives.
     *
     * @return how long a thread is interrupted; 0 if a processor is free, or there is none
     */
    long interrupt() {
        boolean isAnyFree = rules.isLimited() && all.size() < rules.processors() || isAnyWaiting();
        if (isAnyFree || all.isEmpty()) {
            return 0;
        }
        if (!node.simulation().delays().isProcessorShared()) {
            Processor least = all.getFirst();
            for (Processor each : all) {
                least = each.workNanos() < least.workNanos() ? each : least;
            }
            least.interrupt(rules.arrivalNanos(), nowNanos());
        }
        return rules.arrivalNanos();
    }

    private boolean isAnyWaiting() {
        for (Processor each : all) {
            if (each.isWaiting()) {
                return true;
            }
        }
        return false;
    }

    /** The agent works, and no thread of the node may meanwhile. */
    void workForAgent(long nanos, long untilNanos) {
        all.forEach(each -> each.work(nanos, untilNanos, nowNanos()));
    }

    /** No thread has a processor any more. */
    void die() {
        waiting.clear();
        all.forEach(each -> each.free(ProcessorUse.IDLE, nowNanos()));
    }

    /** What the processors were used for until now. */
    public ProcessorReport report() {
        all.forEach(each -> each.charge(nowNanos()));
        int number = rules.isLimited() ? rules.processors() : all.size();
        ProcessorSums unused = new ProcessorSums();
        unused.charge(ProcessorUse.IDLE, (number - all.size()) * nowNanos());
        int threads = node.threads().size() + node.ownThreads().size();
        List<ProcessorTimes> times =
                IntStream.range(0, threads).mapToObj(i -> node.thread(i).sums().times()).toList();
        return new ProcessorReport(
                number, nowNanos(), ofNoThread.times().plus(unused.times()), times);
    }
}
