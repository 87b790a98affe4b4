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
 * Measures an operation and its floors in alternating {@linkplain Turns turns} of some
 * milliseconds, because the speed of the machine differs from minute to minute. All processes have
 * started and warmed up before the first turn.
 */
final class PairedRuns {
    /** The operation that only this class measures in this placement. */
    static final String OPERATION = "fault-read-remote";

    static final int NODES = 2;

    /**
     * Pinned: the scheduler appears to move unpinned processes that take turns to one processor.
     */
    static final Placement PLACEMENT = Placement.ONE_CPU;

    private static final String IN_C = "uffd-missing";
    private static final String EXCHANGE = MeasuredFloors.exchange(64, 4096);

    /** Timeout for start and warm-up together, and for each turn. */
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
     * Measures the operation and its floors.
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
     * Gives turns, then closes the server socket and the connections, so that no process waits.
     * Returns an I/O error instead of throwing it, because the output of the operation's run
     * explains a failure better.
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
     * @param door closed at the end, so that the turn giver does not wait for a run that did not
     *     connect
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
            Throwable cause = failed.getCause() == null ? failed : failed.getCause();
            throw new BenchmarkFailedException(OPERATION + ": " + cause.getMessage(), cause);
        }
    }
}
