package io.muninn.e2e.programs;

import io.muninn.api.Band;
import io.muninn.api.Domain;
import io.muninn.api.Dsm;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Group;
import io.muninn.api.Home;
import io.muninn.api.IntArray;
import io.muninn.api.IntMatrix;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Schedule;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Variables of a shape, and as many of them, as the cluster demands; read-only variables that all
 * threads fill; loops of all threads under every schedule, and of groups of them at the same time.
 */
public final class Groups implements DsmProgram {
    private static final int PER_THREAD = 700;
    private static final int ROWS = 30;
    private static final int COLUMNS = 40;
    private static final List<Schedule> SCHEDULES =
            List.of(
                    Schedule.BLOCK,
                    Schedule.CYCLIC,
                    Schedule.chunked(7),
                    Schedule.dynamic(9),
                    Schedule.guided(2));

    private final int threads = Dsm.cluster().positions();
    private final boolean isSealed;

    /** Of all threads together, on more than a page of each. */
    @Shared(Protocol.READ_ONLY)
    private final LongArray input = LongArray.of(PER_THREAD * threads);

    @Shared(Protocol.READ_ONLY)
    private final LongArray ofRoot = LongArray.of(2);

    /** One for each node. */
    @Shared(Protocol.WRITE_SHARED)
    private final List<IntArray> counts =
            IntStream.range(0, Dsm.cluster().nodes())
                    .mapToObj(_ -> IntArray.of(PER_THREAD * threads))
                    .toList();

    @Shared(Protocol.WRITE_SHARED)
    private final IntMatrix grid = IntMatrix.of(ROWS, COLUMNS);

    public Groups() {
        this(true);
    }

    /**
     * @param isSealed false if the run overrides protocols, so that declared variables are not
     *     sealed
     */
    public Groups(boolean isSealed) {
        this.isSealed = isSealed;
    }

    @Override
    public void initialize(DsmNode root) {
        ofRoot.set(0, 17);
    }

    @Override
    public void initializePart(DsmNode node) {
        expect("stored by initialize", ofRoot.get(0), 17);
        Band mine = node.band(input.length());
        for (int i = mine.from(); i < mine.to(); i++) {
            input.set(i, 3L * i);
        }
        if (node.position() == node.positions() - 1) {
            ofRoot.set(1, 18);
        }
    }

    @Override
    public void run(DsmNode node) {
        expect("threads", node.positions(), threads);
        expect("nodes", counts.size(), node.nodes());
        checkInput(node);
        for (Schedule schedule : SCHEDULES) {
            loop(node.group(), schedule);
        }
        Group half = node.group().split(10 * (node.position() % 2));
        expect("threads of a half", half.positions(), (threads + 1 - node.position() % 2) / 2);
        expect("position in a half", half.position(), node.position() / 2);
        halves(node, half);
        Group alone = half.split(half.position());
        expect("threads of one alone", alone.positions(), 1);
        expect("sum of one alone", alone.barrier().awaitSum(5L), 5);
    }

    private void checkInput(DsmNode node) {
        for (int i = 0; i < input.length(); i++) {
            expect("input", input.get(i), 3L * i);
        }
        expect("of the last thread", ofRoot.get(1), 18);
        if (isSealed) {
            expectSealed(() -> input.set(0, 1));
        }
        LongArray table =
                node.allocateReadOnly(
                        "table",
                        LongArray.of(input.length()),
                        Home.BANDED,
                        view -> {
                            Band mine = node.band(view.length());
                            for (int i = mine.from(); i < mine.to(); i++) {
                                view.set(i, input.get(i) + 1);
                            }
                        });
        for (int i = 0; i < table.length(); i++) {
            expect("table", table.get(i), 3L * i + 1);
        }
        expectSealed(() -> table.fill(0));
    }

    /** Every index is run once, and every thread sees all at the end. */
    private void loop(Group all, Schedule schedule) {
        IntArray count = counts.getFirst();
        all.forEach(new Band(5, count.length()), schedule, i -> count.set(i, count.get(i) + 1));
        int expected = SCHEDULES.indexOf(schedule) + 1;
        for (int i = 0; i < count.length(); i++) {
            expect("times of " + schedule, count.get(i), i < 5 ? 0 : expected);
        }
        all.forEach(
                Domain.of(new Band(1, ROWS), new Band(2, COLUMNS)),
                schedule,
                line -> {
                    for (int c = line.columns().from(); c < line.columns().to(); c++) {
                        grid.set(line.row(), c, grid.get(line.row(), c) + line.row() * c);
                    }
                });
        for (int row = 1; row < ROWS; row++) {
            for (int column = 2; column < COLUMNS; column++) {
                expect("grid", grid.get(row, column), (long) expected * row * column);
            }
        }
        all.barrier().await(); // nobody stores before all have looked
    }

    /** The halves run loops of their own, as often as they like, at the same time. */
    private void halves(DsmNode node, Group half) {
        int parity = node.position() % 2;
        IntArray count = counts.getLast();
        int first = counts.size() == 1 ? SCHEDULES.size() : 0; // from the loops before
        int elements = count.length() / 2;
        for (int round = 1; round <= 2 + parity; round++) {
            half.forEach(
                    new Band(5, elements),
                    Schedule.dynamic(25),
                    i -> count.set(2 * i + parity, count.get(2 * i + parity) + 1));
            int rounds = round;
            for (int i = 5; i < elements; i++) {
                expect("times of a half", count.get(2 * i + parity), first + rounds);
            }
            long sum = half.barrier().awaitSum((long) half.position());
            expect("sum of a half", sum, half.positions() * (half.positions() - 1L) / 2);
        }
    }

    private static void expectSealed(Runnable store) {
        try {
            store.run();
        } catch (IllegalStateException sealed) {
            return;
        }
        throw new IllegalStateException("a variable that is only read has been stored to");
    }

    private static void expect(String what, long found, long expected) {
        if (found != expected) {
            throw new IllegalStateException(what + " is " + found + ", not " + expected);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return Verdict.right("groups have done their work");
    }
}
