package io.muninn.verify.check;

import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.spi.ReadAheadRules;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * If a node accesses a region page by page from its first fault on, the page after the fault is
 * requested ahead as soon as the run's rules require it. If read-ahead is off, no fault requests
 * other pages.
 */
final class AheadRequests implements Checker {
    static final String NAME = "ahead requests";

    private static final String ABSENT = "Absent";
    private static final int ENDED = -1;

    /** The first faults of a node in a region. */
    private static final class Stream {
        int faults;
        int last; // page, or ENDED
        boolean isDue; // the present step must request the next page
    }

    private final ClusterView overview;
    private final Map<Integer, Stream> streams = new TreeMap<>(); // by region and node
    private ReadAheadRules rules = ReadAheadRules.OFF;

    AheadRequests(ClusterView overview) {
        this.overview = overview;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        rules = simulation.cluster().updates().readAhead();
    }

    @Override
    public void beforeStep(SimNode node, Event event) {
        if (!rules.isOn() || !(event instanceof Event.FaultRaised fault) || !isAhead(fault)) {
            return;
        }
        Stream stream = of(node, fault.page());
        boolean isNext = stream.faults == 0 || fault.page().index() == stream.last + 1;
        if (stream.last == ENDED || !isNext || !isAbsent(node, fault.page())) {
            stream.last = ENDED;
            return;
        }
        stream.faults++;
        stream.last = fault.page().index();
        PageId next = fault.page().plus(1);
        stream.isDue =
                stream.faults == rules.startAfter()
                        && next.index() < overview.region(next).pages()
                        && isAbsent(node, next)
                        && overview.isWhole();
    }

    private boolean isAhead(Event.FaultRaised fault) {
        boolean isForbidden = fault.kind().isStore() && overview.protocol(fault.page()).isSealed();
        return overview.traits(fault.page()).has(Trait.READS_AHEAD) && !isForbidden;
    }

    private static boolean isAbsent(SimNode node, PageId page) {
        return node.snapshot(page).state().equals(ABSENT);
    }

    private Stream of(SimNode node, PageId page) {
        int key = page.region() * overview.nodes() + node.id().index();
        return streams.computeIfAbsent(key, _ -> new Stream());
    }

    @Override
    public void onStepped(SimNode node, Event event, List<Effect> effects) {
        if (!rules.isOn()) {
            if (event instanceof Event.FaultRaised fault) {
                checkOff(node, fault.page(), effects);
            }
        } else if (event instanceof Event.FaultRaised fault && isAhead(fault)) {
            Stream stream = of(node, fault.page());
            if (stream.isDue && !asks(effects, fault.page().plus(1))) {
                throw violation(
                        node.describe(fault.page())
                                + " is the next of "
                                + stream.faults
                                + " pages in order, and the one behind it is not asked for");
            }
            stream.isDue = false;
        }
    }

    private void checkOff(SimNode node, PageId fault, List<Effect> effects) {
        for (Effect effect : effects) {
            if (effect instanceof Effect.Send(NodeId _, ProtocolMessage.Request message)
                    && message.pages().stream().anyMatch(page -> !page.equals(fault))) {
                throw violation("node " + node.id() + " asks ahead, which is off: " + message);
            }
        }
    }

    private static boolean asks(List<Effect> effects, PageId page) {
        return effects.stream()
                .anyMatch(effect ->
                        effect instanceof Effect.Send(NodeId _, ProtocolMessage.Request message)
                                && message.pages().contains(page));
    }
}
