package io.muninn.sim;

import io.muninn.model.PageId;
import io.muninn.sim.machine.HandlerPolicy;
import io.muninn.sim.machine.SmpMachine;
import io.muninn.sim.processor.ProcessorReport;
import io.muninn.sim.processor.ProcessorRules;
import io.muninn.sim.processor.ProcessorSums;
import io.muninn.sim.processor.ProcessorTimes;
import io.muninn.sim.processor.ProcessorUse;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The processors of a simulated node, and the threads that wait for one, first come, first served.
 *
 * <p>A thread continues on the processor on which it ran last, if no other thread has had that
 * processor since. It does so without a switch, even if others became ready at the same moment. So
 * the thread of a node that was the last one to arrive at a barrier, or to fault, continues first.
 */
public final class Processors {
    private final SimNode node;
    private final ProcessorRules rules;
    private final List<Processor> all = new ArrayList<>(); // processors that have been used
    private final ArrayDeque<SimThread> waiting = new ArrayDeque<>();
    private final ProcessorSums ofNoThread = new ProcessorSums();

    Processors(SimNode node, ProcessorRules rules) {
        this.node = node;
        this.rules = rules;
        node.simulation().machine().ifPresent(this::addAll);
    }

    /** Adds a processor for each thread, and one that only handles events if there is one. */
    private void addAll(SmpMachine machine) {
        int threads = node.simulation().cluster().threads();
        for (int i = 0; i < threads; i++) {
            all.add(new Processor(i, ofNoThread, i));
        }
        if (machine.policy() == HandlerPolicy.DEDICATED) {
            all.add(new Processor(threads, ofNoThread, Processor.OF_NO_THREAD));
        }
    }

    private long nowNanos() {
        return node.simulation().nowNanos();
    }

    /**
     * Requests a processor for a thread.
     *
     * @return true if it has one now; false if it continues when it is given one
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
        // after all other actions of this moment
        node.simulation().at(nowNanos(), this::giveFreeOnes);
        return false;
    }

    /** Whether threads may have to wait for a processor. */
    public boolean areLimited() {
        return rules.isLimited();
    }

    /** Whether a ready thread waits for a processor. */
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
        Processor added = new Processor(all.size(), ofNoThread, Processor.OF_ANY_THREAD);
        all.add(added);
        long agentUntilNanos = node.work().processorFreeNanos();
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

    /** A thread begins to run on its processor. */
    void begin(SimThread thread, Processor processor) {
        processor.use(ProcessorUse.BUSY, nowNanos());
        thread.sums().countRun();
        node.simulation().onRun(thread, processor.index());
    }

    /** A thread stops: its processor is given to the next one, unless the thread keeps it. */
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

    /** True if the agent handles a thread's fault before another thread can run. */
    private boolean isAgentHere() {
        return node.simulation().delays().isProcessorShared();
    }

    /**
     * The agent has handled the faults on a page: threads that have to wait leave their processors.
     */
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
     * Interrupts a thread for the arrival of a message. A node whose threads share processors does
     * not spin for its messages: each arrival is a signal, even if no thread can run.
     *
     * @return for how long; 0 if a processor spins or is free, or none has been used
     */
    long interrupt() {
        boolean isAnyFree = rules.isLimited() && all.size() < rules.processors() || isAnyWaiting();
        if (isAnyFree && !isShared() || all.isEmpty()) {
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

    /** Whether a node has more threads of the program than processors. */
    private boolean isShared() {
        return rules.isLimited() && node.simulation().cluster().threads() > rules.processors();
    }

    private boolean isAnyWaiting() {
        for (Processor each : all) {
            if (each.isWaiting()) {
                return true;
            }
        }
        return false;
    }

    /** A processor that has been used, or has a thread of its own. */
    Processor at(int index) {
        return all.get(index);
    }

    /** The first of so many processors that runs no thread and no handler. */
    Optional<Processor> idle(int count) {
        return all.stream()
                .limit(count)
                .filter(each -> each.isWaiting() && each.workUntilNanos() <= nowNanos())
                .findFirst();
    }

    /** The processors that have this use now. */
    List<Processor> usedFor(ProcessorUse use) {
        return all.stream().filter(each -> each.isUsedFor(use)).toList();
    }

    /** Charges work of the agent, during which no thread of the node runs. */
    void workForAgent(long nanos, long untilNanos) {
        all.forEach(each -> each.work(nanos, untilNanos, nowNanos()));
    }

    /** Takes the processors from all threads. */
    void die() {
        waiting.clear();
        all.forEach(each -> each.free(ProcessorUse.IDLE, nowNanos()));
    }

    /** The use of the processors until now. */
    public ProcessorReport report() {
        all.forEach(each -> each.charge(nowNanos()));
        int number = rules.isLimited() ? rules.processors() : all.size();
        ProcessorSums unused = new ProcessorSums();
        unused.charge(ProcessorUse.IDLE, (number - all.size()) * nowNanos());
        List<ProcessorTimes> times =
                node.allThreads().map(thread -> thread.sums().times()).toList();
        return new ProcessorReport(
                number, nowNanos(), ofNoThread.times().plus(unused.times()), times);
    }
}
