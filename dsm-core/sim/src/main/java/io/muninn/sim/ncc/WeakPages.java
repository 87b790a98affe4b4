package io.muninn.sim.ncc;

import io.muninn.pool.CoherentMap;
import io.muninn.pool.LocalWords;
import io.muninn.pool.PoolLayout;
import io.muninn.pool.PoolRules;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;

/**
 * The relaxed software protocols. A page that a processor writes while others map it becomes weak;
 * its mappers discard it at their next acquire. The states are those of {@link CoherentMap}; here
 * they take time.
 *
 * <p>Notices are posted one after another while the entry is locked. Their memory accesses wait for
 * no other: a processor would have to reserve memories for times that are far ahead.
 *
 * <p>Source: Kontothanassis and Scott, sections 2 and 4.1. The central list is Petersen and Li's,
 * with its entries at the homes of their pages.
 */
final class WeakPages implements Coherence {
    /** More notices than any page has: no page of a central list becomes unsafe. */
    private static final int NEVER = 1 << 20;

    /** Where the lock of the central list is. */
    private static final int LIST_HOME = 0;

    private final NccProtocol protocol;
    private final Hardware hardware;
    private final Homes homes;
    private final MapEntries entries;
    private final CoherentMap map;
    private final List<Mappings> mappings = new ArrayList<>();
    private final TreeSet<Integer> central = new TreeSet<>(); // weak pages
    private long listFree; // when the central list is unlocked
    private final int pageShift = Integer.numberOfTrailingZeros(NccModel.PAGE_BYTES);
    private final int lineShift;

    /** What a processor maps. */
    private static final class Mappings {
        private final SoftwareCache cache;
        private final Tlb tlb;
        private final BitSet mapped = new BitSet();
        private final BitSet writable = new BitSet();
        private final BitSet written = new BitSet(); // since the last release
        private final BitSet published = new BitSet(); // the map has it as a writer
        private final TreeSet<Integer> unsafe = new TreeSet<>();

        Mappings(SoftwareCache cache, Tlb tlb) {
            this.cache = cache;
            this.tlb = tlb;
        }
    }

    WeakPages(
            NccProtocol protocol,
            WritePolicy policy,
            Hardware hardware,
            Homes homes,
            List<NccProcessor> processors,
            long seed) {
        this.protocol = protocol;
        this.hardware = hardware;
        this.homes = homes;
        NccModel model = hardware.model();
        entries = new MapEntries(hardware, homes);
        int notices = protocol.isCentral() ? NEVER : model.noticesMax();
        PoolLayout layout = new PoolLayout(Math.max(1, homes.pages()), processors.size());
        PoolRules rules = new PoolRules(true, notices, model.checksMax());
        map = new CoherentMap(layout, rules, new LocalWords(layout.words()));
        for (NccProcessor each : processors) {
            SoftwareCache cache =
                    new SoftwareCache(each, hardware, homes, policy, seed + each.id());
            mappings.add(new Mappings(cache, new Tlb(model.tlbEntries(), homes.pages())));
        }
        lineShift = Integer.numberOfTrailingZeros(model.lineBytes());
    }

    private Mappings of(NccProcessor processor) {
        return mappings.get(processor.id());
    }

    @Override
    public void access(NccProcessor by, long address, int words, boolean isStore) {
        Mappings mine = of(by);
        int page = (int) (address >> pageShift);
        if (!mine.tlb.use(page)) {
            by.pass(hardware.model().tlbFill(), Spent.COHERENCE);
        }
        if (isStore ? !mine.writable.get(page) : !mine.mapped.get(page)) {
            fault(by, mine, page, isStore);
        }
        int line = (int) (address >> lineShift);
        if (isStore) {
            mine.written.set(page);
            mine.cache.store(line, words);
        } else {
            mine.cache.load(line);
        }
    }

    private void fault(NccProcessor by, Mappings mine, int page, boolean isStore) {
        by.countFault();
        by.pass(hardware.model().interrupt(), Spent.COHERENCE);
        entries.lock(by, page);
        if (!mine.mapped.get(page)) {
            enter(by, mine, page);
        }
        if (isStore && !protocol.isDelayed()) {
            publish(by, mine, page);
        }
        if (isStore || protocol.isDelayed()) {
            mine.writable.set(page);
        }
        entries.unlock(by, page);
    }

    private void enter(NccProcessor by, Mappings mine, int page) {
        long others = map.mappers(page) & ~(1L << by.id());
        CoherentMap.State before = map.state(page);
        boolean isUnsafe = map.enter(by.id(), page);
        mine.mapped.set(page);
        if (isUnsafe) {
            mine.unsafe.add(page);
        }
        becomesWeak(by, page, before, others, isUnsafe);
    }

