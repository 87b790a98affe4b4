package io.muninn.sim.machine;

import java.util.List;

/**
 * The costs of nodes with several processors, read from {@code smp-models.txt}.
 *
 * @param name of the model
 * @param cyclePicos length of a processor's cycle
 * @param quantumCycles for which a thread computes before it books its use of the memory bus
 * @param workCycles of a unit that a program charges by {@code node.work}
 * @param memoryCycles of an access that misses all caches, on an empty bus
 * @param holdNanos how long a page just obtained is kept from other nodes
 * @param flushNanos how long stores stay unflushed after a release inside a node
 */
public record SmpModel(
        String name,
        long cyclePicos,
        int quantumCycles,
        int workCycles,
        int memoryCycles,
        CacheShape caches,
        BusShape memoryBus,
        BusShape ioBus,
        InterfaceCosts network,
        HandlerCosts handlers,
        long holdNanos,
        long flushNanos) {
    /** Picoseconds in a nanosecond. */
    public static final long NANO = 1000;

    /** The names of all models, in the order of the file. */
    public static List<String> names() {
        return ModelFile.read().names();
    }

    /**
     * Reads a model.
     *
     * @throws IllegalArgumentException if there is none of this name
     */
    public static SmpModel named(String name) {
        ModelFile.Values values = ModelFile.read().model(name);
        long cyclePicos = values.take("cycle-picos");
        SmpModel model =
                new SmpModel(
                        name,
                        cyclePicos,
                        values.takeInt("quantum-cycles"),
                        values.takeInt("work-cycles"),
                        values.takeInt("memory-cycles"),
                        new CacheShape(
                                values.takeInt("l1-bytes"),
                                values.takeInt("l2-bytes"),
                                values.takeInt("l2-ways"),
                                values.takeInt("line-bytes"),
                                values.takeInt("write-buffer-lines"),
                                values.takeInt("write-buffer-retires-at"),
                                values.takeInt("l2-hit-cycles")),
                        bus("memory-bus", cyclePicos, values),
                        bus("io-bus", cyclePicos, values),
                        new InterfaceCosts(
                                values.takeInt("packet-bytes"),
                                values.takeInt("packet-cycles"),
                                values.takeInt("packet-latency-cycles"),
                                values.takeInt("update-cycles"),
                                values.takeInt("ni-queue-bytes"),
                                values.takeInt("link-bytes")),
                        handlers(values),
                        values.take("hold-nanos"),
                        values.take("flush-nanos"));
        values.checkEmpty();
        return model;
    }

    private static BusShape bus(String which, long cyclePicos, ModelFile.Values values) {
        return new BusShape(
                values.takeInt(which + "-bytes"),
                cyclePicos * values.takeInt(which + "-cycles"),
                values.takeInt(which + "-arbitration"));
    }

    private static HandlerCosts handlers(ModelFile.Values values) {
        return new HandlerCosts(
                values.takeInt("handler-cycles"),
                values.takeInt("fault-cycles"),
                values.takeInt("call-cycles"),
                values.takeInt("interrupt-cycles"),
                values.takeInt("invoke-cycles"),
                values.takeInt("tlb-cycles"),
                values.takeInt("compare-cycles"),
                values.takeInt("changed-cycles"),
                values.takeInt("send-cycles"),
                values.takeInt("local-lock-cycles"));
    }

    /** Returns this model with caches of these sizes in bytes. */
    public SmpModel withCacheBytes(int firstBytes, int secondBytes) {
        return new SmpModel(
                name,
                cyclePicos,
                quantumCycles,
                workCycles,
                memoryCycles,
                caches.withBytes(firstBytes, secondBytes),
                memoryBus,
                ioBus,
                network,
                handlers,
                holdNanos,
                flushNanos);
    }

    /** A time in nanoseconds, rounded down. */
    public long nanos(long cycles) {
        return cycles * cyclePicos / NANO;
    }
}
