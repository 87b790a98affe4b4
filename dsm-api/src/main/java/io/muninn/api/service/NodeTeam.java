package io.muninn.api.service;

import static java.util.Objects.requireNonNull;

import io.muninn.api.Band;
import io.muninn.api.DsmNode;
import io.muninn.api.Loop;
import io.muninn.api.LoopException;
import io.muninn.api.LoopProgram;
import io.muninn.api.None;
import io.muninn.api.Part;
import io.muninn.api.Reduction;
import io.muninn.api.Schedule;
import io.muninn.api.Team;
import io.muninn.api.reduction.Contribution;
import io.muninn.api.reduction.Round;
import io.muninn.api.shipping.Thrown;
import io.muninn.api.shipping.ValueCoder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;

/**
 * One thread of the team that runs the loops of a program.
 *
 * <p>All threads but the root's first wait at a barrier. The root's first waits until all others
 * have arrived: then it runs the sequential part. To start a loop it arrives, too, with what the
 * others need; the barrier falls, and all run their shares. The others arrive for the next loop
 * with what came of their shares, and when all have, the loop has ended. So a loop costs a barrier.
 */
public final class NodeTeam implements Team {
    private static final long FOR_EVER = -1;
    private static final String BARRIER = "muninn.loops";

    /** Parts of a range whose values are numbers; independent of the team. */
    private static final int PARTS = 128;

    private final LoopProgram program;
    private final DsmNode node;
    private final LoopTable loops;
    private final BarrierLink link;
    private final NodeLocks locks;
    private final Thread owner = Thread.currentThread();
    private long starts;
    private Optional<String> running = Optional.empty(); // the loop whose body this thread runs

    private NodeTeam(LoopProgram program, DsmNode node, BarrierLink link, NodeLocks locks) {
        this.program = program;
        this.node = node;
        this.loops = LoopTable.of(program);
        this.link = link;
        this.locks = locks;
    }

    /**
     * The part of one thread in the run of a program. Meanwhile the thread can use no barrier but
     * the team's.
     */
    public static void play(LoopProgram program, DsmNode node) throws Exception {
        NodeBarrier barrier = (NodeBarrier) node.barrier(BARRIER);
        NodeTeam team = new NodeTeam(program, node, barrier.link(), barrier.thread().locks());
        barrier.thread().joined(team);
        try {
            if (node.position() == 0) {
                team.link.gather();
                program.run(team);
                team.arrive(LoopStart.end().toContribution());
            } else {
                team.work();
            }
        } finally {
            barrier.thread().left();
        }
    }

    /** What is wrong with an arrival of this thread at a barrier that is not the team's. */
    String refusal(String barrier) {
        String part =
                running.map(loop -> "the body of loop '" + loop + "'")
                        .orElse("the sequential part of " + program.getClass().getName());
        return part
                + " cannot take part in barrier '"
                + barrier
                + "': other threads do not run it as often. The end of a loop is a barrier";
    }

    private byte[] arrive(byte[] contribution) {
        try {
            return link.await(contribution, FOR_EVER);
        } catch (TimeoutException impossible) {
            throw new IllegalStateException("a wait without limit timed out", impossible);
        }
    }

    /** Runs this thread's shares of all loops. */
    private void work() {
        byte[] share = LoopShare.nothing();
        while (true) {
            LoopStart next = LoopStart.of(arrive(share));
            if (next.loop() == LoopStart.END) {
                return;
            }
            share = share(next);
        }
    }

    private byte[] share(LoopStart start) {
        if (start.fingerprint() != loops.fingerprint()) {
            String text = "node " + node.id() + " declares other loops than the root: " + loops;
            return LoopShare.failed(new IllegalStateException(text), start.range().from());
        }
        return new Share<>(loops.loop(start.loop()), start).run();
    }

    /** What one thread runs of a loop. */
    private final class Share<P, T> {
        private final Loop<P, T> loop;
        private final LoopStart start;
        private final int parts; // whose values are combined; 0 if there are none
        private final SortedMap<Integer, byte[]> values = new TreeMap<>();
        private int at; // the first index of what is being run

        Share(Loop<P, T> loop, LoopStart start) {
            this.loop = loop;
            this.start = start;
            this.parts = parts(loop, start.range());
            this.at = start.range().from();
        }

        byte[] run() {
            running = Optional.of(loops.name(start.loop()));
            try {
                P parameters = ValueCoder.of(loop.parameters()).read(start.parameters());
                runAll(parameters);
                return LoopShare.of(values);
            } catch (Throwable thrown) {
                return LoopShare.failed(thrown, at);
            } finally {
                running = Optional.empty();
            }
        }

