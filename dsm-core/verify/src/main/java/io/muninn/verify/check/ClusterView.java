package io.muninn.verify.check;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.ProtocolKind;
import io.muninn.directory.Copyset;
import io.muninn.directory.PageSnapshot;
import io.muninn.model.BarrierId;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.sim.Observer;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimPages;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.ProtocolTraits;
import io.muninn.spi.TimerId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The state of the whole cluster that the checkers of one run share: the pages that the last step
 * touched, and the messages about a page that are in transit. Checks nothing itself.
 *
 * <p><b>Order.</b> It is notified before the checkers that use it.
 */
public final class ClusterView implements Observer {
    /**
     * A message about a page that was sent and not yet stepped: it is on its link, or waits at its
     * agent.
     */
    public record Sent(int from, int to, ProtocolMessage message) {}

    /** Cached snapshots of a page, by node; valid while the version of the node does not change. */
    private static final class Known {
        final long[] versions; // 0 for nodes without a snapshot
        final @Nullable PageSnapshot[] snapshots;
        final ProtocolTraits.@Nullable State[] contracts;
        long touchedAt; // the last step that touched the page

        Known(int nodes) {
            versions = new long[nodes];
            snapshots = new PageSnapshot[nodes];
            contracts = new ProtocolTraits.State[nodes];
        }
    }

    private @Nullable Simulation simulation; // null until the run starts
    private final PerPage<List<Sent>> underway = new PerPage<>(_ -> new ArrayList<>());
    private final PerPage<Known> known = new PerPage<>(_ -> new Known(nodes()));
    private final List<PageId> touched = new ArrayList<>();
    private final Map<BarrierId, int[]> departing = new LinkedHashMap<>(); // of all threads
    private long[] versions = {}; // by node: counts steps that may have changed its pages, from 1
    private long steps;
    private boolean isFalling;
    private boolean barrierFell;

    @Override
    public void onStart(Simulation started) {
        simulation = started;
        versions = new long[started.cluster().nodes()];
        Arrays.fill(versions, 1);
    }

    Simulation simulation() {
        return Objects.requireNonNull(simulation);
    }

    public SimNode node(int index) {
        return simulation().nodes().get(index);
    }

    public int nodes() {
        return versions.length;
    }

    /** True until a node is lost; after that most promises no longer hold. */
    public boolean isWhole() {
        return simulation().lost().isEmpty();
    }

    RegionSpec region(PageId page) {
        return node(0).pages().spec(page.region());
    }

    public Protocol protocol(PageId page) {
        return region(page).protocol();
    }

    /** The protocol, or variant of a protocol, of a page. */
    ProtocolKind kind(PageId page) {
        return node(0).kind(page);
    }

    /** The traits of a page's protocol. */
    public ProtocolTraits traits(PageId page) {
        return kind(page).traits();
    }

    /** The contract of the state that a page has on a node after the last step. */
    public ProtocolTraits.State contract(int node, PageId page) {
        Known of = known(node, page);
        ProtocolTraits.State contract = of.contracts[node];
        if (contract == null) {
            contract = traits(page).state(Objects.requireNonNull(of.snapshots[node]).state());
            of.contracts[node] = contract;
        }
        return contract;
    }

    /** A page as a node's kernel sees it after the last step. */
    public PageSnapshot snapshot(int node, PageId page) {
        return Objects.requireNonNull(known(node, page).snapshots[node]);
    }

    /** The cached snapshots, updated for a node, whose pages change in its own steps only. */
    private Known known(int node, PageId page) {
        Known of = known.of(page);
        if (of.versions[node] != versions[node]) {
            of.versions[node] = versions[node];
            of.snapshots[node] = node(node).snapshot(page);
            of.contracts[node] = null;
        }
        return of;
    }

    /** The name of a page's state on a node. */
    public String state(int node, PageId page) {
        return snapshot(node, page).state();
    }

    /** Describes a page on a node for a message. */
    public String describe(int node, PageId page) {
        return node(node).describe(page);
    }

    /**
     * The pages that the last step touched; all pages after the step in which a barrier of all
     * threads fell, and at the end.
     */
    List<PageId> touched() {
        return touched;
    }

    /**
     * True after the step in which a barrier of all threads fell, when no thread has continued yet.
     */
    boolean hasBarrierFallen() {
        return barrierFell;
    }

    /** The nodes that hold the content of a page. */
    public BitSet present(PageId page) {
        BitSet present = new BitSet(nodes());
        for (int i = 0; i < nodes(); i++) {
            if (node(i).pages().isPresent(page)) {
                present.set(i);
            }
        }
        return present;
    }

    /** The nodes of a copyset. */
    static BitSet nodes(Copyset copyset) {
        BitSet nodes = new BitSet();
        for (NodeId node : copyset) {
            nodes.set(node.index());
        }
        return nodes;
    }

