package io.muninn.sim.machine;

/**
 * A bus of a node.
 *
 * @param widthBytes that it carries in one of its cycles
 * @param cyclePicos length of one of its cycles
 * @param arbitrationCycles before each transfer
 */
public record BusShape(int widthBytes, long cyclePicos, int arbitrationCycles) {
    public BusShape {
        if (widthBytes < 1 || cyclePicos < 1 || arbitrationCycles < 0) {
            throw new IllegalArgumentException(
                    "a bus of "
                            + widthBytes
                            + " bytes, "
                            + cyclePicos
                            + " ps a cycle and "
                            + arbitrationCycles
                            + " cycles of arbitration");
        }
    }

    /** How long a transfer occupies the bus. */
    public long transferPicos(int bytes) {
        return cyclePicos * (arbitrationCycles + Math.ceilDiv(bytes, widthBytes));
    }
}
