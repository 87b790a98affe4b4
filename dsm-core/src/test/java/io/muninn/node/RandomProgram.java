package io.muninn.node;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.PageId;
import io.muninn.protocol.Bytes;
import io.muninn.protocol.Event;
import io.muninn.protocol.TwinRules;
import io.muninn.protocol.UpdateRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A random program without data races, and its oracle: one plain array that every store also goes
 * to, and that every load is compared with. Such a program must see on any node what it would see
 * in one memory, whatever the order of messages.
 *
 * <p>A word is guarded by a lock, or belongs in each phase between two barriers to one thread or to
 * readers only, or is handed from thread to thread by a letter or a barrier of two. Racy words are
 * stored to by all and not compared: they must not disturb the others.
 */
final class RandomProgram {
    private static final int GUARDED = 4;
    private static final int PHASED = 6;
    private static final int RACY = 1;
    private static final int FOCUS_PAGES = 16;
    private static final int PER_PAGE = GUARDED + PHASED + RACY;

    private static final BarrierId PHASE_END = new BarrierId("phase");

    /** A shared word and its place in the oracle. */
    private record Variable(PageId page, int word, int index) {}

    private final Random random;
    private final int threads;
    private final List<LockId> locks = new ArrayList<>();
    private final boolean oldValues;
    private final KernelFixture fixture;
    private final List<Variable> guarded = new ArrayList<>();
    private final List<Variable> phased = new ArrayList<>();
    private final List<Variable> racy = new ArrayList<>();
    private final List<Variable> constants = new ArrayList<>();
    private final List<FixtureThread> everyThread = new ArrayList<>();
    private final long[] oracle;
    private int[] owners = new int[0];
    private long lastValue;
    private int lastTag;
    private long loads;

    RandomProgram(long seed) {
        random = new Random(seed);
        int nodeCount = 2 + random.nextInt(4);
        threads = 1 + random.nextInt(4);
        oldValues = random.nextBoolean();
        int focus = random.nextInt(2 * Protocol.values().length);
        long holdNanos = random.nextInt(3) * 50_000L;
        List<RegionSpec> regions = new ArrayList<>();
        int index = 0;
        for (Protocol protocol : Protocol.values()) {
            int pages = focus == protocol.ordinal() ? FOCUS_PAGES : 1 + random.nextInt(2);
            RegionSpec region = KernelFixture.region(regions.size(), protocol, pages);
            regions.add(region);
            for (int i = 0; i < region.pages(); i++) {
                index = addPage(new PageId(region.index(), i), protocol, index);
            }
        }
        oracle = new long[index];
        for (int i = 0; i < 1 + random.nextInt(3); i++) {
            locks.add(new LockId("lock" + i));
        }
        fixture =
                new KernelFixture(
                        nodeCount,
                        threads,
                        holdNanos,
                        UpdateRules.PLAIN,
                        new TwinRules(1 + random.nextInt(3), 1 + random.nextInt(3)),
                        regions.toArray(RegionSpec[]::new));
        fixture.nodes().forEach(node -> everyThread.addAll(node.threads()));
    }

    private int addPage(PageId page, Protocol protocol, int firstIndex) {
        int place = random.nextInt(MemoryPages.WORDS - PER_PAGE);
        for (int i = 0; i < PER_PAGE; i++) {
            Variable variable = new Variable(page, place + i, firstIndex + i);
            if (protocol == Protocol.READ_ONLY) {
                constants.add(variable);
            } else if (i < GUARDED) {
                guarded.add(variable);
            } else if (i < GUARDED + PHASED) {
                phased.add(variable);
            } else if (protocol != Protocol.MIGRATORY) {
                racy.add(variable);
            }
        }
        return firstIndex + PER_PAGE;
    }

    KernelFixture fixture() {
        return fixture;
    }

    List<FixtureThread> everyThread() {
        return everyThread;
    }

    Random random() {
        return random;
    }

    /** Loads that were compared with the oracle. */
    long loads() {
        return loads;
    }

    /** The root stores to some words, and seals. */
    void initialize() {
        FixtureThread root = fixture.thread(0, 0);
        constants.forEach(variable -> store(root, variable));
        for (List<Variable> variables : List.of(guarded, phased)) {
            variables.stream()
                    .filter(_ -> random.nextInt(4) == 0)
                    .forEach(variable -> store(root, variable));
        }
        root.then(new FixtureThread.Op.Seal());
        fixture.settle();
    }

    /** Gives every thread its operations, phase by phase. */
    void write() {
        int phases = 1 + random.nextInt(4);
        owners = new int[oracle.length];
        for (int i = 0; i < phases; i++) {
            writePhase();
            everyThread.forEach(thread -> thread.await(PHASE_END));
        }
        everyThread.forEach(thread -> phased.forEach(variable -> load(thread, variable)));
        everyThread.forEach(thread -> thread.await(PHASE_END));
    }

    private void writePhase() {
        for (Variable variable : phased) {
            int owner = random.nextInt(2 * everyThread.size());
            owners[variable.index()] = owner < everyThread.size() ? owner : -1;
        }
        int parts = 2 + random.nextInt(16 * everyThread.size());
        for (int i = 0; i < parts; i++) {
            int thread = random.nextInt(everyThread.size());
            switch (random.nextInt(12)) {
                case 0, 1, 2 -> writeSection(everyThread.get(thread));
                case 3 -> handOver(thread, random.nextInt(everyThread.size()));
                case 4 -> {
                    if (!racy.isEmpty()) {
                        touchRacy(everyThread.get(thread));
                    }
                }
                case 5 -> load(everyThread.get(thread), any(constants));
                case 6, 7 -> storeAndTakeBack(any(phased));
                default -> touchPhased(thread, any(phased));
            }
        }
    }

