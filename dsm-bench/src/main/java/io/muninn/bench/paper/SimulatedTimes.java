package io.muninn.bench.paper;

import io.muninn.sim.processor.ProcessorTimes;
import java.util.List;

/**
 * What a simulated run took, between the moment at which the root has initialized and the one at
 * which all threads have run; summed over the nodes, in virtual time.
 *
 * @param seconds the parallel part, as the root sees it
 * @param messages of ours
 * @param packets of the network, into which they are cut
 * @param bytes of messages, frames included
 * @param faults read and write faults
 * @param faultSeconds time at pages
 * @param lockSeconds time waiting for locks
 * @param signalSeconds time waiting for signals
 * @param callSeconds time waiting for shipped objects
 * @param barrierSeconds time waiting at barriers
 * @param receiveSeconds time waiting for letters
 * @param sharing what pages cost
 * @param hiding what the time of processors went to, and what prefetches did
 * @param clustering what each processor did, and what stayed inside nodes
 */
record SimulatedTimes(
        double seconds,
        long messages,
        long packets,
        long bytes,
        long faults,
        double faultSeconds,
        double lockSeconds,
        double signalSeconds,
        double callSeconds,
        double barrierSeconds,
        double receiveSeconds,
        Sharing sharing,
        Hiding hiding,
        Clustering clustering) {
    /**
     * Counts of lazy pages, summed over the nodes.
     *
     * @param invalidations copies that notices ended
     * @param misses stops of threads for which their node asked another
     * @param laterMisses those of them after the first time step that is counted, of loops
     * @param diffs made, and not empty
     * @param pushes pages that came unasked
     * @param pushesWasted pages of which pushed diffs were dropped
     * @param barrierMessages arrivals at barriers and departures
     * @param pushMessages messages of pushed diffs
     * @param lockMessages requests for locks and their grants
     */
    record Sharing(
            long invalidations,
            long misses,
            long laterMisses,
            long diffs,
            long pushes,
            long pushesWasted,
            long barrierMessages,
            long pushMessages,
            long lockMessages) {
        static final Sharing NONE = new Sharing(0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /**
     * How latency was hidden, summed over the nodes.
     *
     * @param times of all processors
     * @param barriers passes of nodes through barriers of the program
     * @param faults what threads found that stopped at pages
     * @param prefetches pages that the program asked for
     * @param unnecessary of these, pages that were here or under way
     * @param dropped of these, pages for which the network was too busy
     */
    record Hiding(
            ProcessorTimes times,
            long barriers,
            FaultFates.Counts faults,
            long prefetches,
            long unnecessary,
            long dropped) {
        static final Hiding NONE =
                new Hiding(ProcessorTimes.NONE, 0, FaultFates.Counts.NONE, 0, 0, 0);
    }

    /**
     * How nodes of several processors shared, summed over the nodes.
     *
     * @param threads times of each thread of the program, in order
     * @param fetches pages that came from other nodes
     * @param localLocks acquires of locks without a message
     * @param remoteLocks acquires that brought the lock from another node
     */
    record Clustering(
            List<ProcessorTimes> threads, long fetches, long localLocks, long remoteLocks) {
        static final Clustering NONE = new Clustering(List.of(), 0, 0, 0);

        Clustering {
            threads = List.copyOf(threads);
        }
    }
}
