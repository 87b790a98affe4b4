package io.muninn.api.service;

import io.muninn.api.Band;
import io.muninn.api.DsmNode;
import io.muninn.api.Loop;
import io.muninn.api.Part;
import io.muninn.api.Reduction;
import io.muninn.api.Schedule;
import io.muninn.api.reduction.Contribution;
import io.muninn.api.reduction.Round;
import io.muninn.api.shipping.ValueCoder;
import io.muninn.model.NodeId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntConsumer;

/**
 * The share of one thread in a loop.
 *
 * <p>The items of a loop are the indices of its range or, if it has a result, the parts into which
 * the range is divided.
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
    private final MessageLink messages;
    private final int parts; // with values; 0 if the loop has no result
    private final SortedMap<Integer, byte[]> values = new TreeMap<>();
    private final SortedMap<Integer, byte[]> sums; // before parts of a scan
    private int at; // first index of the part that is being run

    LoopRun(String name, Loop<P, T> loop, LoopStart start, NodeTeam team, ThreadServices thread) {
        this.name = name;
        this.loop = loop;
        this.start = start;
        this.team = team;
        this.node = team.node();
        this.locks = thread.locks();
        this.messages = thread.messageLink();
        this.parts = parts(loop, start.range(), node.positions());
        this.at = start.range().from();
        this.sums = start.isSecondRound() ? LoopShare.values(start.before()) : new TreeMap<>();
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

    /** The first index of the part that is being run, or was being run when a body threw. */
    int at() {
        return at;
    }

    /** Runs this thread's items. */
    void share() {
        if (start.form() == LoopStart.Form.WAVEFRONT) {
            new Wavefront(node, messages, start.domain()).run(element());
        } else {
            shares(parameters());
        }
    }

    /**
     * The body of a wavefront at a position; or a body that throws the reason why it cannot run.
     */
    private IntConsumer element() {
        try {
            P parameters = parameters();
            return position -> {
                Band only = new Band(position, position + 1);
                checkingLocks(() -> loop.run(parameters, part(only)));
            };
        } catch (RuntimeException unreadable) {
            return _ -> {
                throw unreadable;
            };
        }
    }

    private void shares(P parameters) {
        new Shares(
                        items(),
                        node.position(),
                        node.positions(),
                        node,
                        COUNTER,
                        NodeId.ROOT.index(),
                        start.start())
                .run(
                        new Schedule(start.schedule().kind(), chunk()),
                        items -> run(parameters, items));
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

    /** The chunk in indices, or in the number of parts that are about as long together. */
    private int chunk() {
        int indices = start.schedule().chunk();
        return parts == 0
                ? indices
                : (int) Math.max(1, (long) indices * parts / start.range().length());
    }

    private void run(P parameters, Band items) {
        checkingLocks(() -> {
            if (parts == 0) {
                runIndices(parameters, items);
            } else {
                runParts(parameters, items);
            }
        });
    }

    private void runIndices(P parameters, Band items) {
        int first = start.range().from();
        if (!items.isEmpty()) {
            loop.run(parameters, part(new Band(first + items.from(), first + items.to())));
        }
    }

    private void runParts(P parameters, Band items) {
        for (int number = items.from(); number < items.to(); number++) {
            Part part = part(LoopResult.part(start.range(), number, parts));
            if (start.isSecondRound()) {
                loop.store(parameters, part, before(number));
            } else {
                values.put(number, encoded(loop.run(parameters, part), part.range()));
            }
        }
    }

    private Part part(Band range) {
        at = range.from();
        return new Part(range, start.domain(), node, team);
    }

    /** The sum of the values before a part of a scan; empty for the first part. */
    private Optional<T> before(int part) {
        return Optional.ofNullable(sums.get(part))
                .map(sum -> Round.result(List.of(Contribution.decode(sum))))
                .map(loop.reduction().orElseThrow()::decode);
    }

    /**
     * Runs bodies, which must release the locks that they acquire: other threads would wait for
     * ever.
     */
    private void checkingLocks(Runnable bodies) {
        Map<HeldLock, Integer> holds = locks.holds();
        try {
            bodies.run();
        } catch (Throwable thrown) {
            releaseAfter(thrown, holds);
            throw thrown;
        }
        List<String> left = locks.releaseSince(holds);
        if (!left.isEmpty()) {
            throw stillHeld(left);
        }
    }

    private void releaseAfter(Throwable thrown, Map<HeldLock, Integer> holds) {
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
                        + " with "
                        + String.join(", ", left)
                        + " held, which it has locked; it is released now. Unlock it in a"
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