    /** A critical section, sometimes within another, sometimes left out when it takes too long. */
    private void writeSection(FixtureThread thread) {
        int outer = random.nextInt(locks.size());
        boolean nested = outer + 1 < locks.size() && random.nextInt(4) == 0;
        boolean timed = !nested && random.nextInt(4) == 0;
        int touches = 1 + random.nextInt(4);
        long timeoutNanos = timed ? random.nextInt(300_000) : FixtureThread.FOR_EVER;
        thread.then(
                new FixtureThread.Op.Acquire(
                        locks.get(outer), timeoutNanos, timed ? touches + 1 : 0));
        for (int i = 0; i < touches; i++) {
            touchGuarded(thread, outer);
        }
        if (nested) {
            thread.acquire(locks.get(outer + 1));
            touchGuarded(thread, outer + 1);
            touchGuarded(thread, outer);
            thread.release(locks.get(outer + 1));
        }
        thread.release(locks.get(outer));
    }

    private void touchGuarded(FixtureThread thread, int lock) {
        Variable variable = any(guarded);
        while (variable.index() % locks.size() != lock) {
            variable = any(guarded);
        }
        touch(thread, variable);
    }

    private void touchPhased(int thread, Variable variable) {
        int owner = owners[variable.index()];
        if (owner == -1) {
            load(everyThread.get(thread), variable);
        } else {
            touch(everyThread.get(owner), variable);
        }
    }

    /** Whoever fetches the page in between must not see the first store for ever. */
    private void storeAndTakeBack(Variable variable) {
        int owner = owners[variable.index()];
        if (owner == -1) {
            return;
        }
        FixtureThread thread = everyThread.get(owner);
        long[] before = new long[1];
        thread.then(
                new FixtureThread.Op.Store(
                        variable.page(),
                        variable.word(),
                        () -> {
                            before[0] = oracle[variable.index()];
                            oracle[variable.index()] = ++lastValue;
                            return lastValue;
                        }));
        for (int i = random.nextInt(8); i > 0; i--) {
            load(thread, any(constants));
        }
        thread.then(
                new FixtureThread.Op.Store(
                        variable.page(),
                        variable.word(),
                        () -> {
                            oracle[variable.index()] = before[0];
                            return before[0];
                        }));
    }

    /** One thread's word becomes another's, by a letter or by a barrier of these two. */
    private void handOver(int from, int to) {
        List<Variable> owned =
                phased.stream().filter(each -> owners[each.index()] == from).toList();
        if (from == to || owned.isEmpty()) {
            return;
        }
        Variable variable = any(owned);
        FixtureThread giver = everyThread.get(from);
        FixtureThread taker = everyThread.get(to);
        int tag = ++lastTag;
        store(giver, variable);
        if (random.nextBoolean()) {
            giver.send(to / threads, tag, new Bytes(new byte[random.nextInt(9)]));
            taker.receive(random.nextBoolean() ? from / threads : Event.ANY_NODE, tag);
        } else {
            BarrierId pair = new BarrierId("pair" + tag);
            giver.await(pair, 2, FixtureThread.FOR_EVER);
            taker.await(pair, 2, FixtureThread.FOR_EVER);
        }
        owners[variable.index()] = to;
        touch(taker, variable);
    }

    private void touchRacy(FixtureThread thread) {
        Variable variable = any(racy);
        if (random.nextBoolean()) {
            thread.store(variable.page(), variable.word(), random.nextInt(3));
        } else {
            thread.load(variable.page(), variable.word(), _ -> {});
        }
    }

    private void touch(FixtureThread thread, Variable variable) {
        if (random.nextBoolean()) {
            store(thread, variable);
        } else {
            load(thread, variable);
        }
    }

    /** New values, or often old ones: a store that is taken back is not in the diff. */
    private void store(FixtureThread thread, Variable variable) {
        thread.then(
                new FixtureThread.Op.Store(
                        variable.page(),
                        variable.word(),
                        () -> {
                            int kind = random.nextInt(4);
                            if (kind == 0) {
                                oracle[variable.index()] = 0;
                            } else if (kind > 1) {
                                oracle[variable.index()] = ++lastValue;
                            }
                            return oracle[variable.index()];
                        }));
    }

    private void load(FixtureThread thread, Variable variable) {
        thread.load(
                variable.page(),
                variable.word(),
                seen -> {
                    loads++;
                    if (seen != oracle[variable.index()]) {
                        throw new AssertionError(
                                thread
                                        + " loads "
                                        + seen
                                        + " from "
                                        + variable
                                        + ", not "
                                        + oracle[variable.index()]);
                    }
                });
    }

    /** Every copy on every node equals the oracle, and nothing is left that should be freed. */
    void checkMemory() {
        for (FixtureNode node : fixture.nodes()) {
            for (List<Variable> variables : List.of(guarded, phased, constants)) {
                variables.forEach(variable -> checkCopy(node, variable));
            }
            if (node.pages().diffsLeft() > 0) {
                throw new AssertionError("node " + node.self() + " has diffs left");
            }
        }
    }

    private void checkCopy(FixtureNode node, Variable variable) {
        MemoryPages pages = node.pages();
        if (!pages.equalsTwin(variable.page())) {
            throw new AssertionError(variable + " has unsent stores on node " + node.self());
        }
        if (pages.isPresent(variable.page())
                && pages.load(variable.page(), variable.word()) != oracle[variable.index()]) {
            throw new AssertionError(
                    "node "
                            + node.self()
                            + " has "
                            + pages.load(variable.page(), variable.word())
                            + " in "
                            + variable
                            + ", not "
                            + oracle[variable.index()]);
        }
    }

    private <T> T any(List<T> items) {
        return items.get(random.nextInt(items.size()));
    }
}
