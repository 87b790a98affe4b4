package io.muninn.sim.delay;

import io.muninn.sim.machine.SmpModel;

/**
 * The costs of operations on simulated machines, in nanoseconds and picoseconds of virtual time.
 *
 * @param latencyNanos delay of the shortest message between two nodes
 * @param bytePicos per byte of a message on a link; a link carries one message at a time
 * @param messageNanos an agent's work for a message, on either side
 * @param stepNanos an agent's work for any event
 * @param pageBytePicos per byte of a page that is compared, copied or installed
 * @param trapNanos from a thread's stop at a page to its agent's event
 * @param wakeNanos from a resume to the thread's next instruction
 * @param callNanos from an application's call to its agent's event, and back
 * @param workPicos per unit that a program charges by {@code node.work}
 * @param accessPicos per checked load or store of an application
 */
public record MachineModel(
        long latencyNanos,
        long bytePicos,
        long messageNanos,
        long stepNanos,
        long pageBytePicos,
        long trapNanos,
        long wakeNanos,
        long callNanos,
        long workPicos,
        long accessPicos) {
    /** Processes of one current machine, over its loopback: round trips of 20 µs. */
    public static final MachineModel LOOPBACK =
            new MachineModel(8_000, 200, 1_500, 500, 50, 5_000, 5_000, 5_000, 500, 500);

    /** Current machines in one rack: 10 Gbit/s and 15 µs each way. */
    public static final MachineModel RACK =
            new MachineModel(15_000, 800, 1_500, 500, 50, 5_000, 5_000, 5_000, 500, 500);

    /**
     * SUN-3/60 workstations on a 10 Mbit/s Ethernet: a millisecond for a short message, some 1.5
     * million simple operations a second. Source: Munin §6.1.
     */
    public static final MachineModel ETHERNET_1991 =
            new MachineModel(
                    500_000, 800_000, 700_000, 50_000, 60_000, 300_000, 100_000, 200_000, 2_000_000,
                    600_000);

    /**
     * The costs of threads on nodes with several processors: an access takes a cycle, and caches
     * add to it. Other costs are in the model of the hardware.
     */
    public static MachineModel of(SmpModel smp) {
        long bytePicos = smp.ioBus().cyclePicos() / smp.ioBus().widthBytes();
        return new MachineModel(
                smp.nanos(2L * smp.network().packetCycles()),
                bytePicos,
                0,
                smp.nanos(smp.handlers().eventCycles()),
                0,
                smp.nanos(smp.handlers().faultCycles()),
                smp.nanos(smp.handlers().faultCycles()),
                smp.nanos(smp.handlers().callCycles()),
                smp.workCycles() * smp.cyclePicos(),
                smp.cyclePicos());
    }

    /** Returns this model with another cost of a unit of a program's work. */
    public MachineModel withWorkPicos(long picos) {
        return new MachineModel(
                latencyNanos,
                bytePicos,
                messageNanos,
                stepNanos,
                pageBytePicos,
                trapNanos,
                wakeNanos,
                callNanos,
                picos,
                accessPicos);
    }

    /** Returns this model with another cost of a checked load or store. */
    public MachineModel withAccessPicos(long picos) {
        return new MachineModel(
                latencyNanos,
                bytePicos,
                messageNanos,
                stepNanos,
                pageBytePicos,
                trapNanos,
                wakeNanos,
                callNanos,
                workPicos,
                picos);
    }

    /** The work on this many bytes, in nanoseconds. */
    static long nanos(long bytes, long picosEach) {
        return bytes * picosEach / 1000;
    }
}
