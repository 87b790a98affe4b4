package io.muninn.agent;

import io.muninn.ipc.ControlMemory;
import io.muninn.kernel.RegionCounts;
import io.muninn.kernel.port.Tracer;
import io.muninn.model.NodeId;
import io.muninn.report.NodeReport;
import io.muninn.spi.NodeCounter;
import io.muninn.transport.stream.TransportCounters;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Keeps counters in memory that the application maps, too: a program reads them without a call. */
public final class LiveTracer implements Tracer {
    private final ControlMemory control;

    public LiveTracer(ControlMemory control) {
        this.control = control;
    }

    @Override
    public void count(NodeCounter counter, long amount) {
        control.add(counter, amount);
    }

    /** Copies the transport's counts of messages and bytes. */
    void update(TransportCounters transport) {
        TransportCounters.Sent total = transport.total();
        control.set(NodeCounter.MESSAGES, total.messages());
        control.set(NodeCounter.BYTES, total.bytes());
    }

    /** Copies the transport's counts of links that broke. */
    void updateLinks(TransportCounters transport) {
        TransportCounters.Sent again = transport.sentAgain();
        control.set(NodeCounter.LINKS_HEALED, transport.linksHealed());
        control.set(NodeCounter.FRAMES_AGAIN, again.messages());
        control.set(NodeCounter.BYTES_AGAIN, again.bytes());
    }

    /** Returns a counter. Any thread may call this, at any time. */
    public long value(NodeCounter counter) {
        return control.counter(counter);
    }

    NodeReport report(
            NodeId self,
            NodeReport.Engine engine,
            NodeReport.Pids pids,
            TransportCounters transport,
            List<RegionCounts> regions) {
        update(transport);
        long[] counters = new long[NodeCounter.values().length];
        for (NodeCounter counter : NodeCounter.values()) {
            counters[counter.code()] = control.counter(counter);
        }
        Map<String, NodeReport.Traffic> kinds = new TreeMap<>();
        transport
                .byKind()
                .forEach((kind, sent) ->
                        kinds.put(kind, new NodeReport.Traffic(sent.messages(), sent.bytes())));
        return new NodeReport(self.index(), engine, pids, counters, kinds, regions);
    }
}