        SortedMap<Integer, byte[]> runWhole() {
            P parameters = ValueCoder.of(loop.parameters()).read(start.parameters());
            try {
                run(parameters, new Band(0, parts > 0 ? parts : start.range().length()));
                return values;
            } catch (Throwable thrown) {
                byte[] share = Contribution.decode(LoopShare.failed(thrown, at)).value();
                LoopShare.Failure failure = LoopShare.read(share, values).orElseThrow();
                throw exception(start, node.position(), failure);
            }
        }

        private void runAll(P parameters) {
            int items = parts > 0 ? parts : start.range().length();
            int chunk = chunk();
            int position = node.position();
            int positions = node.positions();
            switch (start.schedule().kind()) {
                case BLOCK -> run(parameters, Band.of(items, position, positions));
                case CYCLIC -> {
                    long step = (long) chunk * positions;
                    for (long from = (long) chunk * position; from < items; from += step) {
                        run(parameters, new Band((int) from, (int) Math.min(items, from + chunk)));
                    }
                }
                case DYNAMIC, GUIDED -> {
                    LoopCounter counter =
                            node.shipped(BARRIER, LoopCounter.class, LoopCounter.OnRoot::new);
                    Schedule schedule = new Schedule(start.schedule().kind(), chunk);
                    long next = counter.next(start.start(), items, schedule, positions);
                    while (next != LoopCounter.NONE) {
                        run(parameters, new Band((int) (next >> Integer.SIZE), (int) next));
                        next = counter.next(start.start(), items, schedule, positions);
                    }
                }
            }
        }

        /** In indices, or in parts that are about as long together. */
        private int chunk() {
            int indices = start.schedule().chunk();
            return parts == 0
                    ? indices
                    : (int) Math.max(1, (long) indices * parts / start.range().length());
        }

        /**
         * @param items indices of the range from 0, or parts
         */
        private void run(P parameters, Band items) {
            int first = start.range().from();
            if (parts == 0) {
                if (!items.isEmpty()) {
                    Band shifted = new Band(first + items.from(), first + items.to());
                    at = shifted.from();
                    run(parameters, new Part(shifted, node, NodeTeam.this));
                }
                return;
            }
            for (int part = items.from(); part < items.to(); part++) {
                Band band = LoopResult.part(start.range(), part, parts);
                at = band.from();
                T value = run(parameters, new Part(band, node, NodeTeam.this));
                values.put(part, encoded(value, band));
            }
        }

        /** Runs the body, which must unlock what it locks: other threads would wait for ever. */
        private T run(P parameters, Part part) {
            Map<String, Integer> holds = locks.holds();
            T value;
            try {
                value = loop.run(parameters, part);
            } catch (Throwable thrown) {
                releaseAfter(thrown, holds);
                throw thrown;
            }
            List<String> left = locks.releaseSince(holds);
            if (!left.isEmpty()) {
                throw stillHeld(left);
            }
            return value;
        }

        private void releaseAfter(Throwable thrown, Map<String, Integer> holds) {
            boolean isWrapped = thrown instanceof Loop.ThrownAt && thrown.getCause() != null;
            Throwable itself = isWrapped ? thrown.getCause() : thrown;
            try {
                List<String> left = locks.releaseSince(holds);
                if (!left.isEmpty()) {
                    itself.addSuppressed(stillHeld(left));
                }
            } catch (RuntimeException ended) { // the run has failed
                itself.addSuppressed(ended);
            }
        }

        private IllegalStateException stillHeld(List<String> left) {
            return new IllegalStateException(
                    "the body of loop '"
                            + loops.name(start.loop())
                            + "' ends on node "
                            + node.id()
                            + " with lock '"
                            + String.join("', '", left)
                            + "' held, which it has locked; it is released now. Unlock it in a"
                            + " finally clause of the body");
        }

        private byte[] encoded(T value, Band part) {
            Reduction<T> reduction = loop.reduction().orElseThrow();
            if (value == null && !reduction.isOfProgram()) {
                throw new IllegalStateException(
                        "the body returns null for indices "
                                + LoopResult.text(part)
                                + "; return a value that a "
                                + reduction
                                + " can combine");
            }
            return reduction.encode(value, node.positions());
        }
    }

    private <T> int parts(Loop<?, T> loop, Band range) {
        return loop.reduction()
                .map(reduction -> reduction.isOfNumbers() ? PARTS : node.positions())
                .map(most -> Math.min(most, range.length()))
                .orElse(0);
    }

    // ---- of the thread that starts loops ----

    @Override
    public DsmNode node() {
        return node;
    }

