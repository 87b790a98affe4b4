package io.muninn.sim.machine;

/**
 * The network interface of each node, and the links.
 *
 * @param packetBytes largest packet
 * @param packetCycles for which each packet occupies the interface, on either side
 * @param latencyCycles of each packet in the interface beyond that, on either side
 * @param updateCycles for which a packet of automatic updates occupies the interface, on either
 *     side
 * @param queueBytes of messages that wait to be sent, before a sender waits
 * @param linkBytes that a link carries in a processor's cycle
 */
public record InterfaceCosts(
        int packetBytes,
        int packetCycles,
        int latencyCycles,
        int updateCycles,
        int queueBytes,
        int linkBytes) {
    public InterfaceCosts {
        if (packetBytes < 1
                || packetCycles < 0
                || latencyCycles < 0
                || queueBytes < packetBytes
                || linkBytes < 1) {
            throw new IllegalArgumentException(
                    "packets of "
                            + packetBytes
                            + " bytes and "
                            + packetCycles
                            + " and "
                            + latencyCycles
                            + " cycles, a queue of "
                            + queueBytes
                            + " and links of "
                            + linkBytes
                            + " bytes");
        }
    }
}
