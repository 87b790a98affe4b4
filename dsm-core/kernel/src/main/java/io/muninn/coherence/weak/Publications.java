package io.muninn.coherence.weak;

import io.muninn.spi.Effects;
import io.muninn.spi.GatedRelease;
import java.util.ArrayDeque;
import java.util.TreeMap;

/**
 * The publications of one node that are not performed, by number, and the releases that wait for
 * them. A release waits for all that have begun before it, regardless of the thread or the acquire
 * that began them.
 */
final class Publications {
    private record Waiting(GatedRelease leaving, long upTo) {}

    private final TreeMap<Long, Integer> open = new TreeMap<>(); // outstanding parts by number
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private long last;

    /**
     * Begins a publication.
     *
     * @param parts that must be {@linkplain #done done}, at least 1
     * @return its number
     */
    long begin(int parts) {
        last++;
        open.put(last, parts);
        return last;
    }

    /** A part of a publication is performed, or turned out to be empty. */
    void done(long number, Effects out) {
        Integer parts = open.get(number);
        if (parts == null) {
            throw new IllegalStateException("publication " + number + " is not open");
        }
        if (parts > 1) {
            open.put(number, parts - 1);
            return;
        }
        open.remove(number);
        while (!waiting.isEmpty() && isPerformed(waiting.element().upTo())) {
            out.releasePerformed(waiting.remove().leaving());
        }
    }

    /** Performs a release once all publications that have begun are performed. */
    void await(GatedRelease leaving, Effects out) {
        if (isPerformed(last)) {
            out.releasePerformed(leaving);
        } else {
            waiting.add(new Waiting(leaving, last));
        }
    }

    private boolean isPerformed(long upTo) {
        return open.isEmpty() || open.firstKey() > upTo;
    }
}
