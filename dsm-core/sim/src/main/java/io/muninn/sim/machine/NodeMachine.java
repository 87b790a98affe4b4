package io.muninn.sim.machine;

import java.util.ArrayList;
import java.util.List;

/** The hardware of one node: its buses, its network interface, and the caches of its processors. */
public final class NodeMachine {
    private final SmpModel model;
    private final int index;
    private final long windowPicos;
    private final Server memoryBus;
    private final Server ioBus;
    private final Server networkInterface;
    private final List<ProcessorCaches> caches = new ArrayList<>();
    private long updates;
    private long updateBytes;

    NodeMachine(SmpModel model, int index, int processors) {
        this.model = model;
        this.index = index;
        windowPicos = model.quantumCycles() * model.cyclePicos();
        memoryBus = new Server(windowPicos, processors + 1); // and copies of handlers
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

    /**
     * A handler copies memory: it reads and writes a line after the other. Books the memory bus
     * window by window, so that processors use it meanwhile.
     *
     * @return how long the copy takes
     */
    long copyPicos(Clock clock, int bytes) {
        int lineBytes = model.caches().lineBytes();
        int lines = Math.ceilDiv(bytes, lineBytes);
        long linePicos = model.memoryBus().transferPicos(lineBytes);
        long copyPicos = lines * (model.memoryCycles() * model.cyclePicos() + linePicos);
        long busPicos = 2L * lines * linePicos;
        long beginPicos = clock.nowPicos();
        for (long from = 0; from < copyPicos; from += windowPicos) {
            long part = Math.min(windowPicos, copyPicos - from);
            long fromPicos = beginPicos + from;
            clock.at(
                    fromPicos,
                    () ->
                            memoryBus.bookSpread(
                                    caches.size(),
                                    fromPicos,
                                    fromPicos + part,
                                    busPicos * part / copyPicos));
        }
        return copyPicos;
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
