package io.muninn.waits;

import io.muninn.spi.Event;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Describes the calls in which threads of a node wait, and gives each a number at the first time.
 */
public final class DescribedWaits {
    private final IntFunction<List<Hold>> holds;
    private Map<Event.Waiting, Long> numbers = new IdentityHashMap<>(); // of the last calls
    private long last;

    /**
     * @param holds the locks that a thread holds, by its number in the node
     */
    public DescribedWaits(IntFunction<List<Hold>> holds) {
        this.holds = holds;
    }

    /** The waits in these calls, without the places where threads stand. */
    public List<ThreadWait> of(List<Event.Waiting> calls) {
        Map<Event.Waiting, Long> known = new IdentityHashMap<>();
        List<ThreadWait> waits = new ArrayList<>(calls.size());
        for (Event.Waiting call : calls) {
            Long before = numbers.get(call);
            long number = before == null ? ++last : before;
            known.put(call, number);
            int thread = call.waiter().thread();
            waits.add(new ThreadWait(thread, number, Awaited.of(call), holds.apply(thread), ""));
        }
        numbers = known;
        return waits;
    }
}
