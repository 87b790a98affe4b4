package io.muninn.sim.delay;

/**
 * A wire that carries the messages of all nodes, cut into packets.
 *
 * @param packetBytes largest number of bytes of a message in one packet, at least 1
 * @param headerBytes further bytes of each packet, gaps between packets included
 * @param packetNanos a processor's work for each packet, on either side
 * @param interfaceNanos for which each packet occupies a network interface, on either side
 */
public record SharedWire(int packetBytes, int headerBytes, long packetNanos, long interfaceNanos) {
    /** A wire behind interfaces that delay no message. */
    public SharedWire(int packetBytes, int headerBytes, long packetNanos) {
        this(packetBytes, headerBytes, packetNanos, 0);
    }

    public SharedWire {
        if (packetBytes < 1 || headerBytes < 0 || packetNanos < 0 || interfaceNanos < 0) {
            throw new IllegalArgumentException(
                    "packets of "
                            + packetBytes
                            + " bytes with "
                            + headerBytes
                            + " more, of "
                            + packetNanos
                            + " ns of work and "
                            + interfaceNanos
                            + " ns at an interface each");
        }
    }

    /** The number of packets of a message, at least one. */
    public int packets(int messageBytes) {
        return Math.max(1, Math.ceilDiv(messageBytes, packetBytes));
    }
}