    @Override
    public <P> void forEach(Band range, Schedule schedule, Loop<P, None> loop, P parameters) {
        checked(loop)
                .reduction()
                .ifPresent(reduction -> {
                    throw new IllegalArgumentException(
                            name(loop)
                                    + " has a result, a "
                                    + reduction
                                    + ", which forEach would discard: call reduce");
                });
        start(range, schedule, loop, parameters);
    }

    @Override
    public <P, T> T reduce(Band range, Schedule schedule, Loop<P, T> loop, P parameters) {
        Reduction<T> reduction =
                checked(loop)
                        .reduction()
                        .orElseThrow(() ->
                                new IllegalArgumentException(
                                        name(loop) + " has no result: call forEach"));
        Collection<byte[]> values = start(range, schedule, loop, parameters).values();
        if (values.isEmpty()) {
            values = List.of(ofNoIndex(range, loop, reduction, parameters));
        }
        List<Contribution> parts = values.stream().map(Contribution::decode).toList();
        return new LoopResult<>(name(loop), range, reduction).of(parts);
    }

    private static <P, T> Loop<P, T> checked(Loop<P, T> loop) {
        return requireNonNull(loop, "the loop is null; loops are fields of the program");
    }

    private String name(Loop<?, ?> loop) {
        return "loop '" + loops.name(loops.number(loop)) + "'";
    }

    /** What comes of no index, if the body knows that. */
    private <P, T> byte[] ofNoIndex(
            Band range, Loop<P, T> loop, Reduction<T> reduction, P parameters) {
        try {
            return reduction.encode(loop.run(parameters, new Part(range, node, this)), 1);
        } catch (RuntimeException unknown) {
            throw new IllegalArgumentException(
                    name(loop)
                            + " has no result for an empty range, "
                            + LoopResult.text(range)
                            + ": "
                            + unknown,
                    unknown);
        }
    }

    /** Runs a loop on all threads; returns the values of its parts. */
    private <P> SortedMap<Integer, byte[]> start(
            Band range, Schedule schedule, Loop<P, ?> loop, P parameters) {
        int number = loops.number(loop);
        requireNonNull(range, () -> name(loop) + " has no range: it is null");
        requireNonNull(
                schedule,
                () -> name(loop) + " has no schedule: it is null; Schedule.BLOCK is the default");
        if (range.isEmpty()) {
            return new TreeMap<>();
        }
        byte[] encoded = ValueCoder.of(loop.parameters()).write(parameters);
        if (encoded.length > Reduction.BYTES_MAX) {
            throw new IllegalArgumentException(
                    "loop '"
                            + loops.name(number)
                            + "' with parameters of "
                            + encoded.length
                            + " bytes, more than "
                            + Reduction.BYTES_MAX);
        }
        boolean isNested = running.isPresent() || Thread.currentThread() != owner;
        long start = isNested ? 0 : ++starts;
        LoopStart all = new LoopStart(start, number, loops.fingerprint(), range, schedule, encoded);
        return isNested ? inPlace(all) : together(all);
    }

    private SortedMap<Integer, byte[]> together(LoopStart start) {
        arrive(start.toContribution());
        byte[] mine = Contribution.decode(share(start)).value();
        List<byte[]> shares = new ArrayList<>(List.of(mine));
        byte[] others = link.gather();
        if (others.length > 0) {
            shares.addAll(Round.values(others));
        }
        return combined(start, shares);
    }

    private SortedMap<Integer, byte[]> combined(LoopStart start, List<byte[]> shares) {
        SortedMap<Integer, byte[]> values = new TreeMap<>();
        List<LoopException> failures = new ArrayList<>();
        for (int position = 0; position < shares.size(); position++) {
            int of = position;
            LoopShare.read(shares.get(position), values)
                    .ifPresent(failure -> failures.add(exception(start, of, failure)));
        }
        if (!failures.isEmpty()) {
            failures.sort(Comparator.comparing(LoopException::index));
            LoopException first = failures.getFirst();
            failures.subList(1, failures.size()).forEach(first::addSuppressed);
            throw first;
        }
        return values;
    }

    private LoopException exception(LoopStart start, int position, LoopShare.Failure failure) {
        int failed = position / node.threads();
        Throwable cause = Thrown.read(failure.thrown(), "node " + failed, program.getClass());
        return new LoopException(
                loops.name(start.loop()),
                failed,
                position % node.threads(),
                failure.index(),
                cause);
    }

    /** A loop within a loop: this thread runs all of it, and its exceptions are the caller's. */
    private SortedMap<Integer, byte[]> inPlace(LoopStart start) {
        return new Share<>(loops.loop(start.loop()), start).runWhole();
    }
}