    /** The nodes of a set without those of another one. */
    static BitSet without(BitSet nodes, BitSet others) {
        BitSet left = (BitSet) nodes.clone();
        left.andNot(others);
        return left;
    }

    /** Messages about a page that were sent and not yet stepped, oldest first. */
    public List<Sent> underway(PageId page) {
        return underway.of(page);
    }

    @Override
    public void onArrive(SimThread thread, BarrierId barrier, int parties) {
        if (parties == simulation().allThreads()) {
            departing.computeIfAbsent(barrier, _ -> new int[1]);
        }
    }

    @Override
    public void onDepart(SimThread thread, BarrierId barrier) {
        int[] departed = departing.get(barrier);
        if (departed != null) {
            isFalling |= departed[0] == 0 && isWhole();
            departed[0] = (departed[0] + 1) % simulation().allThreads();
        }
    }

    @Override
    public void beforeStep(SimNode node, Event event) {
        versions[node.id().index()]++;
        if (event instanceof Event.MessageArrived(var from, ProtocolMessage message, long _)) {
            for (PageId page : message.pages()) {
                remove(underway.of(page), from.index(), node.id().index(), message);
            }
        }
    }

    /** Removes an arrived message. Links keep order, so it is the oldest of its kind. */
    private static void remove(List<Sent> sent, int from, int to, ProtocolMessage message) {
        for (int i = 0; i < sent.size(); i++) {
            Sent each = sent.get(i);
            if (each.from() == from
                    && each.to() == to
                    && each.message().getClass() == message.getClass()) {
                sent.remove(i);
                return;
            }
        }
    }

    @Override
    public void onStepped(SimNode node, Event event, List<Effect> effects) {
        versions[node.id().index()]++;
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        versions[node.id().index()]++;
        steps++;
        touched.clear();
        touchEvent(event);
        for (Effect effect : effects) {
            touchEffect(node, effect);
        }
        barrierFell = isFalling;
        isFalling = false;
        if (barrierFell) {
            touchAll();
        }
    }

    @Override
    public void onEnd(Simulation ended) {
        for (int i = 0; i < versions.length; i++) {
            versions[i]++;
        }
        touchAll();
    }

    private void touchAll() {
        touched.clear();
        SimPages pages = node(0).pages();
        for (int region = 0; region < pages.regionCount(); region++) {
            for (int i = 0; i < pages.spec(region).pages(); i++) {
                touched.add(new PageId(region, i));
            }
        }
    }

    private void touchEvent(Event event) {
        switch (event) {
            case Event.FaultRaised(_, PageId page, _, _, long _) -> touch(page);
            case Event.PrefetchCalled(_, PageId first, int count, _) -> touch(first, count);
            case Event.Advised(PageId first, int count, _) -> touch(first, count);
            case Event.TwinMade(_, PageId page, long _) -> touch(page);
            case Event.PageEntered(_, PageId page, boolean _, long _) -> touch(page);
            case Event.MessageArrived(_, ProtocolMessage message, long _) ->
                    message.pages().forEach(this::touch);
            case Event.TimerFired(TimerId.HoldOver(PageId page), long _) -> touch(page);
            case Event.AccessWithdrawn(_, PageId first, int count, _) -> touch(first, count);
            default -> {} // its effects name its pages
        }
    }

    private void touchEffect(SimNode node, Effect effect) {
        switch (effect) {
            case Effect.Send(var to, ProtocolMessage message) -> {
                Sent sent = new Sent(node.id().index(), to.index(), message);
                for (PageId page : message.pages()) {
                    touch(page);
                    underway.of(page).add(sent);
                }
            }
            case Effect.SetAccess(_, PageId page, _) -> touch(page);
            case Effect.Withdraw(_, PageId first, int count) -> touch(first, count);
            case Effect.InstallPage(_, PageId page, _, _) -> touch(page);
            case Effect.MergePage(PageId page, _) -> touch(page);
            case Effect.Discard(PageId page) -> touch(page);
            case Effect.Poison(PageId page) -> touch(page);
            case Effect.MakeTwin(PageId page) -> touch(page);
            case Effect.DropTwin(PageId page) -> touch(page);
            case Effect.SaveDiff(PageId page, long _, boolean _) -> touch(page);
            case Effect.DropDiff(PageId page, long _) -> touch(page);
            case Effect.ApplyDiff(PageId page, _) -> touch(page);
            case Effect.ResumeFault(_, PageId page, _) -> touch(page);
            default -> {} // names no page, or keeps bytes for later
        }
    }

    private void touch(PageId first, int count) {
        for (int i = 0; i < count; i++) {
            touch(first.plus(i));
        }
    }

    private void touch(PageId page) {
        Known of = known.of(page);
        if (of.touchedAt != steps) {
            of.touchedAt = steps;
            touched.add(page);
        }
    }
}
