package io.muninn.bench;

import io.muninn.apps.Turns;
import io.muninn.bench.series.Measured;
import io.muninn.bench.series.TurnGiver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * An operation and its floors by {@linkplain Turns turns} of some milliseconds: what they take at
 * different minutes says more of the minutes than of them. All processes are up and warm before the
 * first turn.
 */
final class PairedRuns {
    /** What is measured so, and by nobody else. */
    static final String OPERATION = "fault-read-remote";

    static final int NODES = 2;

    /** Unpinned, turns seem to bring processes together on one processor. */
    static final Placement PLACEMENT = Placement.ONE_CPU;

    private static final String IN_C = "uffd-missing";
    private static final String EXCHANGE = MeasuredFloors.exchange(64, 4096);

    /** For a start and a warm-up as for a turn. */
    private static final int PATIENCE_MILLIS = 300_000;

    private final BenchContext context;
    private final LiveRuns live;

    PairedRuns(BenchContext context, LiveRuns live) {
        this.context = context;
        this.live = live;
    }

    static boolean isFor(Placement placement) {
        return placement == PLACEMENT;
    }

    /**
     * The operation, and the floors that had their turns beside it.
     *
     * @throws BenchmarkFailedException if any of them could not be measured
     */
    List<Measured> run() throws IOException, InterruptedException {
        List<Child> children = new ArrayList<>();
        try (ExecutorService runner = Executors.newSingleThreadExecutor();
                ServerSocket door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TurnGiver giver = new TurnGiver(door, PATIENCE_MILLIS)) {
            List<String> prefix = new ArrayList<>(PLACEMENT.prefix());
            prefix.addAll(List.of("env", Turns.PORT + "=" + door.getLocalPort()));
            FloorRuns floors = new FloorRuns(context, prefix);
            Child inC = floors.startInC(IN_C);
            children.add(inC);
            giver.admit(1);
            Child exchange = floors.startExchange(EXCHANGE, children);
            giver.admit(1);
            Future<List<Measured>> operation = runner.submit(() -> operation(prefix, door));
            Optional<IOException> broken = give(giver, door);
            List<Measured> all = new ArrayList<>(result(operation));
            if (broken.isPresent()) {
                throw new BenchmarkFailedException("turns: " + broken.get(), broken.get());
            }
            all.addAll(floors.read(inC.rest()));
            all.addAll(floors.read(exchange.rest()));
            return all;
        } finally {
            children.forEach(Child::close);
        }
    }

    /**
     * Gives turns, and then lets everybody go on; nobody waits for one that is not to come. What
     * the run of the operation says of a failure tells more, so that is only kept.
     */
    private static Optional<IOException> give(TurnGiver giver, ServerSocket door) {
        try (door;
                giver) {
            giver.admit(1);
            giver.giveAll();
            return Optional.empty();
        } catch (IOException cause) {
            return Optional.of(cause);
        }
    }

    /**
     * @param door closed at the end: a run that did not come is not waited for
     */
    private List<Measured> operation(List<String> prefix, ServerSocket door)
            throws IOException, InterruptedException {
        try {
            return live.run(prefix, NODES, Group.FAULTS, List.of(OPERATION), List.of());
        } finally {
            door.close();
        }
    }

    private static List<Measured> result(Future<List<Measured>> operation)
            throws InterruptedException {
        try {
            return operation.get();
        } catch (ExecutionException failed) {
            throw new BenchmarkFailedException(
                    OPERATION + ": " + failed.getCause().getMessage(), failed.getCause());
        }
    }
}
