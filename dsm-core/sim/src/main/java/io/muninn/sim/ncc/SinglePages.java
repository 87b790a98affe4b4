package io.muninn.sim.ncc;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The sequentially consistent software protocol: a page has one writer, or any number of readers.
 * Whoever faults interrupts the others while it holds the lock of the page's entry.
 *
 * <p>A processor that is interrupted cleans or discards the page at once, and loses the time later.
 *
 * <p>Source: Kontothanassis and Scott, section 4.1 (seq; simulated with less detail there, too).
 */
final class SinglePages implements Coherence {
    private static final int NONE = -1;

    private final Hardware hardware;
    private final List<NccProcessor> processors;
    private final MapEntries entries;
    private final List<SoftwareCache> caches = new ArrayList<>();
    private final List<Tlb> tlbs = new ArrayList<>();
    private final BitSet[] readers; // by page
    private final int[] writers; // by page
    private final int pageShift = Integer.numberOfTrailingZeros(NccModel.PAGE_BYTES);
    private final int lineShift;

    SinglePages(
            WritePolicy policy,
            Hardware hardware,
            Homes homes,
            List<NccProcessor> processors,
            long seed) {
        this.hardware = hardware;
        this.processors = processors;
        entries = new MapEntries(hardware, homes);
        NccModel model = hardware.model();
        for (NccProcessor each : processors) {
            caches.add(new SoftwareCache(each, hardware, homes, policy, seed + each.id()));
            tlbs.add(new Tlb(model.tlbEntries(), homes.pages()));
        }
        readers = new BitSet[homes.pages()];
        writers = new int[homes.pages()];
        for (int page = 0; page < readers.length; page++) {
            readers[page] = new BitSet();
            writers[page] = NONE;
        }
        lineShift = Integer.numberOfTrailingZeros(model.lineBytes());
    }

    @Override
    public void access(NccProcessor by, long address, int words, boolean isStore) {
        int page = (int) (address >> pageShift);
        if (!tlbs.get(by.id()).use(page)) {
            by.pass(hardware.model().tlbFill(), Spent.COHERENCE);
        }
        if (writers[page] != by.id() && (isStore || !readers[page].get(by.id()))) {
            fault(by, page, isStore);
        }
        int line = (int) (address >> lineShift);
        if (isStore) {
            caches.get(by.id()).store(line, words);
        } else {
            caches.get(by.id()).load(line);
        }
    }

    private void fault(NccProcessor by, int page, boolean isStore) {
        by.countFault();
        by.pass(hardware.model().interrupt(), Spent.COHERENCE);
        entries.lock(by, page);
        long until = by.now();
        int writer = writers[page];
        if (writer != NONE && writer != by.id()) {
            until = interrupt(by, writer, page, isStore);
            writers[page] = NONE;
            readers[page].set(writer, !isStore);
        }
        if (isStore) {
            BitSet others = readers[page];
            for (int node = others.nextSetBit(0); node >= 0; node = others.nextSetBit(node + 1)) {
                if (node != by.id()) {
                    until = Math.max(until, interrupt(by, node, page, true));
                }
            }
            others.clear();
            writers[page] = by.id();
        } else {
            readers[page].set(by.id());
        }
        by.passUntil(until, Spent.INTERRUPTS);
        entries.unlock(by, page);
    }

    /**
     * Lets a processor send its stores to a page, and discard the page if another will write it.
     *
     * @return when it has answered
     */
    private long interrupt(NccProcessor by, int node, int page, boolean discards) {
        NccModel model = hardware.model();
        NccProcessor victim = processors.get(node);
        int cleaned = caches.get(node).clean(page);
        long work = model.interrupt() + (long) cleaned * model.memory(model.lineWords());
        if (discards) {
            work += (long) caches.get(node).purge(page) * model.purgeLine();
            tlbs.get(node).remove(page);
        }
        victim.steal(work);
        return by.now() + 2 * hardware.way(by.id(), node) + work;
    }

    /** Does nothing: no processor has an old page. */
    @Override
    public void acquire(NccProcessor by) {}

    /** Does nothing: stores are announced before they happen. */
    @Override
    public void release(NccProcessor by) {}
}
