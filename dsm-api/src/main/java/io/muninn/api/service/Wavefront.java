package io.muninn.api.service;

import io.muninn.api.Band;
import io.muninn.api.Domain;
import io.muninn.api.DsmNode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;

/**
 * Runs a loop of two indices whose bodies depend on those above and to the left. Each thread has
 * neighbouring rows, and runs them column by column. It begins a column when it receives the signal
 * of the thread above, and signals the thread below when it has run the column.
 *
 * <p>Signals are messages with a tag of the receiver. The tags are negative, so programs have no
 * such messages. A signal is a release, and its receipt is an acquire.
 */
final class Wavefront {
    private static final long FOR_EVER = -1;

    private final DsmNode node;
    private final MessageLink link;
    private final Band rows;
    private final int columns;
    private final int threads; // number of threads that have rows

    Wavefront(DsmNode node, MessageLink link, Domain domain) {
        this.node = node;
        this.link = link;
        this.rows = domain.ranges().getFirst();
        this.columns = domain.ranges().getLast().length();
        this.threads = Math.min(node.positions(), rows.length());
    }

    /**
     * Runs this thread's rows. If a body throws, no later body is run on this thread or on the
     * threads below, but all signals are sent, and the exception is thrown at the end.
     *
     * @param body receives the position of an index in the domain
     */
    void run(IntConsumer body) {
        int position = node.position();
        if (position >= threads) {
            return;
        }
        Band mine = Band.of(rows.length(), position, threads);
        boolean isGood = true;
        Optional<Throwable> failure = Optional.empty();
        for (int column = 0; column < columns; column++) {
            boolean mayRun = position == 0 || await();
            isGood &= mayRun;
            for (int row = mine.from(); isGood && row < mine.to(); row++) {
                try {
                    body.accept(row * columns + column);
                } catch (Throwable thrown) {
                    failure = Optional.of(thrown);
                    isGood = false;
                }
            }
            if (position < threads - 1) {
                signal(isGood);
            }
        }
        failure.ifPresent(Wavefront::rethrow);
    }

    @SuppressWarnings("unchecked") // thrown unchanged
    private static <E extends Throwable> void rethrow(Throwable thrown) throws E {
        throw (E) thrown;
    }

    private void signal(boolean isGood) {
        int below = node.position() + 1;
        byte[] signal = {(byte) (isGood ? 1 : 0)};
        link.send(below / node.threads(), tag(below), MemorySegment.ofArray(signal));
    }

    private boolean await() {
        int above = (node.position() - 1) / node.threads();
        try {
            MemorySegment signal = link.receive(above, tag(node.position()), FOR_EVER).content();
            return signal.get(ValueLayout.JAVA_BYTE, 0) != 0;
        } catch (TimeoutException impossible) {
            throw new IllegalStateException("a wait without limit timed out", impossible);
        }
    }

    private static int tag(int receiver) {
        return -1 - receiver;
    }
}
