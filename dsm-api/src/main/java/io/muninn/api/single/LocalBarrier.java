package io.muninn.api.single;

import io.muninn.api.BarrierBrokenException;
import io.muninn.api.reduction.Contribution;
import io.muninn.api.reduction.Round;
import io.muninn.api.service.BarrierLink;
import java.util.BitSet;
import java.util.Locale;
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

    /** The round for which threads wait. Guarded by the monitor, as are the fields below. */
    private Generation generation = new Generation();

    private int arrivals;
    private final BitSet arrived = new BitSet();

    /** The reason why the barrier is broken; empty while it is not. */
    private String broken = "";

    /** One round: its contributions, and their result once it is completed. */
    private static final class Generation {
        Round contributions = new Round();
        Optional<byte[]> result = Optional.empty();

        byte[] result() {
            return contributions.isEmpty() ? BarrierLink.NOTHING : contributions.result();
        }
    }

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
        return new BarrierLink() {
            @Override
            public byte[] await(byte[] contribution, long limitNanos) throws TimeoutException {
                return LocalBarrier.this.await(thread, contribution, limitNanos);
            }

            @Override
            public byte[] gather() {
                return monitor.await(LocalBarrier.this::gathered);
            }
        };
    }

    private byte[] await(int thread, byte[] contribution, long limitNanos) throws TimeoutException {
        Generation mine = monitor.await(() -> Optional.of(arrive(thread, contribution)));
        Optional<byte[]> result = monitor.await(limitNanos, () -> completed(mine));
        if (result.isEmpty()) {
            result = monitor.await(() -> completedOrBroken(mine));
        }
        return result.orElseThrow(() -> new TimeoutException(broken)); // never changes once set
    }

    /** The result of the contributions so far when one party is missing, empty before. */
    private Optional<byte[]> gathered() {
        checkWhole();
        if (arrivals < parties - 1) {
            return Optional.empty();
        }
        byte[] result = generation.result();
        generation.contributions = new Round(); // later contributions are for the waiting parties
        return Optional.of(result);
    }

    /** Counts an arrival; the last one completes the round. Returns the round of the arrival. */
    private Generation arrive(int thread, byte[] contribution) {
        checkWhole();
        Generation mine = generation;
        arrived.set(thread);
        arrivals++;
        Optional<Contribution> decoded =
                Optional.of(contribution).filter(each -> each.length > 0).map(Contribution::decode);
        Optional<String> reason = mine.contributions.add(0, thread, decoded);
        if (reason.isPresent()) {
            broken = String.format(Locale.ROOT, "barrier '%s': %s", name, reason.get());
            monitor.changed();
        } else if (arrivals == parties) {
            arrived.clear();
            arrivals = 0;
            generation = new Generation();
            mine.result = Optional.of(mine.result());
            monitor.changed();
        } else if (arrivals == parties - 1) {
            monitor.changed(); // for a thread that gathers
        }
        return mine;
    }

    /** The result when the round is completed, empty before. */
    private Optional<byte[]> completed(Generation mine) {
        if (mine.result.isEmpty()) {
            checkWhole();
        }
        return mine.result;
    }

    /** The result, or nothing if the round will never have one. */
    private Optional<Optional<byte[]>> completedOrBroken(Generation mine) {
        Optional<byte[]> result = completed(mine);
        if (result.isEmpty()) {
            breakUp();
        }
        return Optional.of(result);
    }

    private void breakUp() {
        String absent =
                IntStream.range(0, threads)
                        .filter(thread -> !arrived.get(thread))
                        .mapToObj(Integer::toString)
                        .collect(Collectors.joining(", "));
        broken =
                String.format(
                        Locale.ROOT,
                        "barrier '%s' has %d of %d parties, missing: node 0, thread %s",
                        name,
                        arrivals,
                        parties,
                        absent);
        monitor.changed();
    }

    private void checkWhole() {
        if (!broken.isEmpty()) {
            throw new BarrierBrokenException(broken);
        }
    }
}
