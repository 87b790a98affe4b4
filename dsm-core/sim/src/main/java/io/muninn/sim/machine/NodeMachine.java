package io.muninn.sim.machine;

import java.util.ArrayList;
import java.util.List;

/** The hardware of one node: its buses, its network interface, and the caches of its processors. */
public final class NodeMachine {
    private final SmpModel model;
    private final int index;
    private final Server memoryBus;
    private final Server ioBus;
    private final Server networkInterface;
    private final List<ProcessorCaches> caches = new ArrayList<>();
    private long updates;
    private long updateBytes;

    NodeMachine(SmpModel model, int index, int processors) {
        this.model = model;
        this.index = index;
        long windowPicos = model.quantumCycles() * model.cyclePicos();
        memoryBus = new Server(windowPicos, processors);
        ioBus = new Server(windowPicos, processors);
        networkInterface = new Server(windowPicos, processors);
        for (int i = 0; i < processors; i++) {
            caches.add(new ProcessorCaches(model));
        }
        for (ProcessorCaches each : caches) {
            each.join(caches.stream().filter(other -> other != each).toList());
        }
    }

    int index() {
        return index;
    }

    public Server memoryBus() {
        return memoryBus;
    }

    public Server ioBus() {
        return ioBus;
    }

    public Server networkInterface() {
        return networkInterface;
    }

    /** The caches of a processor that runs a thread. */
    public ProcessorCaches caches(int processor) {
        return caches.get(processor);
    }

    /** A device or a handler has written to memory: no cache keeps a line of it. */
    public void invalidate(long address, long bytes) {
        caches.forEach(each -> each.invalidate(address, bytes));
    }

    void countUpdate(int bytes) {
        updates++;
        updateBytes += bytes;
    }

    /** Copies memory over the memory bus. Returns how long this takes. */
    long copyPicos(long nowPicos, int bytes) {
        int lineBytes = model.caches().lineBytes();
        long linePicos = model.memoryBus().transferPicos(lineBytes);
        long service = 2 * linePicos * Math.ceilDiv(bytes, lineBytes); // read, written
        return memoryBus.book(nowPicos, service) - nowPicos;
    }

    /** What was counted so far. */
    public NodeCounts counts() {
        return new NodeCounts(
                caches.stream().map(ProcessorCaches::counts).toList(),
                NodeCounts.Use.of(memoryBus),
                NodeCounts.Use.of(ioBus),
                NodeCounts.Use.of(networkInterface),
                updates,
                updateBytes);
    }
}