    private void publish(NccProcessor by, Mappings mine, int page) {
        long others = map.mappers(page) & ~(1L << by.id());
        CoherentMap.State before = map.state(page);
        boolean wasUnsafe = map.isUnsafe(page);
        if (map.announce(by.id(), page)) {
            map.settle(page);
            mine.unsafe.add(page);
        }
        mine.published.set(page);
        becomesWeak(by, page, before, others, wasUnsafe);
    }

    /** Posts the notices of a page, if it has become weak. */
    private void becomesWeak(
            NccProcessor by, int page, CoherentMap.State before, long others, boolean isUnsafe) {
        if (before == CoherentMap.State.WEAK || map.state(page) != CoherentMap.State.WEAK) {
            return;
        }
        if (protocol.isCentral()) {
            changeList(by, page);
            central.add(page);
        } else if (!isUnsafe) {
            for (long left = others; left != 0; left &= left - 1) {
                int node = Long.numberOfTrailingZeros(left);
                by.pass(hardware.wordAlone(by.id(), node), Spent.COHERENCE);
            }
            by.pass(hardware.wordAlone(by.id(), by.id()), Spent.COHERENCE);
        }
    }

    /** Locks the central list, and writes an entry of it. */
    private void changeList(NccProcessor by, int page) {
        long arrival = by.now() + hardware.way(by.id(), LIST_HOME);
        long locked = Math.max(arrival, listFree) + hardware.model().memory(1);
        by.passUntil(locked + hardware.way(LIST_HOME, by.id()), Spent.COHERENCE);
        by.pass(hardware.wordAlone(by.id(), homes.of(page)), Spent.COHERENCE);
        listFree = by.now() + hardware.way(by.id(), LIST_HOME);
    }

    @Override
    public void acquire(NccProcessor by) {
        if (protocol.isCentral()) {
            traverse(by);
            return;
        }
        Mappings mine = of(by);
        by.pass(hardware.wordAlone(by.id(), by.id()), Spent.COHERENCE);
        List<Integer> weak = new ArrayList<>();
        map.takeList(by.id(), weak::add);
        for (int page : weak) {
            by.pass(hardware.wordAlone(by.id(), by.id()), Spent.COHERENCE);
            drop(by, mine, page);
        }
        for (int page : List.copyOf(mine.unsafe)) {
            readEntry(by, page);
            if (map.check(by.id(), page)) {
                drop(by, mine, page);
            }
        }
    }

    private void traverse(NccProcessor by) {
        for (int page : List.copyOf(central)) {
            readEntry(by, page);
            drop(by, of(by), page);
        }
    }

    private void readEntry(NccProcessor by, int page) {
        by.settle();
        long read = hardware.word(by.id(), homes.of(page), by.now());
        by.passUntil(read, Spent.COHERENCE);
    }

    /** Discards a page, unless it is not mapped. */
    private void drop(NccProcessor by, Mappings mine, int page) {
        if (!mine.mapped.get(page)) {
            return;
        }
        by.settle();
        int lines = mine.cache.purge(page);
        by.fence(Spent.COHERENCE);
        by.pass((long) lines * hardware.model().purgeLine(), Spent.COHERENCE);
        mine.tlb.remove(page);
        mine.mapped.clear(page);
        mine.writable.clear(page);
        if (mine.written.get(page) && !mine.published.get(page)) {
            entries.lock(by, page);
            publish(by, mine, page);
            entries.unlock(by, page);
        }
        mine.written.clear(page);
        mine.published.clear(page);
        mine.unsafe.remove(page);
        entries.lock(by, page);
        boolean wasWeak = map.state(page) == CoherentMap.State.WEAK;
        map.leave(by.id(), page);
        if (wasWeak && map.state(page) != CoherentMap.State.WEAK && central.remove(page)) {
            changeList(by, page);
        }
        entries.unlock(by, page);
    }

    @Override
    public void release(NccProcessor by) {
        Mappings mine = of(by);
        mine.cache.flush();
        if (protocol.isDelayed()) {
            by.pass(mine.mapped.cardinality(), Spent.COHERENCE); // scans their dirty bits
            for (int page : mine.written.stream().toArray()) {
                if (!mine.published.get(page)) {
                    entries.lock(by, page);
                    publish(by, mine, page);
                    entries.unlock(by, page);
                }
            }
        }
        mine.written.clear();
        by.fence(Spent.COHERENCE);
    }
}
