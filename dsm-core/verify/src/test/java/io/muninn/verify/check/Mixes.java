package io.muninn.verify.check;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.PageId;
import io.muninn.sim.delay.MachineModel;
import io.muninn.spi.Event;
import io.muninn.verify.program.Op;
import io.muninn.verify.program.Program;
import io.muninn.verify.program.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random programs that contain all kinds of operations: all protocols, false sharing, data races,
 * elements of several widths, critical sections, also with time limits, letters, and barriers of
 * two threads and of all.
 */
final class Mixes {
    private static final int REGION_PAGES = 2;
    private static final int TAG = 7;

    private final Random random;
    private final int nodes;
    private final int threads;
    private final boolean isRacy;
    private final long wakeNanos; // with a shorter hold time a page is lost before its use
    private final List<RegionSpec> regions = new ArrayList<>();
    private final List<List<Program.Step>> scripts = new ArrayList<>();
    private int lastUnit;
    private long lastSerial;
    private long lastValue;

    private Mixes(long seed, boolean isRacy) {
        random = new Random(seed);
        wakeNanos = machine(seed).wakeNanos();
        this.isRacy = isRacy;
        nodes = 2 + random.nextInt(4);
        threads = 1 + random.nextInt(3);
        int focus = random.nextInt(2 * Protocol.values().length);
        long offset = 0;
        for (Protocol protocol : Protocol.values()) {
            int unitPages = 1 << random.nextInt(2);
            int pages = focus == protocol.ordinal() ? 2 * REGION_PAGES : REGION_PAGES;
            long bytes = (long) pages * unitPages * RegionSpec.MACHINE_PAGE_BYTES;
            offset = (offset + 0xFFFF) & ~0xFFFFL;
            regions.add(
                    new RegionSpec(
                            regions.size(),
                            "variable" + protocol.ordinal(),
                            protocol,
                            offset,
                            bytes,
                            1 << random.nextInt(4),
                            unitPages,
                            List.of()));
            offset += bytes;
        }
        for (int i = 0; i < nodes * threads; i++) {
            scripts.add(new ArrayList<>());
        }
    }

    /** A program without data races. */
    static Program ordered(long seed, int parts) {
        return new Mixes(seed, false).make(parts);
    }

    /** A program with data races. */
    static Program racy(long seed, int parts) {
        return new Mixes(seed, true).make(parts);
    }

    /** A random machine: an operation that is slow on one may take no time on another. */
    static MachineModel machine(long seed) {
        Random random = new Random(~seed);
        return new MachineModel(
                nanos(random),
                random.nextInt(3) * 400L,
                nanos(random),
                nanos(random),
                random.nextInt(3) * 50L,
                nanos(random),
                nanos(random),
                nanos(random),
                100,
                0);
    }

    private static long nanos(Random random) {
        return 1 + random.nextInt(1 << random.nextInt(15));
    }

    private Program make(int parts) {
        List<Op.Store> initial = new ArrayList<>();
        for (int i = random.nextInt(12); i > 0; i--) {
            Variable variable = variable(random.nextInt(regions.size()), -1);
            initial.add(new Op.Store(variable, value()));
        }
        for (int i = 0; i < parts; i++) {
            part(random.nextInt(scripts.size()));
            if (random.nextInt(24) == 0) {
                awaitAll("all" + random.nextInt(2));
            }
        }
        awaitAll("end");
        for (int i = 0; i < scripts.size(); i++) {
            for (int j = 0; j < 4; j++) {
                load(i, variable(random.nextInt(regions.size()), -1));
            }
        }
        long holdNanos = wakeNanos + 1 + random.nextInt(3) * 5_000L;
        return new Program(nodes, threads, holdNanos, regions, initial, scripts);
    }

    private void part(int thread) {
        lastUnit++;
        switch (random.nextInt(12)) {
            case 0, 1, 2, 3 -> section(thread);
            case 4 -> handOver(thread, random.nextInt(scripts.size()));
            case 5 -> add(thread, new Op.Work(random.nextInt(20_000)));
            case 6, 7 -> {
                if (isRacy) {
                    touch(thread, variable(random.nextInt(regions.size()), -1));
                } else {
                    load(thread, variable(Protocol.READ_ONLY.ordinal(), -1));
                }
            }
            default -> touch(thread, variable(anyWritable(), thread));
        }
    }

    private int anyWritable() {
        int region = random.nextInt(regions.size());
        return region == Protocol.READ_ONLY.ordinal() ? Protocol.WRITE_SHARED.ordinal() : region;
    }

    /**
     * Adds a critical section. Its elements belong to its lock, and follow those of the threads.
     */
    private void section(int thread) {
        int lock = random.nextInt(2);
        LockId id = new LockId("lock" + lock);
        add(
                thread,
                new Op.Acquire(id, random.nextInt(4) > 0 ? Op.FOR_EVER : random.nextInt(99_999)));
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            touch(thread, variable(anyWritable(), scripts.size() + lock));
        }
        add(thread, new Op.Release(id));
    }

    /** One thread stores and sends a letter; the receiver loads. */
    private void handOver(int from, int to) {
        if (from == to) {
            return;
        }
        Variable variable = variable(anyWritable(), scripts.size() + 2 + lastUnit);
        add(from, new Op.Store(variable, value()));
        if (random.nextBoolean()) {
            int tag = TAG + lastUnit;
            add(from, new Op.Send(to / threads, tag, ++lastSerial));
            add(to, new Op.Receive(random.nextBoolean() ? from / threads : Event.ANY_NODE, tag));
        } else {
            BarrierId pair = new BarrierId("pair" + lastUnit);
            add(from, new Op.Await(pair, 2));
            add(to, new Op.Await(pair, 2));
        }
        touch(to, variable);
    }

    private void awaitAll(String name) {
        lastUnit++;
        for (int i = 0; i < scripts.size(); i++) {
            add(i, new Op.Await(new BarrierId(name), Event.ALL_PARTIES));
        }
    }

    private void touch(int thread, Variable variable) {
        boolean isConstant = variable.page().region() == Protocol.READ_ONLY.ordinal();
        if (isConstant || random.nextBoolean()) {
            load(thread, variable);
        } else {
            add(thread, new Op.Store(variable, value()));
        }
    }

    private void load(int thread, Variable variable) {
        add(thread, new Op.Load(variable, Op.NO_REGISTER));
    }

    /** A new value, or often an old one: a store that restores a value is in no diff. */
    private long value() {
        return random.nextBoolean() ? ++lastValue : random.nextInt(3);
    }

    /**
     * @param slot index of 8 bytes; negative for any slot that threads or locks use
     */
    private Variable variable(int region, int slot) {
        RegionSpec spec = regions.get(region);
        int bytes = Math.max(spec.granuleBytes(), 1 << random.nextInt(4));
        int place = slot < 0 ? random.nextInt(scripts.size() + 2) : slot;
        int within = random.nextInt(Long.BYTES / bytes) * bytes;
        PageId page = new PageId(region, random.nextInt(spec.pages()));
        return new Variable(page, place * Long.BYTES + within, bytes);
    }

    private void add(int thread, Op op) {
        scripts.get(thread).add(new Program.Step(lastUnit, op));
    }
}
