package io.muninn.model;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The application threads of a node, numbered over its processes: first those of the program,
 * process by process, and then the threads that processes start for shipped objects.
 *
 * <p>To a program each process is a node: process k of node n is its node n * {@code processes} +
 * k.
 *
 * @param processes of the node, 1 to {@link MappingId#PROCESSES_MAX}
 * @param perProcess threads of the program in each process, at least 1
 */
public record NodeThreads(int processes, int perProcess) {
    public NodeThreads {
        if (processes < 1 || processes > MappingId.PROCESSES_MAX) {
            throw new IllegalArgumentException(
                    processes + " processes; a node has 1 to " + MappingId.PROCESSES_MAX);
        }
    }

    /** Threads of the program on the node. */
    public int count() {
        return processes * perProcess;
    }

    /** The number of the first thread of a process. */
    public int first(int process) {
        return process * perProcess;
    }

    /**
     * The number of a thread that a process starts itself.
     *
     * @param index 0 for the first of them in this process
     */
    public int further(int process, int index) {
        return count() + index * processes + process;
    }

    /** The process of a thread. */
    public MappingId processOf(int thread) {
        return MappingId.of(
                thread < count() ? thread / perProcess : (thread - count()) % processes);
    }

    /** The name of every process of the node, in effects: that of the only one, if it is one. */
    public MappingId every() {
        return processes == 1 ? MappingId.FIRST : MappingId.ALL;
    }

    /** Every process, in order. */
    public List<MappingId> allProcesses() {
        return IntStream.range(0, processes).mapToObj(MappingId::of).toList();
    }

    /** Every process, if there are several; otherwise none. */
    public List<MappingId> siblings() {
        return processes > 1 ? allProcesses() : List.of();
    }

    /** The number by which programs know a process of a node. */
    public NodeId seen(NodeId node, MappingId process) {
        return NodeId.of(node.index() * processes + process.index());
    }

    /** The node of a process that a program names. */
    public NodeId nodeOf(NodeId seen) {
        return processes == 1 ? seen : NodeId.of(seen.index() / processes);
    }

    /** The process that a program names, in its node. */
    public MappingId processOf(NodeId seen) {
        return MappingId.of(seen.index() % processes);
    }
}
