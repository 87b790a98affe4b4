package io.muninn.agent;

import io.muninn.client.ControlMemory;
import io.muninn.metrics.NodeReport;
import io.muninn.model.NodeId;
import io.muninn.node.RegionCounts;
import io.muninn.node.port.Tracer;
import io.muninn.protocol.Counter;
import io.muninn.transport.TransportCounters;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts in the memory shared with the application, so that a program reads them for nothing. */
final class LiveTracer implements Tracer {
    private final ControlMemory control;

    LiveTracer(ControlMemory control) {
        this.control = control;
    }

    @Override
    public void count(Counter counter, long amount) {
        control.add(counter, amount);
    }

    /** Brings the counts of the transport up to date. */
    void update(TransportCounters transport) {
        TransportCounters.Sent total = transport.total();
        control.set(Counter.MESSAGES, total.messages());
        control.set(Counter.BYTES, total.bytes());
    }

    /** What may be read at any time, by any thread. */
    long value(Counter counter) {
        return control.counter(counter);
    }

    NodeReport report(
            NodeId self,
            NodeReport.Engine engine,
            TransportCounters transport,
            List<RegionCounts> regions) {
        update(transport);
        long[] counters = new long[Counter.values().length];
        for (Counter counter : Counter.values()) {
            counters[counter.code()] = control.counter(counter);
        }
        Map<String, NodeReport.Traffic> kinds = new TreeMap<>();
        transport
                .byKind()
                .forEach((kind, sent) ->
                        kinds.put(kind, new NodeReport.Traffic(sent.messages(), sent.bytes())));
        return new NodeReport(self.index(), engine, counters, kinds, regions);
    }
}
