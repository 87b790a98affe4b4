package io.muninn.api.single;

import io.muninn.api.BarrierBrokenException;
import io.muninn.api.service.BarrierLink;
import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A barrier among the threads of one process. */
final class LocalBarrier {
    private final LocalMonitor monitor;
    private final String name;
    private final int parties;
    private final int threads;

    /** Number of completed rounds. Guarded by the monitor, as are the fields below. */
    private long round;

    private int arrivals;
    private final BitSet arrived = new BitSet();

    /** The reason why the barrier is broken; empty while it is not. */
    private String broken = "";

    LocalBarrier(String name, int parties, int threads, RunState state) {
        this.name = name;
        this.parties = parties;
        this.threads = threads;
        this.monitor = new LocalMonitor(state);
    }

    int parties() {
        return parties;
    }

    /** The link of application thread {@code thread} to the barrier. */
    BarrierLink of(int thread) {
        return limitNanos -> {
            long mine = monitor.await(() -> Optional.of(arrive(thread)));
            if (monitor.await(limitNanos, () -> turned(mine)).isEmpty()
                    && !monitor.await(() -> turned(mine).or(this::breakUp))) {
                throw new TimeoutException(broken); // never changes once set
            }
        };
    }

    /** Counts an arrival; the last one completes the round. Returns the round of the arrival. */
    private long arrive(int thread) {
        checkWhole();
        long mine = round;
        arrived.set(thread);
        arrivals++;
        if (arrivals == parties) {
            arrived.clear();
            arrivals = 0;
            round++;
            monitor.changed();
        }
        return mine;
    }

    /** True when the round is completed, empty before. */
    private Optional<Boolean> turned(long mine) {
        if (round == mine) {
            checkWhole();
            return Optional.empty();
        }
        return Optional.of(true);
    }

    private Optional<Boolean> breakUp() {
        String absent =
                IntStream.range(0, threads)
                        .filter(thread -> !arrived.get(thread))
                        .mapToObj(Integer::toString)
                        .collect(Collectors.joining(", "));
        broken =
                "barrier '%s' has %d of %d parties, missing: node 0, thread %s"
                        .formatted(name, arrivals, parties, absent);
        monitor.changed();
        return Optional.of(false);
    }

    private void checkWhole() {
        if (!broken.isEmpty()) {
            throw new BarrierBrokenException(broken);
        }
    }
}
