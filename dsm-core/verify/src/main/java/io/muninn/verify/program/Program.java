package io.muninn.verify.program;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.sim.processor.ProcessorRules;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.UpdateRules;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A program for a cluster: regions, the root's stores before it is sealed, and the operations of
 * every thread.
 *
 * @param threads application threads per node
 * @param processes of each node, between which its threads are divided
 * @param hosts between which consecutive nodes are divided
 * @param holdNanos how long a node keeps a page that it has just obtained
 * @param updates how updates are sent, and how long an unused copy is kept
 * @param twins when a write-shared page keeps its twin
 * @param processors the processors of each node
 * @param initializers number of threads of the root that initialize, from the first on
 * @param initial stores of the root during initialization
 * @param scripts operations by position of the thread in the cluster
 */
public record Program(
        int nodes,
        int threads,
        int processes,
        int hosts,
        long holdNanos,
        UpdateRules updates,
        AdaptiveTwinRules twins,
        ProcessorRules processors,
        List<RegionSpec> regions,
        int initializers,
        List<Op.Store> initial,
        List<List<Step>> scripts) {
    /**
     * An operation and its unit. The operations of a section, a barrier, a call, or a letter and
     * its receipt, are one unit.
     *
     * @param unit number of the unit, which a shrinker removes as a whole
     */
    public record Step(int unit, Op op) {}

    public Program {
        regions = List.copyOf(regions);
        initial = List.copyOf(initial);
        scripts = scripts.stream().map(List::copyOf).toList();
        if (scripts.size() != nodes * threads) {
            throw new IllegalArgumentException(
                    scripts.size() + " scripts for " + nodes + " nodes of " + threads);
        }
    }

    /**
     * Creates a program with {@linkplain UpdateRules#PLAIN plain} updates, default twins, a
     * processor for each thread, and one thread that initializes.
     */
    public Program(
            int nodes,
            int threads,
            long holdNanos,
            List<RegionSpec> regions,
            List<Op.Store> initial,
            List<List<Step>> scripts) {
        this(
                nodes,
                threads,
                1,
                1,
                holdNanos,
                UpdateRules.PLAIN,
                AdaptiveTwinRules.DEFAULT,
                ProcessorRules.ONE_EACH,
                regions,
                1,
                initial,
                scripts);
    }

    /** Returns this program with this hold time. */
    Program withHold(long nanos) {
        return with(nanos, regions, updates, twins, processors, initializers, initial, scripts);
    }

    /** Returns this program with these rules of updates. */
    public Program withUpdates(UpdateRules rules) {
        return with(rules, twins, processors, initializers, initial, scripts);
    }

    /** Returns this program with these rules of twins. */
    public Program withTwins(AdaptiveTwinRules rules) {
        return with(updates, rules, processors, initializers, initial, scripts);
    }

    /** Returns this program for nodes with these processors. */
    public Program withProcessors(ProcessorRules rules) {
        return with(updates, twins, rules, initializers, initial, scripts);
    }

    /** Returns this program, initialized by this many threads of the root. */
    public Program withInitializers(int count) {
        return with(updates, twins, processors, count, initial, scripts);
    }

    /**
     * Returns this program for nodes of several processes. Its letters and its shipped objects name
     * processes: process k of node n by n * {@code count} + k.
     *
     * @param count divides the number of threads
     */
    Program withProcesses(int count) {
        return new Program(
                nodes,
                threads,
                count,
                hosts,
                holdNanos,
                updates.forProcesses(count),
                twins,
                processors,
                regions,
                initializers,
                initial,
                scripts);
    }

    /**
     * Returns this program for nodes on this many hosts.
     *
     * @param count at most the number of nodes
     */
    Program withHosts(int count) {
        return new Program(
                nodes,
                threads,
                processes,
                count,
                holdNanos,
                updates,
                twins,
                processors,
                regions,
                initializers,
                initial,
                scripts);
    }

    /** Returns this program with these protocols, one for each region. */
    Program withProtocols(List<Protocol> protocols) {
        List<RegionSpec> others = new ArrayList<>();
        for (RegionSpec region : regions) {
            others.add(region.withProtocol(protocols.get(region.index())));
        }
        return with(holdNanos, others, updates, twins, processors, initializers, initial, scripts);
    }

    private Program with(
            UpdateRules otherUpdates,
            AdaptiveTwinRules otherTwins,
            ProcessorRules otherProcessors,
            int otherInitializers,
            List<Op.Store> otherInitial,
            List<List<Step>> otherScripts) {
        return with(
                holdNanos,
                regions,
                otherUpdates,
                otherTwins,
                otherProcessors,
                otherInitializers,
                otherInitial,
                otherScripts);
    }

    private Program with(
            long otherHoldNanos,
            List<RegionSpec> otherRegions,
            UpdateRules otherUpdates,
            AdaptiveTwinRules otherTwins,
            ProcessorRules otherProcessors,
            int otherInitializers,
            List<Op.Store> otherInitial,
            List<List<Step>> otherScripts) {
        return new Program(
                nodes,
                threads,
                processes,
                hosts,
                otherHoldNanos,
                otherUpdates,
                otherTwins,
                otherProcessors,
                otherRegions,
                otherInitializers,
                otherInitial,
                otherScripts);
    }

    /** The number of loads and stores of all threads, without the root's initialization. */
    public int sharedOperations() {
        return (int)
                scripts.stream()
                        .flatMap(List::stream)
                        .filter(step ->
                                step.op() instanceof Op.Load || step.op() instanceof Op.Store)
                        .count();
    }

    /** The number of operations of all threads, without the root's initialization. */
    public int operations() {
        return scripts.stream().mapToInt(List::size).sum();
    }

    /** The total time of all {@link Op.Work}. */
    public long workNanos() {
        return scripts.stream()
                .flatMap(List::stream)
                .mapToLong(step -> step.op() instanceof Op.Work(long nanos) ? nanos : 0)
                .sum();
    }

    /** The total length of all letters. */
    public long letterBytes() {
        return scripts.stream()
                .flatMap(List::stream)
                .mapToLong(step -> step.op() instanceof Op.Send letter ? letter.bytes() : 0)
                .sum();
    }

    /** The sum of the limits of all waits that may time out. */
    public long timeoutNanos() {
        return scripts.stream().flatMap(List::stream).mapToLong(Program::timeoutNanos).sum();
    }

    private static long timeoutNanos(Step step) {
        return switch (step.op()) {
            case Op.Await await -> Math.max(0, await.timeoutNanos());
            case Op.Receive receive -> Math.max(0, receive.timeoutNanos());
            case Op.RemoteUntil until -> Math.max(0, until.timeoutNanos());
            default -> 0;
        };
    }

    /** All units, in order. */
    public List<Integer> units() {
        TreeSet<Integer> units = new TreeSet<>();
        scripts.forEach(script -> script.forEach(step -> units.add(step.unit())));
        return List.copyOf(units);
    }

    /** Returns this program with these units only, and all declarations of shipped objects. */
    public Program keep(Collection<Integer> units) {
        List<List<Step>> kept = new ArrayList<>();
        for (List<Step> script : scripts) {
            kept.add(
                    script.stream()
                            .filter(step ->
                                    units.contains(step.unit()) || step.op() instanceof Op.Declare)
                            .toList());
        }
        return withScripts(kept);
    }

    /**
     * Returns this program with every load, store and pause as a unit of its own, except stores to
     * an element that a thread awaits.
     */
    public Program split() {
        Set<Variable> awaited = awaited();
        int last = units().isEmpty() ? 0 : units().getLast();
        List<List<Step>> split = new ArrayList<>();
        for (List<Step> script : scripts) {
            List<Step> steps = new ArrayList<>();
            for (Step step : script) {
                boolean alone =
                        switch (step.op()) {
                            case Op.Store(Variable variable, long _) -> !awaited.contains(variable);
                            case Op.Load _, Op.Work _, Op.Interrupt _ -> true;
                            case Op.Refresh _, Op.Prefetch _, Op.Advise _ -> true;
                            case Op.RemoteFence _, Op.RemoteLoad _ -> true;
                            case Op.Acquire _,
                                    Op.Release _,
                                    Op.Await _,
                                    Op.Gather _,
                                    Op.AwaitCondition _,
                                    Op.Signal _,
                                    Op.Send _,
                                    Op.Shipping _,
                                    Op.Permitting _,
                                    Op.Remote _,
                                    Op.Receive _ ->
                                    false;
                        };
                steps.add(alone ? new Step(++last, step.op()) : step);
            }
            split.add(steps);
        }
        return withScripts(split);
    }

    /** Returns this program with these scripts. */
    Program withScripts(List<List<Step>> others) {
        return with(updates, twins, processors, initializers, initial, others);
    }

    private Set<Variable> awaited() {
        Set<Variable> awaited = new LinkedHashSet<>();
        for (List<Step> script : scripts) {
            for (Step step : script) {
                if (step.op() instanceof Op.AwaitCondition await) {
                    awaited.add(await.flag());
                }
            }
        }
        return awaited;
    }

    /** Returns this program with these initial stores. */
    public Program withInitial(List<Op.Store> stores) {
        return with(updates, twins, processors, initializers, stores, scripts);
    }

    /**
     * Describes the program: a line for each rule, region and operation, thread by thread. {@link
     * ProgramText} reads it.
     */
    public String toText() {
        return ProgramText.format(this);
    }
}
