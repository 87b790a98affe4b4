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
    private final int parts; // whose values are combined; 0 if there are none
    private final SortedMap<Integer, byte[]> values = new TreeMap<>();
    private final SortedMap<Integer, byte[]> sums = new TreeMap<>(); // before parts of a scan
    private int at; // the first index of what is being run

    LoopRun(String name, Loop<P, T> loop, LoopStart start, NodeTeam team, NodeLocks locks) {
        this.name = name;
        this.loop = loop;
        this.start = start;
        this.team = team;
        this.node = team.node();
        this.locks = locks;
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
