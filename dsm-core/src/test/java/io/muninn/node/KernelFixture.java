package io.muninn.node;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.protocol.Counter;
import io.muninn.protocol.Event;
import io.muninn.protocol.TwinRules;
import io.muninn.protocol.UpdateRules;
import io.muninn.wire.ByteReader;
import io.muninn.wire.ByteWriter;
import io.muninn.wire.Codecs;
import io.muninn.wire.Message;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Several kernels in one test, with pages in memory, threads that are lists of operations, and
 * links that deliver in order but when the test says so. Messages travel as bytes, so that codecs
 * are part of every test and no two nodes share an object.
 *
 * <p>A test either picks what happens next from {@link #choices}, or lets {@link #settle} do
 * everything that can be done, in a fixed order.
 */
final class KernelFixture {
    static final long HOLD_NANOS = 100_000;
    static final long FLUSH_DELAY_NANOS = 1_000_000;

    private static final int SETTLE_STEPS_MAX = 1_000_000;

    /** Something that can happen next. */
    sealed interface Choice {
        record RunThread(int node, int thread) implements Choice {}

        record StepCall(int node, int thread) implements Choice {}

        record StepFault(int node) implements Choice {}

        record StepWithdrawal(int node) implements Choice {}

        record StepLoss(int node) implements Choice {}

        record StepTimer(int node) implements Choice {}

        record Deliver(int from, int to) implements Choice {}
    }

    /** A message on its way or arrived. */
    record Sent(int from, int to, Message message) {}

    private static final class Link {
        final ArrayDeque<byte[]> frames = new ArrayDeque<>();
        boolean held;
    }

    private final List<FixtureNode> nodes = new ArrayList<>();
    private final Link[][] links;
    private final List<RegionSpec> regions;
    private final Codecs codecs = new Codecs(NodeKernel.codecs());
    private final List<Sent> sent = new ArrayList<>();
    private long now = 1;
    private int lost = -1;

    KernelFixture(int nodeCount, int threads, RegionSpec... regions) {
        this(nodeCount, threads, HOLD_NANOS, regions);
    }

    KernelFixture(int nodeCount, int threads, long holdNanos, RegionSpec... regions) {
        this(nodeCount, threads, holdNanos, UpdateRules.PLAIN, regions);
    }

    KernelFixture(
            int nodeCount,
            int threads,
            long holdNanos,
            UpdateRules updates,
            RegionSpec... regions) {
        this(nodeCount, threads, holdNanos, updates, TwinRules.DEFAULT, regions);
    }

    KernelFixture(
            int nodeCount,
            int threads,
            long holdNanos,
            UpdateRules updates,
            TwinRules twins,
            RegionSpec... regions) {
        this.regions = List.of(regions);
        this.links = new Link[nodeCount][nodeCount];
        for (int i = 0; i < nodeCount; i++) {
            for (int j = 0; j < nodeCount; j++) {
                links[i][j] = new Link();
            }
            int from = i;
            KernelConfig config =
                    new KernelConfig(
                            NodeId.of(i),
                            nodeCount,
                            threads,
                            holdNanos,
                            FLUSH_DELAY_NANOS,
                            updates,
                            twins,
                            false);
            FixtureNode node =
                    new FixtureNode(
                            config, (to, message) -> send(from, to.index(), message), () -> now);
            nodes.add(node);
            this.regions.forEach(region -> node.step(new Event.RegionAdded(region)));
        }
    }

    /** A region of so many pages of 4 KiB, each {@link MemoryPages#WORDS} words. */
    static RegionSpec region(int index, Protocol protocol, int pages) {
        int pageBytes = RegionSpec.MACHINE_PAGE_BYTES;
        return new RegionSpec(
                index,
                "region" + index,
                protocol,
                0,
                (long) pages * pageBytes,
                Long.BYTES,
                1,
                List.of());
    }

    FixtureNode node(int index) {
        return nodes.get(index);
    }

    FixtureThread thread(int node, int thread) {
        return nodes.get(node).thread(thread);
    }

    List<FixtureNode> nodes() {
        return nodes;
    }

    long nowNanos() {
        return now;
    }

    void passNanos(long nanos) {
        now += nanos;
    }

    /** Every message sent since {@link #forgetSent}. */
    List<Sent> sent() {
        return List.copyOf(sent);
    }

    /** Messages of one kind sent since {@link #forgetSent}, by the name of their codec. */
    long sent(String kind) {
        return sent.stream().filter(each -> each.message().codec().name().equals(kind)).count();
    }

    void forgetSent() {
        sent.clear();
    }

    long count(Counter counter) {
        return nodes.stream().mapToLong(node -> node.count(counter)).sum();
    }

    /** Delivers nothing on this link until {@link #free}. */
    void hold(int from, int to) {
        links[from][to].held = true;
    }

    void free(int from, int to) {
        links[from][to].held = false;
    }

    /** Frees every link; false if none was held. */
    boolean freeAll() {
        boolean freed = false;
        for (Link[] each : links) {
            for (Link link : each) {
                freed |= link.held && !link.frames.isEmpty();
                link.held = false;
            }
        }
        return freed;
    }

    int waiting(int from, int to) {
        return links[from][to].frames.size();
    }

    /** The node is gone: it does nothing more, and the others hear of it. */
    void lose(int index) {
        lost = index;
        for (int i = 0; i < nodes.size(); i++) {
            links[index][i].frames.clear();
            links[i][index].frames.clear();
            if (i != index) {
                nodes.get(i).lose(NodeId.of(index));
            }
        }
    }

    boolean isLost(NodeId node) {
        return node.index() == lost;
    }

    /** Delivers the oldest message of a link. */
    void deliver(int from, int to) {
        Message message = codecs.decode(new ByteReader(links[from][to].frames.remove()));
        nodes.get(to).step(new Event.MessageArrived(NodeId.of(from), message, now));
    }

    /** Everything that can happen now, in a fixed order. */
    List<Choice> choices() {
        List<Choice> choices = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            if (i != lost) {
                addChoices(i, choices);
            }
        }
        return choices;
    }

    private void addChoices(int index, List<Choice> choices) {
        FixtureNode node = nodes.get(index);
        for (int i = 0; i < nodes.size(); i++) {
            if (!links[i][index].held && !links[i][index].frames.isEmpty()) {
                choices.add(new Choice.Deliver(i, index));
            }
        }
        for (int i = 0; i < node.threads().size(); i++) {
            if (node.thread(i).hasCall()) {
                choices.add(new Choice.StepCall(index, i));
            }
            if (node.thread(i).isRunnable()) {
                choices.add(new Choice.RunThread(index, i));
            }
        }
        if (node.hasFault()) {
            choices.add(new Choice.StepFault(index));
        }
        if (node.hasWithdrawal()) {
            choices.add(new Choice.StepWithdrawal(index));
        }
        if (node.hasLoss()) {
            choices.add(new Choice.StepLoss(index));
        }
        if (node.nextDeadline() <= now) {
            choices.add(new Choice.StepTimer(index));
        }
    }

    void take(Choice choice) {
        switch (choice) {
            case Choice.RunThread(int node, int thread) -> nodes.get(node).thread(thread).run();
            case Choice.StepCall(int node, int thread) ->
                    nodes.get(node).step(nodes.get(node).thread(thread).nextCall());
            case Choice.StepFault(int node) -> nodes.get(node).stepFault();
            case Choice.StepWithdrawal(int node) -> nodes.get(node).stepWithdrawal();
            case Choice.StepLoss(int node) -> nodes.get(node).stepLoss();
            case Choice.StepTimer(int node) -> nodes.get(node).stepTimer();
            case Choice.Deliver(int from, int to) -> deliver(from, to);
        }
        checkOneWriter();
    }

    /** Lets time pass to the next timer; false if none is armed. */
    boolean passToNextTimer() {
        long next = Long.MAX_VALUE;
        for (int i = 0; i < nodes.size(); i++) {
            next = i == lost ? next : Math.min(next, nodes.get(i).nextDeadline());
        }
        now = next == Long.MAX_VALUE ? now : Math.max(now, next);
        return next != Long.MAX_VALUE;
    }

    /** Does all that can be done without time passing. */
    void settleNow() {
        for (int i = 0; i < SETTLE_STEPS_MAX; i++) {
            List<Choice> choices = choices();
            if (choices.isEmpty()) {
                return;
            }
            take(choices.getFirst());
        }
        throw new AssertionError("it does not settle: " + choices());
    }

    /** Does all that can be done, and lets time pass until no timer is armed. */
    void settle() {
        do {
            settleNow();
        } while (passToNextTimer());
    }

    private int send(int from, int to, Message message) {
        if (from == to) {
            throw new AssertionError("node " + from + " sends itself " + message);
        }
        ByteWriter frame = new ByteWriter(nodes.get(from).pages()::bytes);
        Codecs.encode(message, frame);
        sent.add(new Sent(from, to, message));
        if (from != lost && to != lost) {
            links[from][to].frames.add(frame.toArray());
        }
        return frame.toArray().length;
    }

    /**
     * Of pages with one writer: while a node can store, no other can, nor load unless its copy is
     * pipelined.
     */
    private void checkOneWriter() {
        for (RegionSpec region : regions) {
            boolean isPipelined = region.protocol() == Protocol.PIPELINED;
            if (isPipelined
                    || region.protocol() == Protocol.CONVENTIONAL
                    || region.protocol() == Protocol.MIGRATORY) {
                for (int i = 0; i < region.pages(); i++) {
                    checkOneWriter(new PageId(region.index(), i), isPipelined);
                }
            }
        }
    }

    private void checkOneWriter(PageId page, boolean mayOthersRead) {
        int writers = 0;
        int readers = 0;
        for (FixtureNode node : nodes) {
            PageAccess access = node.pages().access(page);
            writers += access == PageAccess.READ_WRITE ? 1 : 0;
            readers += access == PageAccess.READ ? 1 : 0;
        }
        if (writers > 1 || (writers == 1 && readers > 0 && !mayOthersRead)) {
            throw new AssertionError(
                    "page " + page + ": " + writers + " writers, " + readers + " readers");
        }
    }
}
