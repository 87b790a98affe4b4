package io.muninn.bench.paper;

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
        double receiveSeconds) {}
