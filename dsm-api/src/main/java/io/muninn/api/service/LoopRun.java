package io.muninn.api.service;

import io.muninn.api.Band;
import io.muninn.api.DsmNode;
import io.muninn.api.Loop;
import io.muninn.api.None;
import io.muninn.api.Part;
import io.muninn.api.Reduction;
import io.muninn.api.Schedule;
import io.muninn.api.reduction.Contribution;
import io.muninn.api.reduction.Round;
import io.muninn.api.shipping.ValueCoder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What one thread runs of a loop.
 *
 * <p>The items of a loop are the indices of its range or, if it has a result, the parts that the
 * range is cut into.
 */
final class LoopRun<P, T> {
    private static final String COUNTER = "muninn.loops";

    /** Parts of a range whose values are numbers; independent of the team. */
    private static final int PARTS = 128;

    private final String name;
    private final Loop<P, T> loop;
    private final LoopStart start;
    private final NodeTeam team;
    private final DsmNode node;
    private final NodeLocks locks;
    private final LoopSignals signals;
    private final int parts; // whose values are combined; 0 if there are none
    private final SortedMap<Integer, byte[]> values = new TreeMap<>();
    private final SortedMap<Integer, byte[]> sums = new TreeMap<>(); // before parts of a scan
    private int at; // the first index of what is being run

    LoopRun(String name, Loop<P, T> loop, LoopStart start, NodeTeam team, ThreadServices thread) {
        this.name = name;
        this.loop = loop;
        this.start = start;
        this.team = team;
        this.node = team.node();
        this.locks = thread.locks();
        this.signals = new LoopSignals(node, thread.messageLink());
        this.parts = parts(loop, start.range(), node.positions());
        this.at = start.range().from();
        if (start.isSecondRound()) {
            LoopShare.read(start.before(), sums);
        }
    }

    private static <T> int parts(Loop<?, T> loop, Band range, int positions) {
        return loop.reduction()
                .map(reduction -> reduction.isOfNumbers() ? PARTS : positions)
                .map(most -> Math.min(most, range.length()))
                .orElse(0);
    }

    /** Values of the parts that were run, encoded, by number. */
    SortedMap<Integer, byte[]> values() {
        return values;
    }

    /** The first index of what is being run, or was when a body threw. */
    int at() {
        return at;
    }

    /** Runs this thread's items. */
    void share() {
        P parameters = parameters();
        if (start.form() == LoopStart.Form.WAVEFRONT) {
            wavefront(parameters);
        } else {
            shares(parameters);
        }
    }

    private void shares(P parameters) {
        int items = items();
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
                        node.shipped(COUNTER, LoopCounter.class, LoopCounter.OnRoot::new);
                Schedule schedule = new Schedule(start.schedule().kind(), chunk);
                long next = counter.next(start.start(), items, schedule, positions);
                while (next != LoopCounter.NONE) {
                    run(parameters, new Band((int) (next >> Integer.SIZE), (int) next));
                    next = counter.next(start.start(), items, schedule, positions);
                }
            }
        }
    }

    /**
     * Runs this thread's rows. Each column begins when the thread above has run it, and continues
     * on the thread below: a signal for each column, also if there is nothing more to run.
     */
    private void wavefront(P parameters) {
        Band rows = start.domain().ranges().getFirst();
        int columns = start.domain().ranges().getLast().length();
        int threads = Math.min(node.positions(), rows.length());
        int position = node.position();
        if (position >= threads) {
            return;
        }
        Band mine = Band.of(rows.length(), position, threads);
        boolean isGood = true;
        Optional<Throwable> failure = Optional.empty();
        for (int column = 0; column < columns; column++) {
            isGood &= position == 0 || signals.await();
            for (int row = mine.from(); isGood && row < mine.to(); row++) {
                try {
                    element(parameters, row * columns + column);
                } catch (Throwable thrown) {
                    failure = Optional.of(thrown);
                    isGood = false;
                }
            }
            if (position < threads - 1) {
                signals.send(isGood);
            }
        }
        failure.ifPresent(LoopRun::rethrow);
    }

    private void element(P parameters, int position) {
        body(new Band(position, position + 1), part -> loop.run(parameters, part));
    }

    @SuppressWarnings("unchecked") // it is thrown as it is
    private static <E extends Throwable> void rethrow(Throwable thrown) throws E {
        throw (E) thrown;
    }

    /** Runs all items. */
    void whole() {
        run(parameters(), new Band(0, items()));
    }

    private P parameters() {
        return ValueCoder.of(loop.parameters()).read(start.parameters());
    }

    private int items() {
        return parts > 0 ? parts : start.range().length();
    }

    /** In indices, or in parts that are about as long together. */
    private int chunk() {
        int indices = start.schedule().chunk();
        return parts == 0
                ? indices
                : (int) Math.max(1, (long) indices * parts / start.range().length());
    }

    private void run(P parameters, Band items) {
        int first = start.range().from();
        if (parts == 0) {
            if (!items.isEmpty()) {
                Band band = new Band(first + items.from(), first + items.to());
                body(band, part -> loop.run(parameters, part));
            }
            return;
        }
        for (int part = items.from(); part < items.to(); part++) {
            Band band = LoopResult.part(start.range(), part, parts);
            if (start.isSecondRound()) {
                store(parameters, part, band);
            } else {
                T value = body(band, each -> loop.run(parameters, each));
                values.put(part, encoded(value, band));
            }
        }
    }

    private void store(P parameters, int number, Band band) {
        Reduction<T> reduction = loop.reduction().orElseThrow();
        Optional<T> before =
                Optional.ofNullable(sums.get(number))
                        .map(sum -> Round.result(List.of(Contribution.decode(sum))))
                        .map(reduction::decode);
        body(
                band,
                part -> {
                    loop.store(parameters, part, before);
                    return None.NONE;
                });
    }

    /** Runs the body, which must unlock what it locks: other threads would wait for ever. */
    private <V> V body(Band range, Function<Part, V> body) {
        at = range.from();
        Map<String, Integer> holds = locks.holds();
        V value;
        try {
            value = body.apply(new Part(range, start.domain(), node, team));
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
        Throwable itself = LoopShare.itself(thrown);
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
                        + name
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
                            + LoopResult.text(start.domain(), part)
                            + "; return a value that a "
                            + reduction
                            + " can combine");
        }
        return reduction.encode(value, node.positions());
    }
}
